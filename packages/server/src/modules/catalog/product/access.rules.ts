import type { PermissionDiff, PriceDiff } from './store.types.ts'
import type { BaseCatalog } from './types.ts'

// Who may buy something else than before. The catalogue's last_updated moves for those accounts, although no
// product changed; a price that merely becomes another one gives and takes no right.

/** Levels at which a product got its first price, or lost its price. */
export function levelsWithOtherAccess(prices: readonly PriceDiff[]): string[] {
  const changed = prices.filter(({ before, after }) => (before === null) !== (after === null))
  return [...new Set(changed.map((diff) => diff.levelCode))]
}

/** Accounts that a permission lets buy a product, or keeps from it, other than before. */
export function accountsWithOtherAccess(
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
