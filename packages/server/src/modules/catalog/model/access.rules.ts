import type { PermissionDiff, PriceDiff } from './store.types.ts'
import type { BaseCatalog } from './types.ts'

// Accounts whose right to buy changed. The catalogue's last_updated moves for these accounts, although no
// product changed. A price that only changes its value gives and takes no right.

/** Lists the levels at which a product got its first price, or lost its price. */
export function levelsWithChangedAccess(prices: readonly PriceDiff[]): string[] {
  const changed = prices.filter(({ before, after }) => (before === null) !== (after === null))
  return [...new Set(changed.map((diff) => diff.levelCode))]
}

/** Lists the accounts for which a permission changes whether they may buy a product. */
export function accountsWithChangedAccess(
  permissions: readonly PermissionDiff[],
  { products }: Pick<BaseCatalog, 'products'>,
): bigint[] {
  const restricted = new Set(products.filter((each) => each.isRestricted).map((each) => each.code))
  const mayBuy = (productCode: string, permission: boolean | null) =>
    permission ?? !restricted.has(productCode)
  const changed = permissions.filter(
    ({ productCode, before, after }) => mayBuy(productCode, before) !== mayBuy(productCode, after),
  )
  return [...new Set(changed.map((diff) => diff.resellerId))]
}
