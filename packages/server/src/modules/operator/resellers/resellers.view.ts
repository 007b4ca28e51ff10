import type { Reseller } from '../../accounts/types.ts'

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
