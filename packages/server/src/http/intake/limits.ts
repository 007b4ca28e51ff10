import { RequestError, unavailable } from '../../lib/errors.ts'

/** What the limiter says of one request from one address. */
export type Admission = {
  readonly limit: number
  readonly remaining: number
  readonly resetSeconds: number
  /** Greater than zero: the address is blocked, and for how long. */
  readonly blockedForSeconds: number
}

/** Counts requests per address. A promise only on the rare request that crosses the limit. */
export type AddressLimiter = {
  admit(address: string): Admission | Promise<Admission>
  /** The same figures without counting, for answers that must not be limited. */
  look(address: string): Admission
}

/** What every answer says of the limit. */
export function rateLimitHeaders(admission: Admission): Record<string, number> {
  return {
    'RateLimit-Limit': admission.limit,
    'RateLimit-Remaining': admission.remaining,
    'RateLimit-Reset': admission.resetSeconds,
  }
}

export function addressBlocked(admission: Admission): RequestError {
  return new RequestError({
    status: 403,
    code: 'ip_blocked',
    publicText: 'This address is blocked because it exceeded the rate limit.',
    headers: { 'Retry-After': String(admission.blockedForSeconds) },
  })
}

/** Bounded concurrency: beyond it a request is turned away at once rather than served late. */
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
