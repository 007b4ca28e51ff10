import { oneOf } from '../../../lib/input/fields.ts'
import { FLAG, optional } from '../../../lib/input/parameters.ts'
import type { CatalogState } from '../../catalog/model/store.types.ts'
import type { Option, Product } from '../../catalog/model/types.ts'
import { CSV_KINDS } from '../../catalog/transfer/types.ts'
import { PAGE_RULES, plainText, SEARCH } from '../kit/pages.rules.ts'

/** Limit of differences in an answer. */
export const DIFFERENCES_MAX = 500

const CODE_LENGTH_MAX = 100

export const PRODUCT_LIST_RULES = {
  ...PAGE_RULES,
  search: SEARCH,
  category: optional(plainText(CODE_LENGTH_MAX), null),
  isActive: optional(FLAG, null),
}

export const OPTION_LIST_RULES = {
  ...PAGE_RULES,
  search: SEARCH,
  field: optional(plainText(CODE_LENGTH_MAX), null),
}

export const EXPORT_RULES = { kind: oneOf(CSV_KINDS) }

// ── Looking ──

export function optionsOf({ base }: CatalogState, productCode: string): Option[] {
  return [...(base.options.get(productCode)?.values() ?? [])].flat()
}

export function matchesProduct(
  product: Product,
  asked: {
    readonly search: string | null
    readonly category: string | null
    readonly isActive: boolean | null
  },
): boolean {
  return (
    (asked.category === null || product.categoryCode === asked.category) &&
    (asked.isActive === null || product.isActive === asked.isActive) &&
    (asked.search === null || has(asked.search, product.code, product.name))
  )
}

export function matchesOption(
  option: Option,
  asked: { readonly search: string | null; readonly field: string | null },
): boolean {
  return (
    (asked.field === null || option.fieldId === asked.field) &&
    (asked.search === null || has(asked.search, option.code, option.label))
  )
}

function has(search: string, ...texts: readonly string[]): boolean {
  const wanted = search.toLowerCase()
  return texts.some((text) => text.toLowerCase().includes(wanted))
}
