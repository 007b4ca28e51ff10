import type { Provider, SubmitOutcome } from './types.ts'

export type RouteRequest = {
  readonly productCode: string
  /** Providers that this payment has already been to. */
  readonly tried?: ReadonlySet<string>
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

/** How an order or a question went, for the provider's health. */
export type Observation = {
  readonly answer: SubmitOutcome['kind'] | 'not_found'
  readonly tookMs: number
}

/** Who fulfils what. */
export type Providers = {
  /** Who takes this order; pure and in memory. */
  choose(request: RouteRequest): RouteChoice
  /** The one that a payment names, whoever takes new orders now. */
  byCode(code: string): Provider | undefined
  list(): readonly Provider[]
  /** Every order sent is reported, so that health is what live traffic measures. */
  observe(code: string, observation: Observation): void
}

/** One provider for everything, always open. */
export function createProviders(provider: Provider | undefined): Providers {
  return {
    choose: () => (provider === undefined ? { kind: 'none' } : { kind: 'chosen', provider, note: null }),
    byCode: (code) => (provider?.code === code ? provider : undefined),
    list: () => (provider === undefined ? [] : [provider]),
    observe: () => {},
  }
}
