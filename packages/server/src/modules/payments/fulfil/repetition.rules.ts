import type { Provider, QueryAnswer } from '../../providers/port/types.ts'

// Rules of questions that send the order again. Such a question may cause the purchase.

export type RepetitionTerms = NonNullable<Provider['asksByRepeating']>

/** Times of an order that is asked about by sending it again. */
export type Repeatable = {
  readonly terms: RepetitionTerms
  readonly leaseMs: number
  /** Milliseconds since it was, or may have been, sent the first time. */
  readonly firstSentMsAgo: number
  /** Milliseconds since its present sending was written. */
  readonly sentMsAgo: number
  /** True: nobody knows when that sending left. It cannot have left after its lease. */
  readonly wasLeased: boolean
}

export type Repetition =
  | { readonly kind: 'now' }
  | { readonly kind: 'wait'; readonly waitMs: number }
  /** The provider may have forgotten the reference: it would buy a second time. */
  | { readonly kind: 'forgotten' }

/** Decides whether an order may be asked about by sending it again. */
export function repetitionOf({
  terms,
  leaseMs,
  firstSentMsAgo,
  sentMsAgo,
  wasLeased,
}: Repeatable): Repetition {
  // A sending that begins now has left when its lease ends.
  if (firstSentMsAgo + leaseMs > terms.notAfterMs) return { kind: 'forgotten' }
  const waitMs = terms.minIntervalMs + (wasLeased ? leaseMs : 0) - sentMsAgo
  return waitMs > 0 ? { kind: 'wait', waitMs: Math.ceil(waitMs) } : { kind: 'now' }
}

/** Share of a lease that such a question may take; the rest is for what is written before it. */
const LEASE_SHARE = 0.75

/** Times of a question that was decided at `decidedMs` and is sent at `nowMs`, all on the clock of leases. */
export type Sending = Pick<Repeatable, 'terms' | 'leaseMs' | 'firstSentMsAgo'> & {
  readonly decidedMs: number
  readonly nowMs: number
  readonly leaseEndsMs: number
  readonly queryTimeoutMs: number
}

/**
 * Returns how long the question may take and the last moment of its first byte; undefined: it comes too late. The process
 * may have stood still since it was decided.
 */
export function timesOf({
  terms,
  leaseMs,
  firstSentMsAgo,
  decidedMs,
  nowMs,
  leaseEndsMs,
  queryTimeoutMs,
}: Sending): { readonly timeoutMs: number; readonly notAfterMs: number } | undefined {
  const timeoutMs = Math.min(queryTimeoutMs, leaseMs * LEASE_SHARE)
  const forgottenMs = decidedMs + terms.notAfterMs - firstSentMsAgo
  if (nowMs + timeoutMs > Math.min(leaseEndsMs, forgottenMs)) return undefined
  return { timeoutMs, notAfterMs: nowMs + timeoutMs }
}

/**
 * Returns the part of an answer that is proven. A provider that was just sent the order knows it. That it did nothing is
 * its last word only when no sending before this one can arrive any more.
 */
export function provenAnswer(answer: QueryAnswer, isRefusalProven: boolean): QueryAnswer {
  const isRefusal = answer.kind === 'not_acted' && !isRefusalProven
  return isRefusal || answer.kind === 'not_found' ? { kind: 'pending' } : answer
}
