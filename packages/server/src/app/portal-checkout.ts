import type { Operation } from '../http/operation.ts'
import { operation } from '../http/operation.ts'
import { CHECKOUT_SETTINGS, CheckoutSettingsResponse } from '../modules/orders/settings/codec.ts'
import { letsMoreIn, readSettings } from '../modules/orders/settings/rules.ts'
import type { CheckoutSettingsStore } from '../modules/orders/settings/service.ts'
import { logged } from '../modules/portal/access/log.service.ts'
import type { PortalSettings } from '../modules/portal/access/types.ts'
import { holdProof } from '../modules/sessions/people/acts.service.ts'

/**
 * Replaces the settings of the checkout in the portal. It is not the reseller API's own operation at another path: the
 * audit log says which member let another site sell, or accepted a loss.
 */
export function portalCheckoutSettingsOperation(
  settings: PortalSettings,
  store: CheckoutSettingsStore,
  path: string,
): Operation {
  return operation({
    method: 'PUT',
    path,
    docs: {
      operationId: 'portalPutCheckoutSettings',
      summary: 'Replace the settings of your checkout',
      description: 'All of them at once. Open orders show the new ones from their next load on.',
      tag: 'Orders',
    },
    schemas: {
      body: CHECKOUT_SETTINGS.schema,
      responses: { 200: CheckoutSettingsResponse },
    },
    authenticate: settings.authenticate('orders.write'),
    async handle({ caller, body }) {
      const wanted = readSettings(body, settings.environment)
      const { id, account } = caller.reseller
      const saved = await logged(settings, caller, 'checkout_settings.update', async (tx) => {
        const present = await store.settingsOf(id, tx)
        if (letsMoreIn(present, wanted)) await holdProof(tx, caller)
        const before = CHECKOUT_SETTINGS.encode(present)
        const result = await store.save(id, wanted, tx)
        return {
          target: { kind: 'reseller', id: account },
          before,
          after: CHECKOUT_SETTINGS.encode(result),
          result,
        }
      })
      return { status: 200, body: { data: CHECKOUT_SETTINGS.encode(saved) } }
    },
  })
}
