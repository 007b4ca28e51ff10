import { moneyToNumber } from '../lib/money.ts'
import type { AllowedNetwork, ApiKey, Operator, Reseller, User } from '../modules/accounts/types.ts'
import type { Entry } from '../modules/wallet/balance/types.ts'

// Output of commands. The names are those of the HTTP API if it has the same field.

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

export function operatorView(operator: Operator) {
  return {
    email: operator.email,
    name: operator.name,
    role: operator.role,
    status: operator.status,
    created_at: operator.createdAt.toISOString(),
  }
}

export function apiKeyView(key: ApiKey) {
  return {
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

export function networkView(entry: AllowedNetwork) {
  return { network: entry.network, label: entry.label, created_at: entry.createdAt.toISOString() }
}

export function entryView(account: string, entry: Entry) {
  return {
    account,
    sequence: Number(entry.sequence),
    kind: entry.kind,
    amount: moneyToNumber(entry.amount),
    balance: moneyToNumber(entry.balanceAfter),
    remarks: entry.remarks,
    created_at: entry.createdAt.toISOString(),
  }
}
