import { randomUUID } from 'node:crypto'
import type { Queryable } from '../../db/database.ts'
import type { CaseKey } from './sql.ts'

/** Void that a node has to ask for. */
export type VoidWork = CaseKey & {
  readonly number: string
  readonly paymentId: bigint
  /** Number of times that it was asked for before. */
  readonly questions: number
  /** Id of the claim, by which its holder knows that it still has the work. */
  readonly holder: string
}

type WorkRow = {
  reseller_id: bigint
  case_id: bigint
  number: string
  payment_id: bigint
  questions: number
}

const CLAIM = {
  name: 'case_work_claim',
  text: `with due as (
           select reseller_id, case_id from case_work
            where next_at <= now() and (holder is null or next_at <= $4)
            order by next_at limit $1 for update skip locked
         ), claimed as (
           update case_work w set next_at = now() + $2 * interval '1 millisecond', holder = $3
             from due where w.reseller_id = due.reseller_id and w.case_id = due.case_id
           returning w.reseller_id, w.case_id, w.questions
         )
         select w.reseller_id, w.case_id, w.questions, c.number, c.payment_id
           from claimed w join cases c on c.reseller_id = w.reseller_id and c.id = w.case_id`,
}

/** Claims voids that no node holds: questions that are due, and leases that ended before the given instant. */
export async function claimVoids(
  connection: Queryable,
  limit: number,
  leaseMs: number,
  believedUntil: Date,
): Promise<VoidWork[]> {
  const holder = randomUUID()
  const { rows } = await connection.query<WorkRow>(CLAIM, [limit, leaseMs, holder, believedUntil])
  return rows.map((row) => ({
    resellerId: row.reseller_id,
    id: row.case_id,
    number: row.number,
    paymentId: row.payment_id,
    questions: row.questions,
    holder,
  }))
}

/**
 * Schedules the next question, because the provider has not decided. It does nothing if another node has the work by
 * now.
 */
export async function askLater(
  connection: Queryable,
  { resellerId, id, holder }: VoidWork,
  afterMs: number,
): Promise<void> {
  await connection.query(
    `update case_work set next_at = now() + $4 * interval '1 millisecond', holder = null, questions = questions + 1
      where reseller_id = $1 and case_id = $2 and holder = $3`,
    [resellerId, id, holder, afterMs],
  )
}

/** Leaves the void to a person, because the provider was never asked and cannot be; operators are told. */
export async function handOverToOperator(
  connection: Queryable,
  { resellerId, id, holder }: VoidWork,
): Promise<void> {
  await connection.query('select end_asking($1, $2, $3)', [resellerId, id, holder])
}

/** Ends the questions, because the provider has decided. */
export async function endAsking(connection: Queryable, { resellerId, id }: CaseKey): Promise<void> {
  await connection.query('delete from case_work where reseller_id = $1 and case_id = $2', [resellerId, id])
}
