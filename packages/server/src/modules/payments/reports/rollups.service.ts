import type { Database } from '../../../db/database.ts'
import { replaceParts } from './parts.sql.ts'
import type { ResellerDay } from './rollups.sql.ts'
import {
  insertOpenDay,
  isSettled,
  listChangedDays,
  listPartlessDays,
  listUnsummedDays,
  lockOpenDay,
  markCurrent,
  replaceSums,
} from './rollups.sql.ts'

/** Milliseconds after its end before a day is summed: its last payments are still being resolved. */
const SETTLE_MS = 5 * 60_000
const BATCH_DAYS = 200
const RUN_DAYS_MAX = 5_000

export type SumOptions = {
  readonly database: Database
  /** Limit of days summed in one run; the next run continues from there. */
  readonly daysMax?: number
  /** Tells whether to stop; called between days. */
  readonly isStopped?: () => boolean
}

/**
 * Sums the days that need it, each in a transaction of its own: first those that a late answer changed
 * or whose parts are missing, then each reseller's oldest. It may be stopped at any point and run by any number of nodes: a node that sums a day holds its
 * row's lock, and the others skip it. Returns how many days were summed.
 */
export async function sumOpenDays(options: SumOptions): Promise<number> {
  const { database, daysMax = RUN_DAYS_MAX, isStopped = () => false } = options
  let summed = 0
  for (;;) {
    const before = summed
    const changed = await listChangedDays(database, BATCH_DAYS)
    const unsummed = await listUnsummedDays(database, BATCH_DAYS, SETTLE_MS)
    const partless = await listPartlessDays(database, BATCH_DAYS)
    const steps = [
      ...[...changed, ...partless].map((each) => () => sumDay(database, each)),
      ...unsummed.map((each) => () => sumNewDay(database, each)),
    ]
    for (const step of steps) {
      if (isStopped() || summed >= daysMax) return summed
      if (await step()) summed += 1
    }
    if (summed === before) return summed
  }
}

/**
 * Sums a day for the first time. A later change of the day's payments sees that the day is over, and takes its mark
 * away.
 */
export async function sumNewDay(database: Database, each: ResellerDay): Promise<boolean> {
  return (await isSettled(database, each)) && sumDay(database, each)
}

/**
 * Sums a day; false when it is current already, or another node is summing it. resolve_payments takes the mark away
 * under the same row's lock whenever a payment of a day that is over changes. So a sum that lacks a change is either
 * never marked, or loses its mark when the change is committed.
 */
async function sumDay(database: Database, each: ResellerDay): Promise<boolean> {
  await insertOpenDay(database, each)
  return database.transaction(async (tx) => {
    if (!(await lockOpenDay(tx, each))) return false
    await replaceSums(tx, each)
    await replaceParts(tx, each)
    await markCurrent(tx, each)
    return true
  })
}
