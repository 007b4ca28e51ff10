import type { BaseChange } from '../catalog/model/store.types.ts'
import type { BaseCatalog, Category, Group, Option, Product, ProductKind } from '../catalog/model/types.ts'

/** The catalogue while offers are taken over, one after the other: what it has, and what each of them adds. */
export type Shelf = ReturnType<typeof openShelf>

export function openShelf(base: Pick<BaseCatalog, 'groups' | 'categories' | 'products' | 'options'>) {
  const present = new Map(base.products.map((product) => [product.code, product]))
  const products = new Map<string, Product>()
  const options = new Map<string, Map<string, Option>>()
  const groups = new Map<string, Group>()
  const categories = new Map<string, Category>()

  const product = (code: string) => products.get(code) ?? present.get(code)
  const optionsOf = (code: string, fieldId: string): ReadonlyMap<string, Option> => {
    const key = `${code}\n${fieldId}`
    const known = options.get(key)
    if (known !== undefined) return known
    const listed = new Map((base.options.get(code)?.get(fieldId) ?? []).map((each) => [each.code, each]))
    options.set(key, listed)
    return listed
  }
  return {
    product,
    optionsOf,
    putProduct: (made: Product) => products.set(made.code, made),
    putOption(made: Option) {
      optionsOf(made.productCode, made.fieldId)
      options.get(`${made.productCode}\n${made.fieldId}`)?.set(made.code, made)
    },
    /** Returns the category in which this kind is sold already; otherwise one is made. */
    categoryFor(kind: ProductKind): string {
      const sold = base.products.find((each) => each.kind === kind)
      if (sold !== undefined) return sold.categoryCode
      const code = kind.toUpperCase()
      const name = `${code.charAt(0)}${kind.slice(1).replaceAll('_', ' ')}`
      const made = { code, name, iconUrl: '', displayOrder: 0, isActive: true }
      if (!base.groups.some((each) => each.code === code)) groups.set(code, made)
      if (!base.categories.some((each) => each.code === code)) {
        categories.set(code, { ...made, groupCode: code })
      }
      return code
    },
    /** Returns what differs from the catalogue as it was. Rows that are equal again are left alone by its writer. */
    change(): BaseChange {
      return {
        groups: [...groups.values()],
        categories: [...categories.values()],
        products: [...products.values()],
        options: [...options.values()].flatMap((listed) =>
          [...listed.values()].filter((each) => !isPresent(base, each)),
        ),
      }
    },
  }
}

function isPresent(base: Pick<BaseCatalog, 'options'>, option: Option): boolean {
  return base.options.get(option.productCode)?.get(option.fieldId)?.includes(option) === true
}
