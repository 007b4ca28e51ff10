import type { ApiKey, NewApiKey, Reseller } from '../../accounts/types.ts'
import { keyFieldsView } from '../../accounts/view.ts'
import type { PortalSettings } from '../access/types.ts'

export function keyView(key: ApiKey) {
  return {
    id: String(key.id),
    key: key.key,
    ...keyFieldsView(key),
  }
}

/** Shows a new key with its secret, which is shown only this once. */
export function newKeyView(key: NewApiKey) {
  return { ...keyView(key), signing_secret: key.signingSecret }
}

export function settingsView(
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
