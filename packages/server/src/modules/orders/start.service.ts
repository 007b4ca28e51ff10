import type { ResellerOrders, ResellerOrdersSettings } from './core/resellers.service.ts'
import { createResellerOrders } from './core/resellers.service.ts'
import { forgetOldInputs } from './core/retention.service.ts'
import type { CustomerOrders } from './core/service.ts'
import { createCustomerOrders } from './core/service.ts'
import type { Fulfilling, FulfillingSettings } from './fulfil/jobs.ts'
import { startFulfilling } from './fulfil/jobs.ts'
import type { CheckoutSettingsStore } from './settings/service.ts'
import { createCheckoutSettings } from './settings/service.ts'

export type OpenOrders = ResellerOrders &
  CheckoutSettingsStore & {
    /** Acts of customers, for the holders of client tokens. */
    readonly customers: CustomerOrders
    readonly noteMove: Fulfilling['noteMove']
    /** Forgets the secrets of orders that ended long ago. */
    sweep(): Promise<void>
    /** Leaves orders under way to the next start, or to another node. */
    close(): Promise<void>
  }

/** Opens the orders of the hosted checkout, and starts to see to them. */
export function openOrders(
  settings: Omit<ResellerOrdersSettings & FulfillingSettings, 'checkoutSettings' | 'onConfirmed'>,
): OpenOrders {
  const checkoutSettings = createCheckoutSettings(settings)
  const fulfilling = startFulfilling({ ...settings, checkoutSettings })
  const onConfirmed = () => {
    settings.failpoint('order.confirmed')
    fulfilling.wake()
  }
  return {
    ...createResellerOrders({ ...settings, checkoutSettings, onConfirmed }),
    ...checkoutSettings,
    customers: createCustomerOrders(settings),
    noteMove: fulfilling.noteMove,
    sweep: () => forgetOldInputs(settings.database),
    close: () => fulfilling.stop(),
  }
}
