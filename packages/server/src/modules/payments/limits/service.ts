import type { Database } from '../../../db/database.ts'
import type { Amount } from '../../../lib/money.ts'
import { beginTallies, listSpent } from './sql.ts'

/** Cost that the keys of a purpose have paid in the day and the month of GMT+8, and when these end. */
export type Spent = {
  readonly today: Amount
  readonly month: Amount
  readonly dayEndsAt: Date
  readonly monthEndsAt: Date
}

/** Reads what capped keys have paid. Their payments are counted from then on: ask for no others. */
export async function spentByPurpose(
  database: Database,
  resellerId: bigint,
  purposeIds: readonly bigint[],
): Promise<ReadonlyMap<bigint, Spent>> {
  if (purposeIds.length === 0) return new Map()
  await beginTallies(database, resellerId, ['key'])
  const rows = await listSpent(database, resellerId, purposeIds)
  return new Map(
    rows.map(({ purpose_id: id, today, month, day_ends: dayEndsAt, month_ends: monthEndsAt }) => [
      id,
      { today, month, dayEndsAt, monthEndsAt },
    ]),
  )
}
