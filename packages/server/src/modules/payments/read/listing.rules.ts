import type { DayRange } from '../../../lib/dates.ts'
import type { DaySum } from './history.rules.ts'
import { dayOfId, firstIdOf } from './history.rules.ts'

/** Range of ids: `fromId` is included, `untilId` is not. */
export type IdRange = { readonly fromId: bigint; readonly untilId: bigint }

/** Builds the range of ids of some days. `before`: id at which the page before ended; null: there was none. */
export function rangeOfDays(days: DayRange, before: bigint | null): IdRange {
  const end = firstIdOf(days.to + 1)
  return { fromId: firstIdOf(days.from), untilId: before !== null && before < end ? before : end }
}

/**
 * Finds the ranges that hold the newest `wanted` payments, by the counts of each day. It leaves out days without
 * payments, and days older than the day on which there are enough. The day in which the page before ended does not
 * count, because it is not known how many of its payments are left. Newest first; consecutive days are one range, so
 * that a page needs few lookups.
 */
export function rangesOfSums(
  sums: readonly DaySum[],
  before: bigint | null,
  wanted: number,
): readonly IdRange[] {
  const lastDay = before === null ? Number.POSITIVE_INFINITY : dayOfId(before)
  const ranges: { from: number; to: number }[] = []
  let found = 0
  for (const [day, payments] of countsOf(sums)) {
    if (day > lastDay) continue
    if (found >= wanted) break
    if (day !== lastDay) found += payments
    const last = ranges.at(-1)
    if (last?.from === day + 1) last.from = day
    else ranges.push({ from: day, to: day })
  }
  return ranges.map((range) => rangeOfDays(range, before))
}

/** Builds one range for each day that has payments, newest first, so that no query scans more than one day. */
export function rangesByDay(sums: readonly DaySum[]): readonly IdRange[] {
  return countsOf(sums).map(([day]) => rangeOfDays({ from: day, to: day }, null))
}

/** Counts payments by day, newest first; days without payments are left out. */
function countsOf(sums: readonly DaySum[]): readonly (readonly [day: number, payments: number])[] {
  const counts = new Map<number, number>()
  for (const { day, payments } of sums) {
    if (payments > 0n) counts.set(day, (counts.get(day) ?? 0) + Number(payments))
  }
  return [...counts].sort(([a], [b]) => b - a)
}
