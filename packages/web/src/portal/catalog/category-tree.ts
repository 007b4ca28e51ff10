import type { PortalCatalogue, PortalProduct } from '../../api/portal.generated.ts'
import type { Search } from '../../shell/navigation.tsx'
import type { Category, Draft, Group } from './draft.ts'
import { drafted } from './draft.ts'

export type Branch = { readonly group: Group; readonly categories: readonly Category[] }

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
