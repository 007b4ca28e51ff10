import type { Queryable } from '../../db/database.ts'
import type { ClaimTerms } from '../../db/leases.ts'
import { defineLease } from '../../db/leases.ts'
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

const LEASE = defineLease({
  table: 'case_work',
  key: ['reseller_id', 'case_id'],
  nextAt: 'next_at',
  mark: { kind: 'holder', column: 'holder' },
})

const claim = LEASE.claim<WorkRow>({
  name: 'case_work_claim',
  columns: 'w.reseller_id, w.case_id, w.questions, c.number, c.payment_id',
  joins: 'join cases c on c.reseller_id = w.reseller_id and c.id = w.case_id',
})

/** Claims voids that no node holds: questions that are due, and leases that ended. */
export async function claimVoids(connection: Queryable, terms: ClaimTerms): Promise<VoidWork[]> {
  const { rows, holder } = await claim(connection, terms)
  return rows.map((row) => ({
    resellerId: row.reseller_id,
    id: row.case_id,
    number: row.number,
    paymentId: row.payment_id,
    questions: row.questions,
    holder,
  }))
}

const ASK_LATER = LEASE.postpone('questions = questions + 1')

/**
 * Schedules the next question, because the provider has not decided. It does nothing if another node has the work by
 * now.
 */
export async function askLater(
  connection: Queryable,
  { resellerId, id, holder }: VoidWork,
  afterMs: number,
): Promise<void> {
  await connection.query(ASK_LATER, [resellerId, id, holder, afterMs])
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

const ASKED_MAX = 10_000

/** Lists the payments whose voids the providers have not decided. */
export async function listAskedVoids(
  connection: Queryable,
): Promise<{ readonly resellerId: bigint; readonly id: bigint }[]> {
  const { rows } = await connection.query<{ reseller_id: bigint; payment_id: bigint }>(
    `select c.reseller_id, c.payment_id from case_work w
       join cases c on c.reseller_id = w.reseller_id and c.id = w.case_id
      order by w.next_at limit $1`,
    [ASKED_MAX],
  )
  return rows.map((row) => ({ resellerId: row.reseller_id, id: row.payment_id }))
}
