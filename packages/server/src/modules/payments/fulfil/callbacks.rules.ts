import type { Amount } from '../../../lib/money.ts'
import type { CallbackReading, Outcome, Reversed } from '../../providers/port/types.ts'

export type CallbackContent = Extract<CallbackReading, { kind: 'news' }>

/** Fields of the payment that a callback's reference names. */
export type Called = {
  readonly amount: Amount
  readonly faceValue: Amount
  /** Provider of the attempt; null: there was no such attempt. */
  readonly attemptProvider: string | null
}

export type CallbackDecision =
  /** The reference names no payment of ours. */
  | { readonly kind: 'unknown' }
  /** The reference names an attempt of another provider, or one that does not exist. */
  | { readonly kind: 'foreign' }
  /** The amount differs from ours: it is not believed, and the provider is asked. */
  | { readonly kind: 'amount'; readonly claimed: Amount }
  | { readonly kind: 'ask' }
  /** The callback says only what our questions find out, too. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'reversed'; readonly reversed: Reversed }
  | { readonly kind: 'resolve'; readonly outcome: Extract<Outcome, { kind: 'succeeded' | 'failed' }> }

/**
 * Decides what a callback does. `isReused`: another callback had the same id before, so its content is not believed.
 */
export function decideCallback(
  provider: string,
  news: CallbackContent,
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
  if (outcome.kind === 'reversed') return { kind: 'reversed', reversed: outcome }
  return outcome.kind === 'succeeded' || outcome.kind === 'failed'
    ? { kind: 'resolve', outcome }
    : { kind: 'nothing' }
}

const SHOWN_MAX = 60

/** Shortens a provider's own id for a timeline and replaces characters that would break a line. */
export function shownId(id: string): string {
  const clean = id.replace(/[^\x20-\x7e]/g, '?')
  return clean.length > SHOWN_MAX ? `${clean.slice(0, SHOWN_MAX)}…` : clean
}
