import type { Reseller, User } from './types.ts'

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
