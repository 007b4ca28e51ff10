import { assert } from '../../../lib/errors.ts'
import type { CatalogVersions } from './fingerprint.rules.ts'
import { fingerprintOf, lastUpdatedOf } from './fingerprint.rules.ts'
import { accountLists, groupBy, indexOf, levelLists } from './option-lists.rules.ts'
import { findPricingField, losesWithin, narrowedLimits, payableRange } from './pricing.rules.ts'
import type { Tree } from './tree.rules.ts'
import { byDisplayOrder, compileTree } from './tree.rules.ts'
import type {
  AccountView,
  BaseCatalog,
  EffectiveProduct,
  Overlay,
  OverlayOption,
  OverlayProduct,
  PriceLevel,
  Product,
  Snapshot,
} from './types.ts'

/** View that all accounts of a level share: without permissions and customisation. */
export type LevelView = {
  readonly base: BaseCatalog
  readonly level: PriceLevel
  readonly versions: CatalogVersions
  readonly tree: Tree
  /** Products in display order. */
  readonly products: ReadonlyMap<string, EffectiveProduct>
}

export function compileLevel(base: BaseCatalog, level: PriceLevel, versions: CatalogVersions): LevelView {
  const tree = compileTree(base, undefined)
  const products = base.products.map((product) => compileForLevel(base, level, tree, product))
  return { base, level, versions, tree, products: mapInDisplayOrder(products) }
}

/**
 * Compiles an account's snapshot. Parts that its view does not touch are the level's own objects, so that most
 * data exists once.
 */
export function compileSnapshot(level: LevelView, view: AccountView): Snapshot {
  assert(view.levelCode === level.level.code, 'an account is compiled from its own level')
  const { overlay } = view
  const hasOwnTree = overlay !== undefined && overlay.groups.length + overlay.categories.length > 0
  const tree = hasOwnTree ? compileTree(level.base, overlay) : level.tree
  return {
    fingerprint: fingerprintOf(level, view),
    lastUpdated: lastUpdatedOf(level.base, level.level, view),
    groups: tree.groups,
    categories: tree.categories,
    products: compileProducts(level, view, tree),
  }
}

/**
 * Compiles only the products that the view names: most accounts name few, and a base change compiles all
 * accounts anew.
 */
function compileProducts(level: LevelView, view: AccountView, tree: Tree): LevelView['products'] {
  const changes = indexChanges(view.overlay)
  const named = [changes.products.keys(), changes.options.keys(), view.allowedProducts, view.deniedProducts]
  const products = new Map<string, EffectiveProduct>()
  for (const code of new Set(named.flatMap((codes) => [...codes]))) {
    const shared = level.products.get(code)
    const compiled = shared && compileForAccount(shared, view, tree, changes)
    if (compiled !== undefined && compiled !== shared) products.set(code, compiled)
  }
  if (products.size === 0) return level.products
  return mapInDisplayOrder([...level.products].map(([code, shared]) => products.get(code) ?? shared))
}

function mapInDisplayOrder(products: readonly EffectiveProduct[]): ReadonlyMap<string, EffectiveProduct> {
  const ordered = products
    .map((product) => ({ product, code: product.product.code, displayOrder: product.displayOrder }))
    .sort(byDisplayOrder)
  return new Map(ordered.map(({ code, product }) => [code, product]))
}

// ── One product ──

function compileForLevel(
  base: BaseCatalog,
  level: PriceLevel,
  tree: Tree,
  product: Product,
): EffectiveProduct {
  const wholesale = level.prices.get(product.code) ?? null
  const lastWholesale = wholesale ?? level.withdrawn?.get(product.code) ?? null
  const isPurchasable = wholesale !== null && !product.isRestricted
  const isOffered = product.isActive && tree.activeCategories.has(product.categoryCode)
  return complete({
    product,
    categoryCode: product.categoryCode,
    name: product.name,
    imageUrl: product.imageUrl,
    displayOrder: product.displayOrder,
    isPurchasable,
    isOffered,
    isActive: isOffered && isPurchasable,
    wholesale,
    lastWholesale,
    adjustment: null,
    minAmount: product.minAmount,
    maxAmount: product.maxAmount,
    options: levelLists(base, product, lastWholesale),
  })
}

function compileForAccount(
  shared: EffectiveProduct,
  view: AccountView,
  tree: Tree,
  changes: Changes,
): EffectiveProduct {
  const { product, wholesale } = shared
  const change = changes.products.get(product.code)
  const optionChanges = listRealChanges(shared, changes.options.get(product.code))
  const isPermitted = product.isRestricted ? view.allowedProducts.has(product.code) : true
  const isPurchasable = wholesale !== null && isPermitted && !view.deniedProducts.has(product.code)
  const isActive = shared.isOffered && isPurchasable && change?.isEnabled !== false
  const labels = { ...labelsOf(shared, change, tree), isPurchasable, isActive }
  const isTouched =
    optionChanges.length > 0 ||
    (Object.keys(labels) as (keyof typeof labels)[]).some((key) => labels[key] !== shared[key])
  if (!isTouched) return shared
  return complete({
    product,
    wholesale,
    lastWholesale: shared.lastWholesale,
    isOffered: shared.isOffered,
    ...labels,
    options: accountLists(shared, labels, optionChanges),
  })
}

function labelsOf(shared: EffectiveProduct, change: OverlayProduct | undefined, tree: Tree) {
  const { product } = shared
  const wanted = change?.categoryCode ?? product.categoryCode
  const limits = narrowedLimits(product, { min: change?.minAmount ?? null, max: change?.maxAmount ?? null })
  return {
    // A product cannot move to a category that is gone or switched off.
    categoryCode: tree.activeCategories.has(wanted) ? wanted : product.categoryCode,
    name: change?.displayName ?? product.name,
    imageUrl: change?.imageUrl ?? product.imageUrl,
    displayOrder: change?.displayOrder ?? product.displayOrder,
    adjustment: change?.adjustment ?? null,
    minAmount: limits.min,
    maxAmount: limits.max,
  }
}

/** Adds the members that follow from the others; the loss risk is computed when it is first read. */
function complete(parts: Omit<EffectiveProduct, 'hasLossRisk' | 'findOption'>): EffectiveProduct {
  let hasLossRisk: boolean | undefined
  return {
    ...parts,
    get hasLossRisk() {
      hasLossRisk ??= canLose(parts)
      return hasLossRisk
    },
    findOption: (fieldId, code) => indexOf(parts.options(fieldId)).get(code),
  }
}

function canLose(parts: Omit<EffectiveProduct, 'hasLossRisk' | 'findOption'>): boolean {
  const { product, wholesale, adjustment, minAmount, maxAmount } = parts
  const field = findPricingField(product)
  if (field === undefined || wholesale === null) return false
  if (field.type === 'select') {
    return parts.options(field.id).some((each) => each.isActive && each.money?.hasLossRisk === true)
  }
  const { denominationUnitPrice } = product
  return losesWithin(payableRange({ fields: product.fields, minAmount, maxAmount }), {
    denominationUnitPrice,
    wholesale,
    adjustment,
  })
}

// ── The overlay, by what it touches ──

type Changes = {
  readonly products: ReadonlyMap<string, OverlayProduct>
  readonly options: ReadonlyMap<string, readonly OverlayOption[]>
}

function indexChanges(overlay: Overlay | undefined): Changes {
  return {
    products: new Map(overlay?.products.map((change) => [change.code, change])),
    options: groupBy(overlay?.options ?? [], (change) => change.productCode),
  }
}

/** Drops changes that have no effect, and changes whose option is gone. */
function listRealChanges(
  shared: EffectiveProduct,
  changes: readonly OverlayOption[] = [],
): readonly OverlayOption[] {
  return changes.filter(({ fieldId, code, isEnabled, rrp }) => {
    const option = shared.findOption(fieldId, code)
    if (option === undefined) return false
    return (option.isActive && !isEnabled) || (option.money !== null && rrp !== null)
  })
}
