import { isWithinLimits } from './pricing.rules.ts'
import type {
  EffectiveCategory,
  EffectiveGroup,
  EffectiveOption,
  EffectiveProduct,
  Snapshot,
} from './types.ts'

/** Code of a product that is hidden, but still listed for accounts that have access to it. */
export const FUND_DISBURSEMENT_CODE = 'FD'

export type CatalogFilter = {
  readonly productCode?: string
  /** Selects one state; true: products that the account sells, false: products that it switched off. */
  readonly isActive: boolean
  /** Selects both states. */
  readonly includeInactive: boolean
}

/**
 * Lists products in display order. A product that is off for everybody, or that this account may not buy, is
 * never listed.
 */
export function listProducts(snapshot: Snapshot, filter: CatalogFilter): readonly EffectiveProduct[] {
  return candidates(snapshot, filter.productCode).filter(
    (each) => isListable(each) && (filter.includeInactive || each.isActive === filter.isActive),
  )
}

function candidates(snapshot: Snapshot, productCode: string | undefined): readonly EffectiveProduct[] {
  if (productCode === undefined) return [...snapshot.products.values()]
  const product = snapshot.products.get(productCode)
  return product === undefined ? [] : [product]
}

function isListable(each: EffectiveProduct): boolean {
  return each.isOffered && each.isPurchasable && isShown(each)
}

function isShown({ product }: EffectiveProduct): boolean {
  return !product.isHidden || product.code === FUND_DISBURSEMENT_CODE
}

export type ResolveFilter = {
  readonly includeHidden: boolean
  /**
   * Includes products that are off for everybody; those that the account itself switched off are always
   * included.
   */
  readonly includeInactive: boolean
}

/** Finds the product whose options are asked for; undefined also when the account must not learn that it exists. */
export function findResolvable(
  snapshot: Snapshot,
  productCode: string,
  filter: ResolveFilter,
): EffectiveProduct | undefined {
  const found = snapshot.products.get(productCode)
  if (found === undefined || !found.isPurchasable) return undefined
  if (!isShown(found) && !filter.includeHidden) return undefined
  return found.isOffered || filter.includeInactive ? found : undefined
}

/**
 * Lists the static options to show, in display order: those on sale, or (isActive false) those that the account
 * switched off. An option that is off for everybody, or outside the product's limits, is not listed.
 */
export function listOptions(
  product: EffectiveProduct,
  fieldId: string,
  isActive = true,
): readonly EffectiveOption[] {
  const all = product.options(fieldId)
  const field = product.product.fields.find((each) => each.id === fieldId)
  if (field === undefined) return all
  const isShown = (each: EffectiveOption) =>
    each.option.isActive && each.isActive === isActive && isWithinLimits(product, field, each.option)
  // Most lists are shown whole; then tens of thousands of billers are not copied for every request.
  return all.every(isShown) ? all : all.filter(isShown)
}

/**
 * Lists the options that a customer can be offered: those on sale that have a price. An adjustment that was made for
 * other prices can leave nothing of a small denomination, and nothing is given away.
 */
export function listPricedOptions(
  product: EffectiveProduct,
  fieldId: string,
  isActive = true,
): readonly EffectiveOption[] {
  const listed = listOptions(product, fieldId, isActive)
  return listed.every(hasSoundPrice) ? listed : listed.filter(hasSoundPrice)
}

/** Tells whether an option can be offered to a customer at its price; options that do not price can. */
export function hasSoundPrice({ money }: Pick<EffectiveOption, 'money'>): boolean {
  return money === null || money.price > 0n
}

export type TreeBranch = {
  readonly group: EffectiveGroup
  readonly categories: readonly {
    readonly category: EffectiveCategory
    readonly productCodes: readonly string[]
  }[]
}

/** Returns the tree of the listed products; groups and categories that would be empty are left out. */
export function treeOf(snapshot: Snapshot, listed: readonly EffectiveProduct[]): readonly TreeBranch[] {
  const codesIn = new Map<string, string[]>()
  for (const { product, categoryCode } of listed) {
    const codes = codesIn.get(categoryCode)
    if (codes === undefined) codesIn.set(categoryCode, [product.code])
    else codes.push(product.code)
  }
  return snapshot.groups.flatMap((group) => {
    const categories = snapshot.categories.flatMap((category) => {
      const productCodes = category.groupCode === group.code ? codesIn.get(category.code) : undefined
      return productCodes === undefined ? [] : [{ category, productCodes }]
    })
    return categories.length === 0 ? [] : [{ group, categories }]
  })
}
