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
         ), known as (
           select g.*, p.code from gone g join payments p on p.reseller_id = g.reseller_id and p.id = g.payment_id
         ), noted as (
           insert into payment_changes (reseller_id, payment_id, kind, code, attempt, detail, at)
           select reseller_id, payment_id, 'late', code, attempt,
                  'attempt ' || attempt || ' (' || reference_of(payment_id, attempt) || ') ' || $5::text,
                  clock_timestamp()
             from known
         )
         select clear_alert('attempt_undecided', reference_of(payment_id, attempt)) from gone`,
}

/** Closes an attempt that certainly was not carried out and never will be; the timeline says why. */
export async function closeOpenAttempt(connection: Queryable, row: Held, why: string): Promise<void> {
  await connection.query(CLOSE, [...keyOf(row), why])
}

/** The attempt that ended a payment: the last one with a final state of its own. */
const ENDING = `
  select h.attempt from payment_changes h
   where h.reseller_id = p.reseller_id and h.payment_id = p.id and h.kind = 'state' and h.code not in (0, 1, 53)
     and h.attempt is not null
   order by h.id desc limit 1`

const IS_ENDING = {
  name: 'payment_attempt_is_ending',
  text: `select p.code not in (0, 1) and (${ENDING}) = $3 as is_ending
           from payments p where p.reseller_id = $1 and p.id = $2`,
}

/** Tells whether a payment is final by this attempt. */
export async function isEnding(
  connection: Queryable,
  row: Pick<OpenAttemptRow, 'reseller_id' | 'payment_id' | 'attempt'>,
): Promise<boolean> {
  const values = [row.reseller_id, row.payment_id, row.attempt]
  const { rows } = await connection.query<{ is_ending: boolean | null }>(IS_ENDING, values)
  return rows[0]?.is_ending === true
}

const ASK_ENDED = {
  name: 'payment_open_attempts_ask_ended',
  text: `with ended as (
           select p.reseller_id, p.id, e.attempt, p.created_at from payments p cross join lateral (${ENDING}) e
            where p.reseller_id = $1 and p.id = $2 and p.code not in (0, 1, 53) and e.attempt = coalesce($3, e.attempt)
         )
         insert into payment_open_attempts as o
                (reseller_id, payment_id, attempt, provider, submitted_at, next_at, is_leased, lease)
         select reseller_id, id, attempt, attempt_provider(reseller_id, id, attempt), created_at, now(), false, 1
           from ended
         on conflict (reseller_id, payment_id, attempt) do update set next_at = least(o.next_at, excluded.next_at)
          where not o.is_leased`,
}

/**
 * Has the provider asked again about the attempt that ended a payment, a few times at most. Nothing happens for another
 * attempt, nor where the payment is open or was voided.
 */
export async function askAboutEnd(
  connection: Queryable,
  { resellerId, id, attempt }: { resellerId: bigint; id: bigint; attempt: number | null },
): Promise<boolean> {
  return (await connection.query(ASK_ENDED, [resellerId, id, attempt])).rowCount > 0
}
