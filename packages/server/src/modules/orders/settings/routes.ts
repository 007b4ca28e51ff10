import type { Environment } from '../../../config.ts'
import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import type { Authenticator } from '../../auth/service.ts'
import { CHECKOUT_SETTINGS, CheckoutSettingsResponse } from './codec.ts'
import { readSettings } from './rules.ts'
import type { CheckoutSettingsStore } from './service.ts'

const TAG = 'Orders'
const PATH = '/v2/checkout-settings'

export function checkoutSettingsOperations(
  authenticate: Authenticator,
  store: CheckoutSettingsStore,
  environment: Environment,
): Operation[] {
  return [
    operation({
      method: 'GET',
      path: PATH,
      docs: {
        operationId: 'getCheckoutSettings',
        summary: 'Name, sites and colours of your checkout',
        tag: TAG,
      },
      schemas: { responses: { 200: CheckoutSettingsResponse } },
      authenticate: authenticate('read'),
      async handle({ caller }) {
        const settings = await store.settingsOf(caller.reseller.id)
        return { status: 200, body: { data: CHECKOUT_SETTINGS.encode(settings) } }
      },
    }),
    operation({
      method: 'PUT',
      path: PATH,
      docs: {
        operationId: 'putCheckoutSettings',
        summary: 'Replace the settings of your checkout',
        description: 'All of them at once. Open orders show the new ones from their next load on.',
        tag: TAG,
      },
      schemas: {
        body: CHECKOUT_SETTINGS.schema,
        responses: { 200: CheckoutSettingsResponse },
      },
      authenticate: authenticate('configure'),
      async handle({ caller, body }) {
        const settings = await store.save(caller.reseller.id, readSettings(body, environment))
        return { status: 200, body: { data: CHECKOUT_SETTINGS.encode(settings) } }
      },
    }),
  ]
}
