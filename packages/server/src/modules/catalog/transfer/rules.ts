import { listTranslations } from '../model/state.rules.ts'
import type { BaseChange, CatalogState } from '../model/store.types.ts'
import type { Option } from '../model/types.ts'
import { completeRow } from './columns.rules.ts'
import { levelPriceOf, priceRowOf } from './print.rules.ts'
import { ALL_COLUMNS, keyOf } from './read.rules.ts'
import type { CatalogDocument, DocumentKind, GivenRow, GivenRows, RowTypes } from './types.ts'

/** State that an import is compared with. */
export type Present = Pick<CatalogState, 'base' | 'levels' | 'texts'>

/** Returns the whole catalogue in the form of files. */
export function documentOf({ base, levels, texts }: Present): CatalogDocument {
  return {
    groups: base.groups,
    categories: base.categories,
    products: base.products,
    options: listAllOptions(base.options),
    levels: [...levels.values()].map(({ code, name }) => ({ code, name })),
    texts: listTranslations(texts),
    prices: [...levels.values()].flatMap((level) =>
      [...level.prices].map(([productCode, price]) => ({ levelCode: level.code, productCode, price })),
    ),
  }
}

function listAllOptions(options: CatalogState['base']['options']): Option[] {
  return [...options.values()].flatMap((lists) => [...lists.values()].flat())
}

/** Present rows of each kind, by key. */
export type PresentRows = { readonly [K in DocumentKind]: ReadonlyMap<string, RowTypes[K]> }

export function indexPresent(present: Present): PresentRows {
  const { prices, ...document } = documentOf(present)
  const index = <K extends DocumentKind>(kind: K, rows: readonly RowTypes[K][]) =>
    new Map(rows.map((row) => [keyOf(kind, row) ?? '', row]))
  return {
    groups: index('groups', document.groups),
    categories: index('categories', document.categories),
    products: index('products', document.products),
    options: index('options', document.options),
    levels: index('levels', document.levels),
    texts: index('texts', document.texts),
    prices: index('prices', prices.map(priceRowOf)),
  }
}

/** Makes whole rows from the files and the present rows; rows with problems are left out. */
export function changeOf(given: GivenRows, present: PresentRows): Required<Omit<BaseChange, 'permissions'>> {
  const complete = <K extends DocumentKind>(kind: K, rows: readonly GivenRow<RowTypes[K]>[]) =>
    rows.flatMap((row, index) => {
      const key = keyOf<K>(kind, row.values)
      if (row.isFlawed || key === undefined) return []
      return [completeRow<RowTypes[K]>(columnsOf(kind), row.values, present[kind].get(key), index + 1)]
    })
  return {
    groups: complete('groups', given.groups),
    categories: complete('categories', given.categories),
    products: complete('products', given.products),
    options: complete('options', given.options),
    levels: complete('levels', given.levels),
    texts: complete('texts', given.texts),
    prices: complete('prices', given.prices).map(levelPriceOf),
  }
}

function columnsOf<K extends DocumentKind>(kind: K) {
  return ALL_COLUMNS[kind] as unknown as Parameters<typeof completeRow<RowTypes[K]>>[0]
}

/**
 * Lists the options that the files do not name, switched off, for every option list that the files name. Other
 * lists stay as they are.
 */
export function missingOptions(given: GivenRows, { base }: Present): Option[] {
  const named = new Map<string, Set<string>>()
  for (const { values } of given.options) {
    const { productCode = '', fieldId = '', code = '' } = values
    const list = `${productCode}:${fieldId}`
    const codes = named.get(list)
    if (codes === undefined) named.set(list, new Set([code]))
    else codes.add(code)
  }
  return listAllOptions(base.options)
    .filter((option) => {
      const codes = named.get(`${option.productCode}:${option.fieldId}`)
      return codes !== undefined && option.isActive && !codes.has(option.code)
    })
    .map((option) => ({ ...option, isActive: false }))
}
