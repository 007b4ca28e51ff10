import type { RequestError } from '../../lib/errors.ts'
import { unavailable } from '../../lib/errors.ts'
import { refusal } from '../refusals.ts'

/** Decision of the limiter on one request from one address. */
export type Admission = {
  readonly limit: number
  readonly remaining: number
  readonly resetSeconds: number
  /** Seconds for which the address is still blocked; 0 when it is not blocked. */
  readonly blockedForSeconds: number
}

/** Counts requests per address. It returns a promise only for the rare request that crosses the limit. */
export type AddressLimiter = {
  admit(address: string): Admission | Promise<Admission>
  /** Returns the same figures without counting, for answers that must not be limited. */
  peek(address: string): Admission
}

/** Builds the headers that tell the limit on every answer. */
export function rateLimitHeaders(admission: Admission): Record<string, number> {
  return {
    'RateLimit-Limit': admission.limit,
    'RateLimit-Remaining': admission.remaining,
    'RateLimit-Reset': admission.resetSeconds,
  }
}

export function addressBlocked(admission: Admission): RequestError {
  return refusal('ip_blocked', { headers: { 'Retry-After': String(admission.blockedForSeconds) } })
}

/** Bounded concurrency: a request beyond the bound is refused at once rather than served late. */
export type Gate = {
  /** Throws 503 when full; the caller calls `leave` when done. */
  enter(): void
  leave(): void
  readonly inside: number
}

export function createGate(requestsMax: number): Gate {
  let inside = 0
  return {
    get inside() {
      return inside
    },
    enter() {
      if (inside >= requestsMax) throw unavailable('saturated', `${inside} requests are under way`)
      inside += 1
    },
    leave() {
      inside -= 1
    },
  }
}
