import type { Queryable } from '../../db/database.ts'
import type { PaymentRow } from './sql.ts'

/** A payment somebody has to see to, with what its order needs. */
export type WorkRow = Pick<
  PaymentRow,
  | 'refid'
  | 'product_code'
  | 'account'
  | 'amount'
  | 'face_value'
  | 'code'
  | 'biller_code'
  | 'ref2'
  | 'sealed_input'
> & {
  reseller_id: bigint
  payment_id: bigint
  plan_code: string | null
  provider: string
  attempt: number
  questions: number
  submitted_at: Date
  /** How far the account's test clock was moved since. */
  ahead_ms: bigint
  /** Since the present attempt was, or may have been, sent; by the database's clock. */
  submitted_ms_ago: number
}

const CLAIM = {
  name: 'payment_work_claim',
  text: `with due as (
           select reseller_id, payment_id from payment_work where next_at <= now()
            order by next_at limit $1 for update skip locked
         ), claimed as (
           update payment_work w set next_at = now() + $2 * interval '1 millisecond', is_leased = true
             from due where w.reseller_id = due.reseller_id and w.payment_id = due.payment_id
           returning w.*
         )
         select w.reseller_id, w.payment_id, w.attempt, w.questions, w.submitted_at, w.ahead_ms,
                extract(epoch from now() - w.submitted_at)::float8 * 1000 as submitted_ms_ago,
                p.refid, p.product_code, p.account, p.amount, p.face_value, p.code, p.biller_code, p.ref2,
                p.sealed_input, p.plan_code, p.provider
           from claimed w join payments p on p.reseller_id = w.reseller_id and p.id = w.payment_id`,
}

/** Takes over what nobody is at: leases that ran out, questions that are due. */
export async function claimWork(connection: Queryable, limit: number, leaseMs: number): Promise<WorkRow[]> {
  const { rows } = await connection.query<WorkRow>(CLAIM, [limit, leaseMs])
  return rows
}

const BEGIN_ATTEMPT = {
  name: 'payment_work_begin_attempt',
  text: `with begun as (
           update payment_work
              set attempt = attempt + 1, submitted_at = now(), ahead_ms = 0, next_at = now() + $4 * interval '1 millisecond',
                  is_leased = true
            where reseller_id = $1 and payment_id = $2 and attempt = $3
           returning attempt, submitted_at
         ), noted as (
           insert into payment_changes (reseller_id, payment_id, kind, code, detail, at)
           select $1, $2, 'attempt', $5, 'attempt ' || attempt || ': ' || $6, submitted_at from begun
         )
         select submitted_at from begun`,
}

/** Written down before it is sent; undefined when somebody else was faster. */
export async function beginAttempt(
  connection: Queryable,
  work: Pick<WorkRow, 'reseller_id' | 'payment_id' | 'attempt' | 'code'>,
  leaseMs: number,
  reason: string,
): Promise<Date | undefined> {
  const { rows } = await connection.query<{ submitted_at: Date }>(BEGIN_ATTEMPT, [
    work.reseller_id,
    work.payment_id,
    work.attempt,
    leaseMs,
    work.code,
    reason,
  ])
  return rows[0]?.submitted_at
}
