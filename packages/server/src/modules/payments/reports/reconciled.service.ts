import type { Queryable } from '../../../db/database.ts'
import { stateOf } from '../core/states.rules.ts'
import type { PaymentCode } from '../core/types.ts'
import { firstIdOf, possibleDays } from '../read/history.rules.ts'
import type { ReconciledRow } from './reconciled.sql.ts'
import { listRowsBetween, listRowsByRefid } from './reconciled.sql.ts'
import type { ReconciledPayment, ReconciledState } from './reconciled.types.ts'

// Reads of a reseller's payments for other modules, to compare the reseller's own books with ours. No secret is opened.

/** Finds payments by refid; those that do not exist are left out. */
export async function findByRefids(
  connection: Queryable,
  resellerId: bigint,
  refids: readonly string[],
): Promise<Map<string, ReconciledPayment>> {
  if (refids.length === 0) return new Map()
  const rows = await listRowsByRefid(connection, resellerId, refids)
  return new Map(rows.map((row) => [row.refid, toPayment(row)]))
}

/** Lists a page of the payments taken from one day to another, by GMT+8, both inclusive; oldest first. */
export async function listOfDays(
  connection: Queryable,
  resellerId: bigint,
  page: { readonly fromDay: number; readonly toDay: number; readonly after: bigint; readonly limit: number },
): Promise<ReconciledPayment[]> {
  const days = possibleDays({ from: page.fromDay, to: page.toDay })
  if (days === undefined) return []
  const first = firstIdOf(days.from) - 1n
  const rows = await listRowsBetween(connection, resellerId, {
    afterId: page.after > first ? page.after : first,
    beforeId: firstIdOf(days.to + 1),
    limit: page.limit,
  })
  return rows.map(toPayment)
}

function toPayment(row: ReconciledRow): ReconciledPayment {
  return {
    id: row.id,
    refid: row.refid,
    amount: row.amount,
    faceValue: row.face_value,
    cost: row.cost,
    state: reconciledStateOf(row.code),
    createdAt: row.created_at,
    changedAt: row.changed_at,
  }
}

function reconciledStateOf(code: PaymentCode): ReconciledState {
  const state = stateOf(code)
  switch (state) {
    case 'accepted':
    case 'processing':
      return 'pending'
    case 'voided':
      return 'refunded'
    case 'succeeded':
    case 'failed':
      return state
    default:
      return state satisfies never
  }
}
