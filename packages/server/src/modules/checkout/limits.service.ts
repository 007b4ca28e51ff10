import { createHash } from 'node:crypto'
import type { Counted, OrderCounts } from './limits.rules.ts'
import { count, newCounts, waitFor } from './limits.rules.ts'
import { checkoutProblem } from './problems.rules.ts'
import type { Claim } from './token.rules.ts'

/** Counts the requests of each order's customer, on this node. */
export type OrderLimits = {
  /** Throws 429 when a customer that was proven before is over the limit: a flood then costs no database work. */
  refuseFlood(proof: string): void
  /** Counts requests of a proven customer; throws 429 instead when the order is over its limit. */
  spend(proof: string, kind: Counted, more?: number): void
}

/** Limit of orders whose counts are kept. Beyond it the order that was used least recently begins anew. */
const ORDERS_MAX = 20_000

/**
 * Returns the name under which a customer is counted. Only proven customers have counts, so guesses at tokens neither
 * use up the limit of an order nor push its counts out.
 */
export function proofOf({ code, token }: Claim): string {
  return createHash('sha256').update(`${code}\0${token}`).digest('base64')
}

export function createOrderLimits(
  nowMs: () => number = () => performance.now(),
  ordersMax = ORDERS_MAX,
): OrderLimits {
  // Counts in the order of their last use, oldest first.
  const kept = new Map<string, OrderCounts>()

  function countsOf(proof: string): OrderCounts {
    const counts = kept.get(proof) ?? newCounts(nowMs())
    kept.delete(proof)
    kept.set(proof, counts)
    for (const oldest of kept.keys()) {
      if (kept.size <= ordersMax) break
      kept.delete(oldest)
    }
    return counts
  }

  function refuse(counts: OrderCounts, kind: Counted, more: number): void {
    const waitMs = waitFor(counts, kind, more, nowMs())
    if (waitMs > 0) {
      throw checkoutProblem('too_many_requests', { 'Retry-After': String(Math.ceil(waitMs / 1_000)) })
    }
  }

  return {
    refuseFlood(proof) {
      const counts = kept.get(proof)
      if (counts !== undefined) refuse(counts, 'requests', 1)
    },
    spend(proof, kind, more = 1) {
      const counts = countsOf(proof)
      refuse(counts, kind, more)
      count(counts, kind, more, nowMs())
    },
  }
}
