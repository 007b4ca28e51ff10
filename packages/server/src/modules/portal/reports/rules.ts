import type { DayRange } from '../../../lib/dates.ts'
import { oneOf } from '../../../lib/input/fields.ts'
import { optional } from '../../../lib/input/parameters.ts'
import type { FigureDay } from '../payments/overview.rules.ts'

/** Things that sales are told by. */
export const DIMENSIONS = ['day', 'product', 'category', 'hour', 'seller', 'branch', 'till'] as const
export type Dimension = (typeof DIMENSIONS)[number]

export const REPORT_RULES = { by: optional(oneOf(DIMENSIONS), 'day' as const) }

const WEEK = 7

/** Days to compare with: whole weeks earlier, so that a Saturday is compared with a Saturday. */
export function daysBefore({ from, to }: DayRange): DayRange {
  const back = Math.ceil((to - from + 1) / WEEK) * WEEK
  return { from: from - back, to: to - back }
}

export type ReportLine = {
  /** Day, code, hour, or seller as `payments` names it. */
  readonly key: string
  /** null: there is none, or it is not known any more. */
  readonly name: string | null
  readonly now: FigureDay
  readonly before: FigureDay
}

const NOTHING: FigureDay = {
  counts: { SUCCESSFUL: 0n, PENDING: 0n, FAILED: 0n, REFUND: 0n },
  faceValue: 0n,
  cost: 0n,
}

type Sums = ReadonlyMap<string, FigureDay>
type Named = Pick<ReportLine, 'key' | 'name'>

/** Lines of keys that have an order of their own, such as hours: each has its line, also without payments. */
export function orderedLines(keys: readonly Named[], now: Sums, before: Sums): ReportLine[] {
  return keys.map(({ key, name }) => ({
    key,
    name,
    now: now.get(key) ?? NOTHING,
    before: before.get(key) ?? NOTHING,
  }))
}

/** Lines of whatever has payments now or before, the largest sales first. */
export function rankedLines(now: Sums, before: Sums, nameOf: (key: string) => string | null): ReportLine[] {
  const keys = [...new Set([...now.keys(), ...before.keys()])].map((key) => ({ key, name: nameOf(key) }))
  return orderedLines(keys, now, before).toSorted(
    (a, b) => compare(b.now.faceValue, a.now.faceValue) || compare(a.key, b.key),
  )
}

function compare<T extends bigint | string>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Adds up sums whose keys belong together, such as the products of a category. */
export function foldSums(sums: Sums, keyOf: (key: string) => string): Sums {
  const folded = new Map<string, FigureDay>()
  for (const [key, sum] of sums) {
    const target = keyOf(key)
    folded.set(target, plus(folded.get(target) ?? NOTHING, sum))
  }
  return folded
}

/** Sums of everything, less those of the places: what was sold at none of them is under the key `OUTSIDE`. */
export function withOutside(places: Sums, everything: FigureDay): Sums {
  const inside = totalOf([...places.values()])
  const counts = {
    SUCCESSFUL: everything.counts.SUCCESSFUL - inside.counts.SUCCESSFUL,
    PENDING: everything.counts.PENDING - inside.counts.PENDING,
    FAILED: everything.counts.FAILED - inside.counts.FAILED,
    REFUND: everything.counts.REFUND - inside.counts.REFUND,
  }
  if (Object.values(counts).every((count) => count === 0n)) return places
  const outside = {
    counts,
    faceValue: everything.faceValue - inside.faceValue,
    cost: everything.cost - inside.cost,
  }
  return new Map([...places, [OUTSIDE, outside]])
}

/** Key of payments that were sold in no shift. */
export const OUTSIDE = ''

export function totalOf(all: readonly FigureDay[]): FigureDay {
  return all.reduce(plus, NOTHING)
}

function plus(a: FigureDay, b: FigureDay): FigureDay {
  return {
    counts: {
      SUCCESSFUL: a.counts.SUCCESSFUL + b.counts.SUCCESSFUL,
      PENDING: a.counts.PENDING + b.counts.PENDING,
      FAILED: a.counts.FAILED + b.counts.FAILED,
      REFUND: a.counts.REFUND + b.counts.REFUND,
    },
    faceValue: a.faceValue + b.faceValue,
    cost: a.cost + b.cost,
  }
}
