import { startOfDayMs } from '../../lib/dates.ts'
import { readFields } from '../../lib/fields.ts'
import type { QueryParameters } from '../../lib/forms.ts'
import { FLAG, optional } from '../../lib/parameters.ts'
import { EXACT, readDays, readPage } from './parameters.rules.ts'
import type { RequestFilter } from './request-log.types.ts'

export const KEPT_DAYS = 7
const DAY_MS = 24 * 3_600_000
const ID_SHIFT = 20n

/** No request of that millisecond or later has a smaller id. */
export function firstIdAt(ms: number): bigint {
  return BigInt(Math.floor(ms)) << ID_SHIFT
}

export function readRequestQuery(query: QueryParameters, today: number): RequestFilter {
  const { failed, error } = readFields(
    { failed: optional(FLAG, false), error: optional(EXACT, null) },
    { failed: query.failed, error: query.error },
  )
  const days = readDays(query, today)
  const { before, limit } = readPage(query)
  // Nothing is kept longer, or comes from later; and ids of days far away would not be numbers that the table holds.
  const clamped = (day: number) => Math.min(Math.max(day, today - KEPT_DAYS), today + 2)
  const end = firstIdAt(startOfDayMs(clamped(days.to + 1)))
  return {
    fromId: firstIdAt(startOfDayMs(clamped(days.from))),
    untilId: before !== null && before < end ? before : end,
    failedOnly: failed,
    error,
    limit,
  }
}

export function oldestKeptId(nowMs: number): bigint {
  return firstIdAt(nowMs - KEPT_DAYS * DAY_MS)
}

// ── How much is kept ──

/** Of one account, by one node, in one second; failures have a budget of their own, so that success never hides them. */
export const BUDGET = { failed: 10, others: 5 } as const

export type Window = { second: number; failed: number; others: number; skipped: number }

export function emptyWindow(second: number): Window {
  return { second, failed: 0, others: 0, skipped: 0 }
}

/** Whether the request is kept; counts it in its window, which begins anew each second. */
export function admit(window: Window, second: number, isFailed: boolean): boolean {
  if (window.second !== second) {
    window.second = second
    window.failed = 0
    window.others = 0
  }
  const kind = isFailed ? 'failed' : 'others'
  if (window[kind] >= BUDGET[kind]) {
    window.skipped += 1
    return false
  }
  window[kind] += 1
  return true
}
