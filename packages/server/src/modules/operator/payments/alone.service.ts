import type { Queryable, Tx } from '../../../db/database.ts'
import type { Vault } from '../../../db/vault.ts'
import { assert } from '../../../lib/errors.ts'
import type { By, Ran, Texts } from '../../acts/types.ts'
import type { Done } from '../../audit/types.ts'
import type { AnyPaymentReport } from '../../payments/read/search.service.ts'
import type { OperatorCaller } from '../../sessions/people/types.ts'
import type { AloneLimits } from '../kit/types.ts'
import { mayDecideAlone } from './alone.rules.ts'
import { insertDecision, lockSums, readSums } from './alone.sql.ts'

/** Payment that a decision is about. */
type Subject = Pick<AnyPaymentReport, 'payment' | 'resellerId'>

/** Tells whether this operator could decide about the payment only together with a second one, as of now. */
export async function needsSecondPerson(
  { aloneLimits }: { readonly aloneLimits: AloneLimits },
  connection: Queryable,
  { operatorId }: Pick<OperatorCaller, 'operatorId'>,
  { payment: { cost }, resellerId }: Subject,
): Promise<boolean> {
  return !mayDecideAlone(cost, aloneLimits, await readSums(connection, { operatorId, resellerId }))
}

export type DecisionWorld = {
  readonly vault: Vault
  /** Limits of one operator; left out where nobody decides alone: at the machine, and in approvals. */
  readonly aloneLimits?: AloneLimits | undefined
}

/** Decision that gives money back, or keeps it, on an operator's word. */
export type Decision<T> = {
  readonly about: () => Promise<Subject>
  readonly work: () => Promise<Done<T>>
  /** Shown to the second person beside what was asked. */
  readonly shown?: (subject: Subject) => Texts
}

/**
 * Makes a decision as far as its consent goes. One operator decides within the limits for one payment and for sums, which
 * are judged under a lock in the commit that does it: decisions at the same time pass only as far as the sums allow.
 * Beyond the limits a second person is asked; a decision that cannot be made is refused before anybody is asked.
 */
export async function decide<T>(
  tx: Tx,
  { caller, consent, world: { aloneLimits } }: By<DecisionWorld>,
  { about, work, shown = () => ({}) }: Decision<T>,
): Promise<Ran<T>> {
  if (consent.kind !== 'alone') return work()
  assert(caller.kind === 'operator' && aloneLimits !== undefined, 'operators alone decide within limits')
  const subject = await about()
  const parties = { operatorId: caller.operatorId, resellerId: subject.resellerId }
  await lockSums(tx, parties)
  const isBeyond = await needsSecondPerson({ aloneLimits }, tx, caller, subject)
  const done = await work()
  if (isBeyond) return { ask: { shown: shown(subject), view: undefined } }
  await insertDecision(tx, parties, subject.payment)
  return done
}
