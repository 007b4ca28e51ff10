import type { Queryable } from '../../../db/database.ts'
import type { PaymentCode } from '../core/types.ts'
import type { AttemptNames } from './attempt-history.rules.ts'

export type AttemptChangeRow = {
  kind: string
  code: PaymentCode
  attempt: number | null
  provider: string | null
  provider_before: string | null
  detail: string
  at: Date
}

const LIST_CHANGES = {
  name: 'payment_changes_of_attempts',
  text: `select kind, code, attempt, provider, provider_before, detail, at from payment_changes
          where reseller_id = $1 and payment_id = $2 order by at, id limit $3`,
}

/** Lists a payment's timeline with the attempt that each line is about, oldest first. */
export async function listAttemptChanges(
  connection: Queryable,
  resellerId: bigint,
  paymentId: bigint,
  limit: number,
): Promise<AttemptChangeRow[]> {
  const { rows } = await connection.query<AttemptChangeRow>(LIST_CHANGES, [resellerId, paymentId, limit])
  return rows
}

export type WaitingRow = {
  attempt: number
  /** Provider of the attempt; null: the payment's present attempt, which the provider of the payment has. */
  provider: string | null
  submitted_at: Date
  questions: number
  is_unsent: boolean
  /** Time of the next question; null: a node holds the lease now. */
  next_at: Date | null
}

const LIST_WAITING = {
  name: 'payment_attempts_waiting',
  text: `select attempt, null as provider, submitted_at, questions, is_unsent,
                case when not is_leased then next_at end as next_at
           from payment_work where reseller_id = $1 and payment_id = $2
          union all
         select attempt, provider, submitted_at, questions, false, case when not is_leased then next_at end
           from payment_open_attempts where reseller_id = $1 and payment_id = $2
          order by attempt`,
}

/** Lists attempts that their providers have not decided: the payment's own work, and open attempts beside it. */
export async function listWaitingAttempts(
  connection: Queryable,
  resellerId: bigint,
  paymentId: bigint,
): Promise<WaitingRow[]> {
  const { rows } = await connection.query<WaitingRow>(LIST_WAITING, [resellerId, paymentId])
  return rows
}

/** Lists the names under which providers know the attempts of a payment, where they have names of their own. */
export async function listAttemptNames(
  connection: Queryable,
  resellerId: bigint,
  paymentId: bigint,
): Promise<AttemptNames[]> {
  const { rows } = await connection.query<AttemptNames>(
    `select attempt, reference, supplier_id as "supplierId" from payment_supplier_references
      where reseller_id = $1 and payment_id = $2`,
    [resellerId, paymentId],
  )
  return rows
}

/** Finds the provider that has the payment at present. */
export async function findPaymentProvider(
  connection: Queryable,
  resellerId: bigint,
  paymentId: bigint,
): Promise<string> {
  const { rows } = await connection.query<{ provider: string }>(
    'select provider from payments where reseller_id = $1 and id = $2',
    [resellerId, paymentId],
  )
  return rows[0]?.provider ?? ''
}

/** Finds the id of the request that made the payment. It is kept while the payment is not final. */
export async function findRequestId(
  connection: Queryable,
  resellerId: bigint,
  paymentId: bigint,
): Promise<string | undefined> {
  const { rows } = await connection.query<{ request_id: string | null }>(
    'select request_id from payment_work where reseller_id = $1 and payment_id = $2',
    [resellerId, paymentId],
  )
  return rows[0]?.request_id ?? undefined
}
