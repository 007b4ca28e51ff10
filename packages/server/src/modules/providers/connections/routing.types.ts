import type { Amount } from '../../../lib/money.ts'
import type { FailureCode, Provider, SubmitOutcome } from '../port/types.ts'

export type RouteRequest = {
  readonly productCode: string
  /** For routes that are taken by cost; without it only percentages are compared. */
  readonly faceValue?: Amount
  /** Providers that this payment has already been to. */
  readonly tried?: ReadonlySet<string>
  /** The payment exists already: what sells from stock had to reserve it in the commit that took the payment. */
  readonly withoutStock?: boolean
}

/**
 * `none`: nobody is configured to fulfil the product. `closed`: those who are cannot take an order now (health, time
 * window, every one of them tried); a later order may find one.
 */
export type RouteChoice =
  | {
      readonly kind: 'chosen'
      readonly provider: Provider
      /** Why it was not simply the first: who was passed over and why. For the payment's timeline. */
      readonly note: string | null
    }
  | { readonly kind: 'none' }
  | { readonly kind: 'closed'; readonly note: string }

/** How an order went, for the provider's health. */
export type Observation = {
  /** `unsent`: it was admitted and then not sent after all, which says nothing about the provider. */
  readonly answer: SubmitOutcome['kind'] | 'not_found' | 'unsent'
  readonly tookMs: number
  /** Of an order that failed or was not acted on. */
  readonly code?: FailureCode
}

export type BreakerState = 'closed' | 'open' | 'half_open'

/** What an order may do that stands at its provider's door: go in, wait for a probe's end, or go elsewhere. */
export type Admission = 'send' | 'wait' | 'open'

/** What live traffic says of a provider, over the last half a minute. */
export type Health = {
  readonly state: BreakerState
  readonly orders: number
  /** Of the orders that ended, those that got an answer, whatever it said; null: there were none. */
  readonly successRate: number | null
  readonly timeouts: number
  readonly notActed: number
  readonly p50Ms: number | null
  readonly p95Ms: number | null
}

export type ProductHealth = 'healthy' | 'interrupted'

/** A part of the week by Malaysia's clock. A window that ends before it begins goes on past midnight. */
export type TimeWindow = {
  /** 1 Monday to 7 Sunday, the days on which it begins; empty: every day. */
  readonly days: readonly number[]
  /** Minutes since midnight, `to` exclusive. */
  readonly fromMinute: number
  readonly toMinute: number
}

/** What a provider charges for an order. */
export type RouteCost =
  /** In 1/10,000 of the face value: 9,700 is 97 %. */
  { readonly kind: 'percentage'; readonly value: bigint } | { readonly kind: 'fixed'; readonly value: Amount }

export const ANY_PRODUCT = '*'

export type Route = {
  /** `*`: of every product that has no route of its own. */
  readonly productCode: string
  readonly provider: string
  /** The smallest is first. */
  readonly priority: number
  /** Its share among the routes of the same priority; null: those are taken by cost. */
  readonly weight: number | null
  readonly cost: RouteCost | null
  /** Empty: always. */
  readonly windows: readonly TimeWindow[]
  readonly isEnabled: boolean
}
