import type { Database, Queryable } from '../../../db/database.ts'
import type { RecentSales, ResellerDay } from './rollups.sql.ts'
import {
  insertOpenDay,
  isSettled,
  listChangedDays,
  listUnsummedDays,
  lockOpenDay,
  markCurrent,
  replaceSums,
  sumRecentSales,
} from './rollups.sql.ts'

/** A day is left alone for as long after its end: its last payments are still being resolved. */
const SETTLE_MS = 5 * 60_000
const BATCH_DAYS = 200
const RUN_DAYS_MAX = 5_000

export type SumOptions = {
  readonly database: Database
  /** Days summed before the run ends; the next one goes on from there. */
  readonly daysMax?: number
  /** Asked between days. */
  readonly isStopped?: () => boolean
}

/**
 * Sums the days that need it, each in a transaction of its own: first those that a late answer changed, then each
 * reseller's oldest. It may be cut off anywhere and run by any number of nodes: who has a day holds its row's
 * lock, and the others pass by. Returns how many days were summed.
 */
export async function sumOpenDays(options: SumOptions): Promise<number> {
  const { database, daysMax = RUN_DAYS_MAX, isStopped = () => false } = options
  let summed = 0
  for (;;) {
    const before = summed
    const changed = await listChangedDays(database, BATCH_DAYS)
    const unsummed = await listUnsummedDays(database, BATCH_DAYS, SETTLE_MS)
    const steps = [
      ...changed.map((each) => () => sumDay(database, each)),
      ...unsummed.map((each) => () => sumNewDay(database, each)),
    ]
    for (const step of steps) {
      if (isStopped() || summed >= daysMax) return summed
      if (await step()) summed += 1
    }
    if (summed === before) return summed
  }
}

/** The first time. Afterwards whoever changes the day's payments finds it over, and takes its mark away. */
export async function sumNewDay(database: Database, each: ResellerDay): Promise<boolean> {
  return (await isSettled(database, each)) && sumDay(database, each)
}

/**
 * False when the day is current already, or somebody else is at it. resolve_payments takes the mark away under the
 * same row's lock whenever a payment of a day that is over changes: a sum that lacks a change is therefore either
 * never marked, or loses its mark when the change is committed.
 */
async function sumDay(database: Database, each: ResellerDay): Promise<boolean> {
  await insertOpenDay(database, each)
  return database.transaction(async (tx) => {
    if (!(await lockOpenDay(tx, each))) return false
    await replaceSums(tx, each)
    await markCurrent(tx, each)
    return true
  })
}

export type { RecentSales } from './rollups.sql.ts'

/** Successful payments of the last days, by reseller and product; from the sums of days that are over. */
export function listRecentSales(connection: Queryable, days: number): Promise<RecentSales[]> {
  return sumRecentSales(connection, days)
}
