import type { Database, Queryable } from '../../../db/database.ts'
import type { Approval, NewApproval } from '../../approvals/types.ts'
import { audited } from '../../audit/service.ts'
import type { Done } from '../../audit/types.ts'
import type { AnyPaymentReport } from '../../payments/read/search.service.ts'
import type { OperatorCaller } from '../../sessions/people/types.ts'
import type { MoneyContext } from '../kit/types.ts'
import { mayDecideAlone } from './alone.rules.ts'
import { insertDecision, lockSums, readSums } from './alone.sql.ts'

type AloneContext = Pick<MoneyContext, 'log' | 'approvals' | 'aloneLimits'>

/** Payment that a decision is about. */
type Subject = Pick<AnyPaymentReport, 'payment' | 'resellerId'>

/** Tells whether this operator could decide about the payment only together with a second one, as of now. */
export async function needsSecondPerson(
  { aloneLimits }: Pick<AloneContext, 'aloneLimits'>,
  connection: Queryable,
  { operatorId }: Pick<OperatorCaller, 'operatorId'>,
  { payment: { cost }, resellerId }: Subject,
): Promise<boolean> {
  return !mayDecideAlone(cost, aloneLimits, await readSums(connection, { operatorId, resellerId }))
}

/** Decision that gives money back, or keeps it, on an operator's word. */
export type Decision<T> = {
  readonly about: Subject
  readonly action: string
  readonly reason: string
  readonly work: (database: Database) => Promise<Done<T>>
  /** Request to a second person for the same decision. */
  readonly request: NewApproval
}

export type Decided<T> =
  | { readonly kind: 'done'; readonly result: T }
  /** One operator alone may not decide it. */
  | { readonly kind: 'requested'; readonly approval: Approval }

/**
 * Does what one operator decides, within the limits for one payment and for sums. The sums are judged under a lock in the
 * commit that does it: decisions at the same time pass only as far as the sums allow. Beyond the limits it is undone, and a
 * second person is asked; a decision that cannot be made is refused before anybody is asked.
 */
export async function decideAlone<T>(
  context: AloneContext,
  caller: OperatorCaller,
  { about, action, reason, work, request }: Decision<T>,
): Promise<Decided<T>> {
  const { payment, resellerId } = about
  const parties = { operatorId: caller.operatorId, resellerId }
  try {
    const result = await audited(context.log, { caller, action, reason }, async (tx, database) => {
      await lockSums(tx, parties)
      const isBeyond = await needsSecondPerson(context, tx, caller, about)
      const done = await work(database)
      if (isBeyond) throw new BeyondLimitsError()
      await insertDecision(tx, parties, payment)
      return done
    })
    return { kind: 'done', result }
  } catch (error) {
    if (!(error instanceof BeyondLimitsError)) throw error
  }
  return { kind: 'requested', approval: await context.approvals.request(caller, request) }
}

/** Undoes what one operator alone may not decide. */
class BeyondLimitsError extends Error {}
