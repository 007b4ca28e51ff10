import type { Tx } from '../../../db/database.ts'
import { whole } from '../../../http/codec.ts'
import { RequestError, unknown } from '../../../lib/errors.ts'
import { act } from '../../acts/service.ts'
import type { By, Texts } from '../../acts/types.ts'
import type { ChangeWorld } from '../acts.ts'
import { lockProviders, providerTarget } from '../acts.ts'
import { changeConnection, getConnection } from '../connections/connections.service.ts'
import type { MeaningInput } from './codec.ts'
import { DISMISS_INPUT, MEANING_INPUT, TRIAL_INPUT } from './codec.ts'
import { refuseLiveAddress } from './prove.service.ts'
import { insertProofs, listProofRows, takeUnknown } from './sql.ts'
import type { Result, Trials, UnknownAnswer } from './types.ts'
import { addMeaning } from './words.rules.ts'

export type Trial = {
  readonly code: string
  readonly mayBeLiveAddress: boolean
  readonly supplierCode: string | undefined
  readonly by: string
  readonly startedAt: Date
}

/**
 * Begins a trial of what a pack says, one at a time for each provider. `Trials` makes it after the commit, and the proofs
 * name who began it.
 */
export const beginTrial = act({
  name: 'provider.prove',
  input: TRIAL_INPUT,
  async run(
    _tx,
    { code, liveAddress = false, supplierCode },
    { caller, database, world }: By<Pick<Trials, 'startedAt'>>,
  ) {
    if (world.startedAt(code) !== undefined) return { refuse: underway(code) }
    await refuseLiveAddress({ database, code, mayBeLiveAddress: liveAddress })
    const result: Trial = {
      code,
      mayBeLiveAddress: liveAddress,
      supplierCode,
      by: nameOf(caller),
      startedAt: new Date(),
    }
    const after = { live_address: liveAddress }
    return { target: providerTarget({ code }), before: null, after, result }
  },
})

function underway(code: string): RequestError {
  const publicText = `What the pack says of ${code} is being tried already.`
  return new RequestError({ status: 409, code: 'proof_underway', publicText })
}

/** Keeps the results of a trial, which was made before: suppliers are not asked inside a transaction. */
export const recordProofs = act({
  name: 'provider.prove',
  input: whole<{ readonly code: string; readonly results: readonly Result[] }>(),
  async run(tx, { code, results }, { caller, database }: By<unknown>) {
    await getConnection(database, code)
    await insertProofs(tx, { provider: code, by: nameOf(caller), results })
    const claims = Object.fromEntries(results.map(({ claim, result }) => [claim, result]))
    const result = (await listProofRows(tx, code)).slice(0, results.length)
    return { target: providerTarget({ code }), before: null, after: claims, result }
  },
})

function nameOf(caller: By<unknown>['caller']): string {
  return caller.kind === 'operator' ? caller.email : caller.kind === 'member' ? caller.username : caller.name
}

/**
 * Says what a supplier's word means: from now on the connection's table has it. A meaning that ends payments, or sends
 * them elsewhere, needs a second person; `pending` only waits.
 */
export const mapAnswer = act({
  name: 'provider.map_answer',
  input: MEANING_INPUT,
  lock: lockProviders,
  approval: {
    kind: 'answer_meaning',
    target: providerTarget,
    write: ({ code, id, outcome, failure }: MeaningInput): Texts => ({
      code,
      id: String(id),
      outcome,
      failure: failure === undefined ? null : String(failure),
    }),
    read: ({ code, id, outcome, failure }) =>
      MEANING_INPUT.read({ code, id, outcome, ...(failure && { failure: Number(failure) }) }),
  },
  async run(tx, { code, id, outcome, failure }, by: By<ChangeWorld>) {
    const { database, world, consent } = by
    const answer = await takeAnswer(tx, code, id)
    const { operation, path, value, sample } = answer
    const { config } = await getConnection(database, code)
    const changed = addMeaning(config, answer, { outcome, code: failure })
    if (changed === undefined) return { refuse: noOneTable(answer) }
    await changeConnection({ ...world, database }, code, { config: changed, isSameSupplier: true })
    if (consent.kind === 'alone' && outcome !== 'pending') {
      return { ask: { shown: { operation, path, value, sample }, view: undefined } }
    }
    return {
      target: providerTarget({ code }),
      before: null,
      after: { operation, path, value, outcome, ...(failure !== undefined && { code: failure }) },
      result: answer,
    }
  },
})

/** Takes an unknown word off the list; it comes back when the supplier says it again. */
export const dismissAnswer = act({
  name: 'provider.dismiss_answer',
  input: DISMISS_INPUT,
  async run(tx, { code, id }) {
    const answer = await takeAnswer(tx, code, id)
    const { operation, path, value } = answer
    return {
      target: providerTarget({ code }),
      before: { operation, path, value },
      after: null,
      result: answer,
    }
  },
})

async function takeAnswer(tx: Tx, code: string, id: bigint): Promise<UnknownAnswer> {
  const answer = await takeUnknown(tx, code, id)
  if (answer === undefined) throw unknown('unknown answer')
  return answer
}

function noOneTable({ operation, path }: UnknownAnswer): RequestError {
  const publicText =
    `Not exactly one table of ${operation} reads ${path} without knowing every word: edit the configuration with ` +
    'warungd provider update.'
  return new RequestError({ status: 409, code: 'conflict', publicText })
}
