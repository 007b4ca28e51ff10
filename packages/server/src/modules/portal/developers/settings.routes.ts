import { Type } from 'typebox'
import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import { getReseller } from '../../accounts/service.ts'
import type { Reseller } from '../../accounts/types.ts'
import { dataOf, enumSchema } from '../access/schemas.ts'
import type { PortalSettings } from '../access/types.ts'
import { changeSettings } from '../team/service.ts'

const SettingsResponse = dataOf(
  Type.Object(
    {
      account: Type.String(),
      name: Type.String(),
      email: Type.String(),
      price_level: Type.String(),
      status: Type.String(),
      access: Type.Integer({ description: '0: may pay. 50: read only' }),
      topup_requires_api_key: Type.Boolean({
        description: 'Only signed requests may pay: neither bearer tokens nor this portal',
      }),
      environment: enumSchema(['staging', 'production']),
      your_address: Type.String({ description: 'Your address, as the allowlist would judge it' }),
      sender_addresses: Type.Array(Type.String(), {
        description: 'Sender addresses of callbacks and webhooks',
      }),
    },
    { title: 'Account settings' },
  ),
)

const ACCOUNT = 'Account'
const ACCOUNT_PATH = '/portal/v1/settings'

export function portalSettingsOperations(settings: PortalSettings): Operation[] {
  const { authenticate, database } = settings
  return [
    operation({
      method: 'GET',
      path: ACCOUNT_PATH,
      docs: { operationId: 'portalGetSettings', summary: 'The account and its settings', tag: ACCOUNT },
      schemas: { responses: { 200: SettingsResponse } },
      authenticate: authenticate('viewer'),
      async handle({ caller }) {
        const reseller = await getReseller(database, caller.reseller.account)
        return { status: 200, body: { data: settingsView(reseller, settings, caller.address) } }
      },
    }),
    operation({
      method: 'PATCH',
      path: ACCOUNT_PATH,
      docs: { operationId: 'portalChangeSettings', summary: 'Change what may pay', tag: ACCOUNT },
      schemas: {
        body: Type.Object({ topup_requires_api_key: Type.Boolean() }),
        responses: { 200: SettingsResponse },
      },
      authenticate: authenticate('admin'),
      async handle({ caller, body }) {
        const reseller = await changeSettings(settings, caller, {
          topupRequiresApiKey: body.topup_requires_api_key,
        })
        return { status: 200, body: { data: settingsView(reseller, settings, caller.address) } }
      },
    }),
  ]
}

function settingsView(
  reseller: Reseller,
  { environment, senderAddresses }: Pick<PortalSettings, 'environment' | 'senderAddresses'>,
  address: string,
) {
  return {
    account: reseller.account,
    name: reseller.name,
    email: reseller.email,
    price_level: reseller.priceLevel,
    status: reseller.status,
    access: reseller.access,
    topup_requires_api_key: reseller.topupRequiresApiKey,
    environment,
    your_address: address,
    sender_addresses: senderAddresses,
  }
}
