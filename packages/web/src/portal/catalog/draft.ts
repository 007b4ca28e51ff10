import type { CatalogueEdits, PortalCatalogue, PortalProduct } from '../../api/portal.generated.ts'
import type { Search } from '../../shell/navigation.tsx'
import type { TypedAdjustment } from './adjustment.ts'
import { readAdjustment, typedAdjustment } from './adjustment.ts'

/** Changes of one product that are not applied yet. */
export type ProductDraft = {
  readonly enabled?: boolean
  readonly name?: string
  readonly category?: string
  readonly display_order?: number
  readonly adjustment?: TypedAdjustment
}

export type PlaceDraft = { readonly name: string; readonly isOwn: boolean; readonly group?: string }

/** All changes that wait for the review. */
export type Draft = {
  readonly products: Readonly<Record<string, ProductDraft>>
  readonly groups: Readonly<Record<string, PlaceDraft>>
  readonly categories: Readonly<Record<string, PlaceDraft>>
}

export const EMPTY_DRAFT: Draft = { products: {}, groups: {}, categories: {} }

export type Category = PortalCatalogue['categories'][number]
type Group = PortalCatalogue['groups'][number]

/** Adds changes of a product; what is the same as before is no change. */
export function withProduct(draft: Draft, product: PortalProduct, changes: ProductDraft): Draft {
  const merged = { ...draft.products[product.code], ...changes }
  const kept: { -readonly [K in keyof ProductDraft]: ProductDraft[K] } = {}
  if (merged.enabled !== undefined && merged.enabled !== product.is_enabled) kept.enabled = merged.enabled
  if (merged.name !== undefined && merged.name !== product.name) kept.name = merged.name
  if (merged.category !== undefined && merged.category !== product.category) kept.category = merged.category
  if (merged.display_order !== undefined && merged.display_order !== product.display_order) {
    kept.display_order = merged.display_order
  }
  if (merged.adjustment !== undefined && !isSame(merged.adjustment, product)) {
    kept.adjustment = merged.adjustment
  }
  const { [product.code]: _, ...others } = draft.products
  const products = Object.keys(kept).length === 0 ? others : { ...others, [product.code]: kept }
  return { ...draft, products }
}

function isSame(typed: TypedAdjustment, { adjustment }: PortalProduct): boolean {
  const read = readAdjustment(typed)
  if (read === undefined) return false
  return JSON.stringify(read) === JSON.stringify(adjustment)
}

/** True while the person has typed an adjustment that cannot be read. */
export function isUnreadable(draft: ProductDraft | undefined): boolean {
  return draft?.adjustment !== undefined && readAdjustment(draft.adjustment) === undefined
}

/** Product with its changes, as the row shows it before the service has answered. */
export function drafted(product: PortalProduct, draft: ProductDraft | undefined) {
  return {
    isEnabled: draft?.enabled ?? product.is_enabled,
    name: draft?.name ?? product.name,
    category: draft?.category ?? product.category,
    order: draft?.display_order ?? product.display_order,
    adjustment: draft?.adjustment ?? typedAdjustment(product.adjustment),
  }
}

/** Moves a product among its neighbours: those whose place changes get a new number. */
export function withMove(
  draft: Draft,
  shown: readonly PortalProduct[],
  product: PortalProduct,
  to: number,
): Draft {
  const others = shown.filter(({ code }) => code !== product.code)
  const at = Math.min(Math.max(to, 0), others.length)
  const next = [...others.slice(0, at), product, ...others.slice(at)]
  let changed = draft
  for (const [index, each] of next.entries()) {
    changed = withProduct(changed, each, { display_order: index + 1 })
  }
  return changed
}

export function countOf({ products, groups, categories }: Draft): number {
  return Object.keys(products).length + Object.keys(groups).length + Object.keys(categories).length
}

/** Changes as the API takes them. Unreadable adjustments are left out; the review waits for them. */
export function editsOf(draft: Draft, catalog: PortalCatalogue): CatalogueEdits {
  const bases = new Map(catalog.products.map((product) => [product.code, product]))
  const products = Object.entries(draft.products).map(([code, edit]) =>
    productEdit(code, edit, bases.get(code)),
  )
  const groups = Object.entries(draft.groups).map(([code, place]) => {
    const known = catalog.groups.find((each) => each.code === code)
    return {
      code,
      is_own: place.isOwn,
      name: place.name,
      icon_url: known?.icon_url || null,
      display_order: known?.display_order ?? catalog.groups.length + 1,
    }
  })
  const categories = Object.entries(draft.categories).map(([code, place]) => {
    const known = catalog.categories.find((each) => each.code === code)
    return {
      code,
      is_own: place.isOwn,
      name: place.name,
      group: place.group ?? known?.group ?? null,
      icon_url: known?.icon_url || null,
      display_order: known?.display_order ?? 1,
    }
  })
  return {
    ...(products.length === 0 ? {} : { products }),
    ...(groups.length === 0 ? {} : { groups }),
    ...(categories.length === 0 ? {} : { categories }),
  }
}

type ProductEdit = NonNullable<CatalogueEdits['products']>[number]

function productEdit(code: string, draft: ProductDraft, base: PortalProduct | undefined): ProductEdit {
  const { adjustment: typed, name, category, ...rest } = draft
  const adjustment = typed === undefined ? undefined : readAdjustment(typed)
  return {
    code,
    ...rest,
    // The name and place of the supplier's catalogue are not ours: null follows the supplier again.
    ...(name === undefined ? {} : { name: name === base?.base_name ? null : name }),
    ...(category === undefined ? {} : { category: category === base?.base_category ? null : category }),
    ...(adjustment === undefined ? {} : { adjustment }),
  }
}

type Branch = { readonly group: Group; readonly categories: readonly Category[] }

/** Groups with their categories, with new and renamed ones as they will be. */
export function treeOf(catalog: PortalCatalogue, draft: Draft): readonly Branch[] {
  const groups = placesOf(catalog.groups, draft.groups, (code, name) => ({ ...NEW_PLACE, code, name }))
  const categories = placesOf(catalog.categories, draft.categories, (code, name, group) => ({
    ...NEW_PLACE,
    code,
    name,
    group: group ?? '',
  }))
  return groups.map((group) => ({
    group,
    categories: categories.filter((category) => category.group === group.code),
  }))
}

const NEW_PLACE = { icon_url: '', display_order: Number.MAX_SAFE_INTEGER, is_active: true, is_own: true }

function placesOf<Place extends Group>(
  known: readonly Place[],
  drafts: Draft['groups'],
  create: (code: string, name: string, group: string | undefined) => Place,
): Place[] {
  const renamed = known.map((place) => ({ ...place, name: drafts[place.code]?.name ?? place.name }))
  const codes = new Set(known.map(({ code }) => code))
  const added = Object.entries(drafts)
    .filter(([code]) => !codes.has(code))
    .map(([code, { name, group }]) => create(code, name, group))
  return [...renamed, ...added].sort((a, b) => a.display_order - b.display_order)
}

/** Products in the order that the customers see. */
export function productsIn(catalog: PortalCatalogue, draft: Draft, category: string): PortalProduct[] {
  return catalog.products
    .filter((product) => drafted(product, draft.products[product.code]).category === category)
    .sort((a, b) => orderOf(a, draft) - orderOf(b, draft))
}

function orderOf(product: PortalProduct, draft: Draft): number {
  return drafted(product, draft.products[product.code]).order
}

/** Category of the address; without one the first that has a product. */
export function currentCategory(catalog: PortalCatalogue, { category }: Search): string {
  if (category !== undefined) return category
  const used = new Set(catalog.products.map((product) => product.category))
  const tree = treeOf(catalog, { products: {}, groups: {}, categories: {} })
  const first = tree.flatMap((branch) => branch.categories).find(({ code }) => used.has(code))
  return first?.code ?? ''
}

/** Products whose name or code contains the text. */
export function productsLike(catalog: PortalCatalogue, text: string): PortalProduct[] {
  const wanted = text.trim().toLowerCase()
  return catalog.products.filter(({ code, name, base_name: base }) =>
    [code, name, base].some((each) => each.toLowerCase().includes(wanted)),
  )
}
