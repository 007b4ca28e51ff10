import type { Network } from '../../lib/addresses.ts'
import { isInNetworks, networkOf } from '../../lib/addresses.ts'
import { RequestError } from '../../lib/errors.ts'

export type Budget = {
  /** Tells whether the address may ask once more now, and counts the request when it may. */
  spend(address: string): boolean
}

export type BudgetOptions = {
  readonly perSecond: number
  /** Requests that may come at once after a rest. */
  readonly burst: number
  readonly exempt: readonly Network[]
}

/**
 * Rate of health checks. A load balancer asks a few times a second; a higher rate than this is a flood or a mistake.
 */
export const HEALTH_BUDGET = { perSecond: 50, burst: 200 } as const

const NETWORKS_MAX = 10_000

type Bucket = { tokens: number; atMs: number }

/**
 * Limits health checks per network (`networkOf`). They are answered to blocked addresses and under full load, so the
 * usual limits do not apply to them. This budget is in memory only and refuses cheaply. Each process has its own.
 */
export function createBudget({ perSecond, burst, exempt }: BudgetOptions): Budget {
  const buckets = new Map<string, Bucket>()
  return {
    spend(address) {
      const network = networkOf(address)
      const nowMs = performance.now()
      const bucket = buckets.get(network)
      if (bucket === undefined) {
        forgetOldest(buckets)
        buckets.set(network, { tokens: burst - 1, atMs: nowMs })
        return true
      }
      const tokens = Math.min(burst, bucket.tokens + ((nowMs - bucket.atMs) / 1_000) * perSecond)
      bucket.atMs = nowMs
      bucket.tokens = tokens < 1 ? tokens : tokens - 1
      return tokens >= 1 || isInNetworks(address, exempt)
    },
  }
}

function forgetOldest(buckets: Map<string, Bucket>): void {
  if (buckets.size < NETWORKS_MAX) return
  const oldest = buckets.keys().next()
  if (oldest.done !== true) buckets.delete(oldest.value)
}

export function askedTooOften(): RequestError {
  return new RequestError({
    status: 429,
    code: 'too_many_requests',
    publicText: 'This address sends too many health checks.',
    headers: { 'Retry-After': '1' },
  })
}
