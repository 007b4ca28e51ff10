import { startOfDayMs } from '../../../lib/dates.ts'
import { readFields } from '../../../lib/input/fields.ts'
import type { QueryParameters } from '../../../lib/input/forms.ts'
import { FLAG, optional } from '../../../lib/input/parameters.ts'
import { EXACT, readDays, readPage } from '../access/parameters.rules.ts'
import type { RequestFilter } from './request-log.types.ts'

export const KEPT_DAYS = 7
const DAY_MS = 24 * 3_600_000
const ID_SHIFT = 20n

/** Smallest id that a request of this millisecond or later can have. */
export function firstIdAt(ms: number): bigint {
  return BigInt(Math.floor(ms)) << ID_SHIFT
}

export const REQUEST_RULES = { failed: optional(FLAG, false), error: optional(EXACT, null) }

export function readRequestQuery(query: QueryParameters, today: number): RequestFilter {
  const { failed, error } = readFields(REQUEST_RULES, { failed: query.failed, error: query.error })
  const days = readDays(query, today)
  const { before, limit } = readPage(query)
  // The days are limited: no request is kept longer or comes from the future, and the ids of distant days would not fit
  // the table.
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

/**
 * Requests kept per second, of one account in one process. Failures have a budget of their own, so that successes never
 * hide them.
 */
export const BUDGET = { failed: 10, others: 5 } as const
/**
 * Requests kept per second, of all accounts together: a thousand busy accounts must not cause a row for every request.
 * In the second half of this budget each account has one request, so that busy accounts leave room for quiet ones.
 */
export const BUDGET_OF_ALL = { failed: 200, others: 100 } as const

/** Requests kept in a second, of one account or of all. */
export type Window = { second: number; failed: number; others: number; skipped: number }

export function emptyWindow(second: number): Window {
  return { second, failed: 0, others: 0, skipped: 0 }
}

/** Tells whether to keep the request, and counts it in both windows. The windows start again each second. */
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
