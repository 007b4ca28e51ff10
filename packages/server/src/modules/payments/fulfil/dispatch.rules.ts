import type { FailureCode } from '../../../lib/failure-codes.ts'
import type { Outcome } from '../../providers/port/types.ts'

/** Number of orders that may begin now: those that came due since the last count, and a few unused ones. */
export type Pace = { turns: number; countedAtMs: number }

/** Seconds of missed turns that may be caught up, because timers are late by some milliseconds. */
const CATCH_UP_SECONDS = 0.05

export function createPace(nowMs: number): Pace {
  return { turns: 1, countedAtMs: nowMs }
}

export function hasTurn(pace: Pace, ratePerSecond: number | null, nowMs: number): boolean {
  if (ratePerSecond === null) return true
  const turnsMax = Math.max(1, ratePerSecond * CATCH_UP_SECONDS)
  pace.turns = Math.min(turnsMax, pace.turns + ((nowMs - pace.countedAtMs) / 1_000) * ratePerSecond)
  pace.countedAtMs = nowMs
  return pace.turns >= 1
}

export function takeTurn(pace: Pace): void {
  pace.turns = Math.max(0, pace.turns - 1)
}

/** Returns the milliseconds until the next turn, rounded up: a timer that is early would only check once more. */
export function nextTurnMs(pace: Pace, ratePerSecond: number | null): number {
  if (ratePerSecond === null) return 0
  return Math.max(1, Math.ceil(((1 - pace.turns) * 1_000) / ratePerSecond))
}

/** Limit of attempts: no product has more providers than this, and a cycle ends here. */
export const ATTEMPTS_MAX = 20

/** Reason why a provider certainly did nothing. */
export type Refusal = { readonly code: FailureCode; readonly reason: string }

/** Refusal of an order that stood in the provider's line for most of its lease: the provider is too slow for it. */
export const TOO_LATE: Refusal = { code: 47, reason: 'its turn came too late' }
/** Refusal of an order whose lease was used up by this node or its database: nothing speaks against the provider. */
export const DELAYED: Refusal = { code: 47, reason: 'too little of its lease was left' }
export const DISABLED: Refusal = { code: 47, reason: 'it is disabled' }
export const INTERRUPTED: Refusal = { code: 47, reason: 'it is interrupted' }

/** Tells whether the answer could come after the lease has ended, when another node may hold the payment. */
export function isTooLate(
  { submitTimeoutMs }: { readonly submitTimeoutMs: number },
  { leaseEndsMs }: { readonly leaseEndsMs: number },
  sentMs: number,
): boolean {
  return sentMs + submitTimeoutMs > leaseEndsMs
}

/**
 * Returns the part of an answer that is proven. The failure of a repeated reference may be about this sending alone: a
 * provider that has the earlier one calls this one a duplicate. So the provider is asked about the order.
 */
export function provenBy(outcome: Outcome, isRepeat: boolean | undefined): Outcome {
  return outcome.kind === 'failed' && isRepeat === true ? { kind: 'pending' } : outcome
}

/**
 * Tells whether an order that was not sent is given back, so that any node sends it under a new lease. A commit that
 * waited for a standby, or a node that stood still, is no reason to fail a payment.
 */
export function isGivenBack(attempt: number, refusal: Refusal): boolean {
  return refusal === DELAYED && attempt < ATTEMPTS_MAX
}
