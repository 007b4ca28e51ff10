import type { AllowedNetwork, ApiKey, NewApiKey, Reseller } from '../../accounts/types.ts'
import type { PortalSettings } from '../access/types.ts'

export function keyView(key: ApiKey) {
  return {
    id: String(key.id),
    key: key.key,
    label: key.label,
    scopes: key.scopes,
    has_secret: key.hasSecret,
    state: key.state,
    expires_at: key.expiresAt?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
    created_at: key.createdAt.toISOString(),
  }
}

/** Shows a new key with its secret, which is shown only this once. */
export function newKeyView(key: NewApiKey) {
  return { ...keyView(key), signing_secret: key.signingSecret }
}

export function networkView({ network, label, createdAt }: AllowedNetwork) {
  return { network, label, created_at: createdAt.toISOString() }
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
