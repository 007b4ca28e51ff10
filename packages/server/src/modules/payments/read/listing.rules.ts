import type { DayRange } from '../../../lib/dates.ts'
import type { DaySum } from './history.rules.ts'
import { dayOfId, firstIdOf } from './history.rules.ts'

/** Ids from the first one on, up to the last one and without it. */
export type Stretch = { readonly fromId: bigint; readonly untilId: bigint }

/** `before`: where the page before ended; null: nowhere. */
export function stretchOfDays(days: DayRange, before: bigint | null): Stretch {
  const end = firstIdOf(days.to + 1)
  return { fromId: firstIdOf(days.from), untilId: before !== null && before < end ? before : end }
}

/**
 * Where the newest `wanted` payments lie, by what each day has of them: days without one are not looked at, and
 * neither is what lies behind the day on which there are enough. Of the day in which the page before ended nobody
 * knows how many are left. Newest first; days that follow one another are one stretch, so that a page is one look.
 */
export function stretchesOfSums(
  sums: readonly DaySum[],
  before: bigint | null,
  wanted: number,
): readonly Stretch[] {
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
  return ranges.map((range) => stretchOfDays(range, before))
}

/** One for each day that has any, newest first: none walks through more than a day for what is left of it. */
export function stretchesByDay(sums: readonly DaySum[]): readonly Stretch[] {
  return countsOf(sums).map(([day]) => stretchOfDays({ from: day, to: day }, null))
}

/** Of the days that have any, newest first. */
function countsOf(sums: readonly DaySum[]): readonly (readonly [day: number, payments: number])[] {
  const counts = new Map<number, number>()
  for (const { day, payments } of sums) {
    if (payments > 0n) counts.set(day, (counts.get(day) ?? 0) + Number(payments))
  }
  return [...counts].sort(([a], [b]) => b - a)
}
