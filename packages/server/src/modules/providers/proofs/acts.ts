import type { Tx } from '../../../db/database.ts'
import { whole } from '../../../http/codec.ts'
import { RequestError, unknown } from '../../../lib/errors.ts'
import { act } from '../../acts/service.ts'
import type { By } from '../../acts/types.ts'
import type { ChangeWorld } from '../acts.ts'
import { lockProviders, providerTarget } from '../acts.ts'
import { changeConnection, getConnection } from '../connections/connections.service.ts'
import { DISMISS_INPUT, MEANING_INPUT } from './codec.ts'
import { insertProofs, listProofRows, takeUnknown } from './sql.ts'
import type { Result, UnknownAnswer } from './types.ts'
import { addMeaning } from './words.rules.ts'

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

/** Says what a supplier's word means: from now on the connection's table has it. */
export const mapAnswer = act({
  name: 'provider.map_answer',
  input: MEANING_INPUT,
  lock: lockProviders,
  async run(tx, { code, id, outcome, failure }, { database, world }: By<ChangeWorld>) {
    const answer = await takeAnswer(tx, code, id)
    const { config } = await getConnection(database, code)
    const changed = addMeaning(config, answer, { outcome, code: failure })
    if (changed === undefined) return { refuse: noOneTable(answer) }
    await changeConnection({ ...world, database }, code, { config: changed, isSameSupplier: true })
    const { operation, path, value } = answer
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
