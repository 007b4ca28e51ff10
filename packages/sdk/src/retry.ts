// The one retry policy: which request may be sent again, and after how long. Every repetition has a new nonce.

export type Request = { readonly method: string; readonly path: string }

/** End of one attempt: an answer, or none. */
export type Outcome =
  | { readonly status: number; readonly retryAfterSeconds?: number | undefined }
  | { readonly failure: 'connection' | 'timeout' }

export type Decision = { readonly repeat: false } | { readonly repeat: true; readonly waitMs: number }

export type RetrySettings = {
  readonly baseMs: number
  /** Returns a number from 0 to 1. */
  readonly random: () => number
}

export const ATTEMPTS_MAX = 4
export const RETRY_BASE_MS = 500
/** Longest `Retry-After` that is waited for. */
export const RETRY_AFTER_MAX_SECONDS = 30

/** Waits between two questions about a payment that is not final; the last one repeats. */
export const POLL_SCHEDULE_MS: readonly number[] = [5_000, 5_000, 5_000, 5_000, 5_000, 5_000, 10_000]
export const PAY_TIMEOUT_MS = 120_000

export const PAYMENT_PATH = '/v2/topup'

/** POST operations that may be repeated: a payment by its refid, an order by its reference, and those that set a value. */
const REPEATABLE_POSTS = new Set([
  PAYMENT_PATH,
  '/v2/orders',
  '/v2/callback-url',
  '/v2/low-balance-threshold',
])
/** Moves of an order: a second one finds the order moved. */
const MOVES_ORDER = /^\/v2\/orders\/[^/]+\/(confirm|cancel)$/
/** PUT operations whose first answer alone shows a secret: a repetition would hide it. */
const SHOWS_SECRET = /^\/v2\/[a-z]+-webhook$/

const UNAVAILABLE = 503
const REPEAT_NOT: Decision = { repeat: false }

/** Decides after an attempt, counted from 1, that was not answered well. */
export function decide(
  request: Request,
  attempt: number,
  outcome: Outcome,
  { baseMs, random }: RetrySettings,
): Decision {
  if (attempt >= ATTEMPTS_MAX || !mayRepeat(request, outcome)) return REPEAT_NOT
  const longestMs = baseMs * 2 ** (attempt - 1)
  const waitMs = longestMs / 2 + (random() * longestMs) / 2
  const retryAfterSeconds = 'status' in outcome ? (outcome.retryAfterSeconds ?? 0) : 0
  if (retryAfterSeconds > RETRY_AFTER_MAX_SECONDS) return REPEAT_NOT
  return { repeat: true, waitMs: Math.max(waitMs, retryAfterSeconds * 1_000) }
}

function mayRepeat(request: Request, outcome: Outcome): boolean {
  if ('failure' in outcome) return isRepeatable(request)
  if (outcome.status < 500) return false
  return outcome.status === UNAVAILABLE || isRepeatable(request)
}

/** Returns true if sending the request twice has the effect of sending it once. */
export function isRepeatable({ method, path }: Request): boolean {
  if (method === 'POST') return REPEATABLE_POSTS.has(path) || MOVES_ORDER.test(path)
  return method !== 'PUT' || !SHOWS_SECRET.test(path)
}

export function isRead({ method }: Request): boolean {
  return method === 'GET'
}

export function isPayment({ method, path }: Request): boolean {
  return method === 'POST' && path === PAYMENT_PATH
}

/**
 * Returns true if the request may have been carried out by this attempt although it was not answered well. About a
 * payment an attempt says nothing more: an earlier one may have created it.
 */
export function isUncertain(request: Request, outcome: Outcome): boolean {
  if (isRead(request)) return false
  if ('failure' in outcome) return true
  // No refusal: a redirect, or a good answer that cannot be understood.
  if (outcome.status < 400) return true
  return outcome.status >= 500 && outcome.status !== UNAVAILABLE
}

/** Returns the wait before the next question, counted from 0. */
export function pollWaitMs(schedule: readonly number[], question: number): number {
  return schedule[Math.min(question, schedule.length - 1)] ?? POLL_SCHEDULE_MS[0] ?? 5_000
}
