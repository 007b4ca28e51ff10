import type { Queryable } from '../../../db/database.ts'
import type { ClaimTerms } from '../../../db/leases.ts'
import { defineLease } from '../../../db/leases.ts'
import type { WorkRow } from './work.sql.ts'
import { JOIN_PAYMENT, ORDER_COLUMNS } from './work.sql.ts'

/** Attempt that may have been carried out although it is not the work of its payment. */
export type OpenAttemptRow = Omit<
  WorkRow,
  'is_unsent' | 'is_ask_only' | 'repeats' | 'held_code' | 'held_failure'
>

const LEASE = defineLease({
  table: 'payment_open_attempts',
  key: ['reseller_id', 'payment_id', 'attempt'],
  nextAt: 'next_at',
  mark: { kind: 'number' },
})

const claim = LEASE.claim<OpenAttemptRow>({
  name: 'payment_open_attempts_claim',
  columns: `w.provider, ${ORDER_COLUMNS}`,
  joins: JOIN_PAYMENT,
})

/** Claims open attempts in the way that `claimWork` claims payments. */
export async function claimOpenAttempts(
  connection: Queryable,
  terms: ClaimTerms,
): Promise<readonly OpenAttemptRow[]> {
  return (await claim(connection, terms)).rows
}

type Held = Pick<OpenAttemptRow, 'reseller_id' | 'payment_id' | 'attempt' | 'lease'>

const keyOf = (row: Held) => [row.reseller_id, row.payment_id, row.attempt, row.lease]

const ASK_LATER = {
  name: 'payment_open_attempts_ask_later',
  text: `with asked as (
           ${LEASE.postpone('questions = questions + 1')} returning *
         )
         select raise_alert('attempt_undecided', reference_of(payment_id, attempt),
                  'reseller ' || reseller_id || ', payment ' || payment_id || ': ' || provider || ' has not decided about '
                    || reference_of(payment_id, attempt)
                    || ', which is not the attempt that the payment ended or goes on with; a second fulfilment is possible',
                  'warning')
           from asked where questions = $6`,
}

/**
 * Schedules the next question, because the provider has not decided. Operators are told once, at question
 * `toldAfterQuestions`.
 */
export async function askOpenLater(
  connection: Queryable,
  row: Held,
  afterMs: number,
  alertAfterQuestions: number,
): Promise<void> {
  await connection.query(ASK_LATER, [...keyOf(row), afterMs, alertAfterQuestions])
}

const CLOSE = {
  name: 'payment_open_attempts_close',
  text: `with gone as (
           delete from payment_open_attempts where ${LEASE.held} returning *
         ), noted as (
           insert into payment_changes (reseller_id, payment_id, kind, code, attempt, detail, at)
           select g.reseller_id, g.payment_id, 'late', p.code, g.attempt,
                  'attempt ' || g.attempt || ' (' || reference_of(g.payment_id, g.attempt) || ') ' || $5::text,
                  clock_timestamp()
             from gone g join payments p on p.reseller_id = g.reseller_id and p.id = g.payment_id
         )
         select clear_alert('attempt_undecided', reference_of(payment_id, attempt)) from gone`,
}

/** Closes an attempt that certainly was not carried out and never will be; the timeline says why. */
export async function closeOpenAttempt(connection: Queryable, row: Held, why: string): Promise<void> {
  await connection.query(CLOSE, [...keyOf(row), why])
}
