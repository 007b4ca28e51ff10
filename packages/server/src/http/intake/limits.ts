import type { Network } from '../../lib/addresses.ts'
import { isInNetworks, networkOf } from '../../lib/addresses.ts'
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
  /** Throws 503 when there is no place for the address; the caller calls `leave` when done. */
  enter(address: string): void
  leave(address: string): void
  readonly inside: number
}

/** Part of the places that is kept for networks which hold less than that part themselves: 1/4. */
const KEPT_SHARE = 4

/**
 * Creates a gate with `requestsMax` places. When only the kept ones are left, a network (`networkOf`) that holds as many
 * as are kept gets no more of them, so that one address cannot take all places. Exempt networks stand for many callers.
 */
export function createGate(requestsMax: number, exempt: readonly Network[] = []): Gate {
  const byNetwork = new Map<string, number>()
  const kept = Math.floor(requestsMax / KEPT_SHARE)
  let inside = 0

  function isOverShare(address: string, own: number): boolean {
    return inside >= requestsMax - kept && own >= kept && !isInNetworks(address, exempt)
  }

  return {
    get inside() {
      return inside
    },
    enter(address) {
      const network = networkOf(address)
      const own = byNetwork.get(network) ?? 0
      if (inside >= requestsMax || isOverShare(address, own)) {
        throw unavailable('saturated', `${inside} requests are under way, ${own} of ${network}`)
      }
      inside += 1
      byNetwork.set(network, own + 1)
    },
    leave(address) {
      const network = networkOf(address)
      const own = (byNetwork.get(network) ?? 0) - 1
      inside -= 1
      if (own > 0) byNetwork.set(network, own)
      else byNetwork.delete(network)
    },
  }
}
