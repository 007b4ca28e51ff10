import type { AllowedNetwork, ApiKey, Reseller, User } from './types.ts'

// Fields of accounts as every reader sees them: the back office, the portal and the commands.

export function resellerView(reseller: Reseller) {
  return {
    account: reseller.account,
    name: reseller.name,
    email: reseller.email,
    price_level: reseller.priceLevel,
    access: reseller.access,
    status: reseller.status,
    topup_requires_api_key: reseller.topupRequiresApiKey,
    demo: reseller.demo,
    created_at: reseller.createdAt.toISOString(),
    updated_at: reseller.updatedAt.toISOString(),
  }
}

export function userView(user: User) {
  return {
    username: user.username,
    email: user.email,
    role: user.role,
    status: user.status,
    created_at: user.createdAt.toISOString(),
  }
}

/** Shows the fields of a key beside its name. Each reader sees the key itself in another form. */
export function keyFieldsView(key: ApiKey) {
  return {
    label: key.label,
    scopes: key.scopes,
    has_secret: key.hasSecret,
    state: key.state,
    expires_at: key.expiresAt?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
    created_at: key.createdAt.toISOString(),
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
  }
}

export function networkView({ network, label, createdAt }: AllowedNetwork) {
  return { network, label, created_at: createdAt.toISOString() }
}
