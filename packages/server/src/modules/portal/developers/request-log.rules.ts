import { startOfDayMs } from '../../../lib/dates.ts'
import { readFields } from '../../../lib/input/fields.ts'
import type { QueryParameters } from '../../../lib/input/forms.ts'
import { EXACT, FLAG, optional } from '../../../lib/input/parameters.ts'
import type { Comparison } from '../../auth/signing/canonical-comparison.rules.ts'
import { compareCanonical } from '../../auth/signing/canonical-comparison.rules.ts'
import { readDays, readPage } from '../access/parameters.rules.ts'
import type { Canonical, RequestFilter } from './request-log.types.ts'

export const KEPT_DAYS = 7
/** Characters of a canonical string that are kept; a longer one is cut. */
export const CANONICAL_MAX = 8_192
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

// ── Sampling ──

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

// ── How far a request came ──

/** Checks of the contract in their order, each by the error that it ends in. */
const CHECKS: readonly {
  readonly code: string
  readonly text: string
  readonly by: 'all' | 'key' | 'token'
}[] = [
  { code: 'ip_blocked', text: 'Address is not blocked', by: 'all' },
  { code: 'unauthorized', text: 'Credentials were sent', by: 'all' },
  { code: 'invalid_token', text: 'Token is valid', by: 'token' },
  { code: 'missing_api_key', text: 'X-Api-Key has a value', by: 'key' },
  { code: 'invalid_api_key', text: 'Key is known', by: 'key' },
  { code: 'hmac_not_configured', text: 'Key has a signing secret', by: 'key' },
  { code: 'missing_hmac_headers', text: 'Timestamp, nonce and signature are there', by: 'key' },
  { code: 'empty_hmac_values', text: 'None of the three is empty', by: 'key' },
  { code: 'invalid_nonce_format', text: 'Nonce has the right form', by: 'key' },
  { code: 'invalid_timestamp_format', text: 'Timestamp has the right form', by: 'key' },
  { code: 'timestamp_expired', text: 'Timestamp is within 5 minutes', by: 'key' },
  { code: 'invalid_signature_format', text: 'Signature has the right form', by: 'key' },
  { code: 'invalid_signature', text: 'Signature matches the request', by: 'key' },
  { code: 'ip_not_allowed', text: 'Address is allowed', by: 'all' },
  { code: 'nonce_reused', text: 'Nonce is new', by: 'key' },
  { code: 'insufficient_scope', text: 'Credential may call this operation', by: 'all' },
  { code: 'api_key_required', text: 'Payment by this kind of credential is allowed', by: 'token' },
]

export const CHECK_STATES = ['passed', 'failed', 'not_reached', 'not_needed'] as const
export type CheckState = (typeof CHECK_STATES)[number]

export type Check = {
  /** Place in the contract's order, from 1. */
  readonly number: number
  readonly code: string
  readonly text: string
  readonly state: CheckState
}

/** Tells how far a request came. One that ended in another error, or in none, passed all checks that it needed. */
export function checksOf({
  error,
  keyId,
}: {
  readonly error: string | null
  readonly keyId: string | null
}): Check[] {
  const failed = CHECKS.findIndex(({ code }) => code === error)
  const way = keyId === null ? 'token' : 'key'
  const stateOf = (index: number): CheckState => {
    if (index === failed) return 'failed'
    const by = CHECKS[index]?.by
    if (by !== 'all' && by !== way) return 'not_needed'
    return failed >= 0 && index > failed ? 'not_reached' : 'passed'
  }
  return CHECKS.map(({ code, text }, index) => ({ number: index + 1, code, text, state: stateOf(index) }))
}

/** Compares a client's text with ours. Of a text that was cut only the part that is kept can be compared. */
export function compareCut({ text, isCut }: Canonical, yours: string): Comparison {
  if (!isCut) return compareCanonical(text, yours)
  const compared = compareCanonical(`${text}:`, `${yours.slice(0, text.length)}:`)
  // The rest may differ, so equal beginnings prove nothing.
  return compared.difference === null ? { difference: null, mistake: null } : compared
}
