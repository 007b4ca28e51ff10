import type { Amount } from '../../../lib/money.ts'
import type { CallbackReading, Outcome } from '../../providers/port/types.ts'

export type News = Extract<CallbackReading, { kind: 'news' }>

/** The payment that a callback's reference names, as far as it matters here. */
export type Called = {
  readonly amount: Amount
  readonly faceValue: Amount
  /** Whose the attempt is; null: there was no such attempt. */
  readonly attemptProvider: string | null
}

export type CallbackDecision =
  /** The reference names no payment of ours. */
  | { readonly kind: 'unknown' }
  /** It names an attempt that another provider has, or that never was. */
  | { readonly kind: 'foreign' }
  /** It speaks of another amount than ours: not believed, the provider is asked. */
  | { readonly kind: 'amount'; readonly claimed: Amount }
  | { readonly kind: 'ask' }
  /** Nothing that we would not find out by ourselves. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'resolve'; readonly outcome: Extract<Outcome, { kind: 'succeeded' | 'failed' }> }

/** `isReused`: the callback's id was another one's before, so that its content is not believed. */
export function decideCallback(
  provider: string,
  news: News,
  called: Called | undefined,
  isReused: boolean,
): CallbackDecision {
  if (called === undefined) return { kind: 'unknown' }
  if (called.attemptProvider !== provider) return { kind: 'foreign' }
  const { claimedAmount, outcome } = news
  if (claimedAmount !== null && claimedAmount !== called.amount && claimedAmount !== called.faceValue) {
    return { kind: 'amount', claimed: claimedAmount }
  }
  if (outcome === null || isReused) return { kind: 'ask' }
  return outcome.kind === 'succeeded' || outcome.kind === 'failed'
    ? { kind: 'resolve', outcome }
    : { kind: 'nothing' }
}

const SHOWN_MAX = 60

/** A provider's own name for something, fit for a timeline: short, and without what would break a line. */
export function shownId(id: string): string {
  const clean = id.replace(/[^\x20-\x7e]/g, '?')
  return clean.length > SHOWN_MAX ? `${clean.slice(0, SHOWN_MAX)}…` : clean
}
