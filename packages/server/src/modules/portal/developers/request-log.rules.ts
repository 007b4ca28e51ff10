import { startOfDayMs } from '../../../lib/dates.ts'
import { readFields } from '../../../lib/input/fields.ts'
import type { QueryParameters } from '../../../lib/input/forms.ts'
import { FLAG, optional } from '../../../lib/input/parameters.ts'
import { EXACT, readDays, readPage } from '../access/parameters.rules.ts'
import type { RequestFilter } from './request-log.types.ts'

export const KEPT_DAYS = 7
const DAY_MS = 24 * 3_600_000
const ID_SHIFT = 20n

/** No request of that millisecond or later has a smaller id. */
export function firstIdAt(ms: number): bigint {
  return BigInt(Math.floor(ms)) << ID_SHIFT
}

export const REQUEST_RULES = { failed: optional(FLAG, false), error: optional(EXACT, null) }

export function readRequestQuery(query: QueryParameters, today: number): RequestFilter {
  const { failed, error } = readFields(REQUEST_RULES, { failed: query.failed, error: query.error })
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

/** Of one account, by one process, in one second; failures have a budget of their own, so that success never hides them. */
export const BUDGET = { failed: 10, others: 5 } as const
/**
 * Of all accounts together: a thousand of them at work are no reason to write a row for every request. In the second
 * half of it each account has one, so that the busy ones leave something to the quiet.
 */
export const BUDGET_OF_ALL = { failed: 200, others: 100 } as const

/** What was kept in a second, of one account or of all. */
export type Window = { second: number; failed: number; others: number; skipped: number }

export function emptyWindow(second: number): Window {
  return { second, failed: 0, others: 0, skipped: 0 }
}

/** Whether the request is kept; counts it in both windows, which begin anew each second. */
export function admit(window: Window, ofAll: Window, second: number, isFailed: boolean): boolean {
  beginAnew(window, second)
  beginAnew(ofAll, second)
  const kind = isFailed ? 'failed' : 'others'
  const most = ofAll[kind] < BUDGET_OF_ALL[kind] / 2 ? BUDGET[kind] : 1
  if (window[kind] >= most || ofAll[kind] >= BUDGET_OF_ALL[kind]) {
    window.skipped += 1
    return false
  }
  window[kind] += 1
  ofAll[kind] += 1
  return true
}

function beginAnew(window: Window, second: number): void {
  if (window.second === second) return
  window.second = second
  window.failed = 0
  window.others = 0
}
