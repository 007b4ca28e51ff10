import type { FormCatalog, FormProduct } from './types.ts'

export type PickGroup<P extends FormProduct = FormProduct> = {
  readonly id: string
  readonly name: string
  readonly categories: readonly {
    readonly id: string
    readonly name: string
    readonly products: readonly P[]
  }[]
}

/** Groups and categories with their products, in the order of the catalogue. */
export function groupsOf<P extends FormProduct>({ tree, products }: FormCatalog<P>): PickGroup<P>[] {
  return tree.groups.map(({ id, name, categories }) => ({
    id,
    name,
    categories: categories.map((category) => ({
      id: category.id,
      name: category.name,
      products: category.product_codes.flatMap((code) => products[code] ?? []),
    })),
  }))
}

/** Products whose name, code or category has every word of the search. */
export function findProducts<P extends FormProduct>(catalog: FormCatalog<P>, search: string): P[] {
  const words = wordsOf(search)
  const found = new Map<string, P>()
  for (const group of groupsOf(catalog)) {
    for (const { name, products } of group.categories) {
      for (const product of products) {
        const text = `${product.name} ${product.code} ${name} ${group.name}`.toLowerCase()
        if (words.every((word) => text.includes(word))) found.set(product.code, product)
      }
    }
  }
  return [...found.values()]
}

function wordsOf(search: string): string[] {
  return search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
}

export type Piece = { readonly text: string; readonly isHit: boolean }

/** Cuts a name into pieces, so that what was searched for can be marked. */
export function markHits(name: string, search: string): Piece[] {
  const at = name.toLowerCase().indexOf(search.trim().toLowerCase())
  const length = search.trim().length
  if (at === -1 || length === 0) return [{ text: name, isHit: false }]
  return [
    { text: name.slice(0, at), isHit: false },
    { text: name.slice(at, at + length), isHit: true },
    { text: name.slice(at + length), isHit: false },
  ].filter(({ text }) => text !== '')
}

/** Names of the pictures of products. */
export type ProductIcon = 'bill' | 'game' | 'gift' | 'phone' | 'pin'

/** Icon of a product, from how it is delivered and what its account is. */
export function iconOf({ processing_time: time, fields, fulfillment }: FormProduct): ProductIcon {
  if (time === 'pin') return 'pin'
  if (time === 'link') return 'gift'
  const account = fields.find(({ id }) => id === fulfillment.account.from_field)
  if (account?.input_mode === 'tel') return 'phone'
  return account?.type === 'number' ? 'game' : 'bill'
}
