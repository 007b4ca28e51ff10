import type { WholesalePrice } from '../catalog/model/types.ts'
import type { Market } from './types.ts'

/** Lists the products whose price changes at some level. */
export function repricedProducts(
  before: Omit<Market, 'suppliers'>,
  after: Omit<Market, 'suppliers'>,
): string[] {
  const units = new Map(before.base.products.map((each) => [each.code, each.denominationUnitPrice]))
  return after.base.products.flatMap(({ code, denominationUnitPrice }) => {
    const isMoved =
      units.get(code) !== denominationUnitPrice ||
      [...after.levels.values()].some(
        (level) => !isSamePrice(before.levels.get(level.code)?.prices.get(code), level.prices.get(code)),
      )
    return isMoved ? [code] : []
  })
}

export function isSamePrice(a: WholesalePrice | undefined, b: WholesalePrice | undefined): boolean {
  return a?.discountType === b?.discountType && a?.unitPrice === b?.unitPrice && a?.currency === b?.currency
}
