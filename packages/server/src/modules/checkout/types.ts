import type { DirectoryReseller } from '../accounts/types.ts'
import type { CustomerOrder, OrderKey } from '../orders/core/types.ts'
import type { CheckoutSettings } from '../orders/settings/types.ts'
import type { Counted } from './limits.rules.ts'

/** Holder of the token of one order. The token opens this order and nothing else. */
export type Customer = {
  readonly key: OrderKey
  readonly reseller: DirectoryReseller
  readonly settings: CheckoutSettings
  /** Counts steps of a kind; throws when the order is over its limit. */
  readonly spend: (kind: Counted, more?: number) => void
}

/** Customer with the order as it was when the request came. */
export type CustomerAtOrder = Customer & { readonly read: CustomerOrder }
