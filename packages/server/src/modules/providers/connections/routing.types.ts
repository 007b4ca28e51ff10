import type { FailureCode } from '../../../lib/failure-codes.ts'
import type { Amount } from '../../../lib/money.ts'
import type { Provider, SubmitOutcome } from '../port/types.ts'

export type RouteRequest = {
  readonly productCode: string
  /** Face value for routes chosen by cost; without it only percentages are compared. */
  readonly faceValue?: Amount
  /** Providers that this payment has already tried. */
  readonly tried?: ReadonlySet<string>
  /**
   * Excludes providers that sell from stock: stock is reserved only in the commit that takes the payment, and this
   * payment exists already. It also excludes them where several plans share the amount, which the stock cannot tell apart.
   */
  readonly withoutStock?: boolean | undefined
}

/** The reasons for which a provider is passed over. */
export type Obstacle = 'tried' | 'stock_not_reserved' | 'closed_now' | 'interrupted'

export type PassedOver = { readonly provider: string; readonly obstacle: Obstacle }

/** The reasons why a provider was chosen that is not simply the first. */
export type RouteNote = {
  readonly passedOver: readonly PassedOver[]
  /** The way in which one of several equal providers was picked; null: there was only one. */
  readonly pick: { readonly by: 'cost' | 'weight'; readonly among: readonly string[] } | null
}

/**
 * `none`: no provider is configured to fulfil the product. `closed`: the configured ones cannot take an order now
 * (health, time window, or all were tried); a later order may find one.
 */
export type RouteChoice =
  | {
      readonly kind: 'chosen'
      readonly provider: Provider
      /** Reason why it is not simply the first; null: it is. `routing.view.ts` writes it as a sentence for the timeline. */
      readonly note: RouteNote | null
    }
  | { readonly kind: 'none' }
  | { readonly kind: 'closed'; readonly passedOver: readonly PassedOver[] }

/** Result of an order, for the provider's health. */
export type Observation = {
  /** `unsent`: the order was admitted but then not sent, which says nothing about the provider. */
  readonly answer: SubmitOutcome['kind'] | 'not_found' | 'unsent'
  readonly tookMs: number
  /** Code of an order that failed or was not acted on. */
  readonly code?: FailureCode | undefined
}

export type BreakerState = 'closed' | 'open' | 'half_open'

/** Permission for an order to go to its provider: send it, wait until a probe ends, or choose another provider. */
export type Admission = 'send' | 'wait' | 'open'

/** Health of a provider by live traffic of the last half minute. */
export type Health = {
  readonly state: BreakerState
  readonly orders: number
  /** Share of ended orders that got an answer, whatever it said; null: no order ended. */
  readonly successRate: number | null
  readonly timeouts: number
  readonly notActed: number
  readonly p50Ms: number | null
  readonly p95Ms: number | null
}

export type ProductHealth = 'healthy' | 'interrupted'

/** A part of the week by Malaysia's clock. A window that ends before it begins goes on past midnight. */
export type TimeWindow = {
  /** Days on which it begins, from 1 Monday to 7 Sunday; empty: every day. */
  readonly days: readonly number[]
  /** Minutes since midnight, `to` exclusive. */
  readonly fromMinute: number
  readonly toMinute: number
}

/** Price that a provider charges for an order. */
export type RouteCost =
  /** Value in 1/10,000 of the face value: 9,700 is 97 %. */
  { readonly kind: 'percentage'; readonly value: bigint } | { readonly kind: 'fixed'; readonly value: Amount }

export const ANY_PRODUCT = '*'

export type Route = {
  /** Product code; `*`: every product that has no route of its own. */
  readonly productCode: string
  readonly provider: string
  /** Order of choice; the smallest is first. */
  readonly priority: number
  /** Share among the routes of the same priority; null: these routes are chosen by cost. */
  readonly weight: number | null
  readonly cost: RouteCost | null
  /** Opening times; empty: always. */
  readonly windows: readonly TimeWindow[]
  readonly isEnabled: boolean
}
