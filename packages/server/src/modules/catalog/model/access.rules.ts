import type { PermissionDiff, PriceDiff } from './store.types.ts'
import type { BaseCatalog, Product } from './types.ts'

// Accounts whose right to buy changed. The catalogue's last_updated moves for these accounts, although no
// product changed. A price that only changes its value gives and takes no right.

/**
 * Tells whether one of the codes names a product, its category or its group. Those of the base count, because a reseller
 * moves products in its own catalogue without a proof of who asks.
 */
export function coversProduct(
  codes: ReadonlySet<string>,
  code: string,
  product: Pick<Product, 'categoryCode'> | undefined,
  { categories }: Pick<BaseCatalog, 'categories'>,
): boolean {
  if (codes.has(code) || product === undefined) return codes.has(code)
  const group = categories.find((each) => each.code === product.categoryCode)?.groupCode ?? ''
  return codes.has(product.categoryCode) || codes.has(group)
}

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
