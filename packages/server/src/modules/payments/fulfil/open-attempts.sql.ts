import type { Queryable } from '../../../db/database.ts'
import type { WorkRow } from './work.sql.ts'

/** Attempt that may have been carried out although it is not the work of its payment. */
export type OpenAttemptRow = Omit<WorkRow, 'is_unsent' | 'repeats'>

const CLAIM = {
  name: 'payment_open_attempts_claim',
  text: `with due as (
           select reseller_id, payment_id, attempt from payment_open_attempts
            where next_at <= now() and (not is_leased or next_at <= $3)
            order by next_at limit $1 for update skip locked
         ), claimed as (
           update payment_open_attempts o
              set next_at = now() + $2 * interval '1 millisecond', is_leased = true, lease = o.lease + 1
             from due
            where o.reseller_id = due.reseller_id and o.payment_id = due.payment_id and o.attempt = due.attempt
           returning o.*
         )
         select o.reseller_id, o.payment_id, o.attempt, o.provider, o.questions, o.submitted_at, o.ahead_ms, o.lease,
                extract(epoch from least(now(), $3) - o.submitted_at)::float8 * 1000 as submitted_ms_ago,
                p.refid, p.product_code, p.account, p.amount, p.face_value, p.code, p.biller_code, p.ref2,
                p.sealed_input, p.plan_code
           from claimed o
           -- Row by row: the plan is kept, and may have been made when the tables were empty.
           join lateral (
             select * from payments p where p.reseller_id = o.reseller_id and p.id = o.payment_id limit 1
           ) p on true`,
}

/** Claims open attempts in the way that `claimWork` claims payments. */
export async function claimOpenAttempts(
  connection: Queryable,
  limit: number,
  leaseMs: number,
  believedUntil: Date,
): Promise<OpenAttemptRow[]> {
  const { rows } = await connection.query<OpenAttemptRow>(CLAIM, [limit, leaseMs, believedUntil])
  return rows
}

type Held = Pick<OpenAttemptRow, 'reseller_id' | 'payment_id' | 'attempt' | 'lease'>

const keyOf = (row: Held) => [row.reseller_id, row.payment_id, row.attempt, row.lease]

const ASK_LATER = {
  name: 'payment_open_attempts_ask_later',
  text: `with asked as (
           update payment_open_attempts
              set next_at = now() + $5 * interval '1 millisecond', is_leased = false, questions = questions + 1
            where reseller_id = $1 and payment_id = $2 and attempt = $3 and lease = $4
           returning *
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
           delete from payment_open_attempts
            where reseller_id = $1 and payment_id = $2 and attempt = $3 and lease = $4
           returning *
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
