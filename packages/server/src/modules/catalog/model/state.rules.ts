import type { OwnTexts } from '../texts/rules.ts'
import { CATALOG_LANGUAGES } from '../texts/rules.ts'
import { groupBy } from './option-lists.rules.ts'
import type { CatalogState, Diff, OwnView, Touched, Translation } from './store.types.ts'
import { byDisplayOrder } from './tree.rules.ts'
import type { BaseCatalog, Option, Overlay, PriceLevel } from './types.ts'

// A state is never changed. A new state shares the unchanged objects of the old one, so that results made from
// unchanged parts stay valid.

export const NO_OWN_VIEW: OwnView = {
  allowedProducts: new Set(),
  deniedProducts: new Set(),
  overlay: undefined,
}

export const EMPTY_STATE: CatalogState = {
  version: 0n,
  base: { groups: [], categories: [], products: [], options: new Map(), updatedAt: new Date(0) },
  baseVersion: 0n,
  levels: new Map(),
  levelVersions: new Map(),
  texts: new Map(),
  textsVersion: 0n,
  views: new Map(),
}

/**
 * Returns a level. A level that was never set up has no prices: an account on it sees everything and may buy
 * nothing.
 */
export function getLevel(state: CatalogState, code: string): PriceLevel {
  return state.levels.get(code) ?? { code, name: code, prices: new Map() }
}

/** All rows that changed since a version, as the tables hold them. */
export type LoadedRows = {
  readonly version: bigint
  readonly structureUpdatedAt: Date
  readonly base: Pick<BaseCatalog, 'groups' | 'categories' | 'products'> & {
    readonly options: readonly Option[]
  }
  /** Newest version among the base's rows; undefined when there are none. */
  readonly baseVersion: bigint | undefined
  readonly levels: readonly { readonly row: PriceLevel; readonly version: bigint }[]
  readonly texts: readonly { readonly row: Translation; readonly version: bigint }[]
  readonly views: ReadonlyMap<bigint, OwnView>
}

export function withLoaded(state: CatalogState, loaded: LoadedRows): CatalogState {
  const changed = loaded.baseVersion !== undefined
  return {
    version: loaded.version,
    base: changed ? loadedBase(state.base, loaded) : state.base,
    baseVersion: loaded.baseVersion ?? state.baseVersion,
    levels: withEntries(
      state.levels,
      loaded.levels.map(({ row }) => [row.code, row]),
    ),
    levelVersions: withEntries(
      state.levelVersions,
      loaded.levels.map(({ row, version }) => [row.code, version]),
    ),
    texts: withTranslations(
      state.texts,
      loaded.texts.map(({ row }) => row),
    ),
    textsVersion: loaded.texts.reduce(
      (newest, { version }) => (version > newest ? version : newest),
      state.textsVersion,
    ),
    views: withEntries(state.views, [...loaded.views]),
  }
}

function loadedBase(base: BaseCatalog, { base: rows, structureUpdatedAt }: LoadedRows): BaseCatalog {
  const put = <T>(after: T): Diff<T> => ({ before: null, after })
  return {
    groups: replaced(base.groups, rows.groups.map(put), 'after'),
    categories: replaced(base.categories, rows.categories.map(put), 'after'),
    products: replaced(base.products, rows.products.map(put), 'after'),
    options: replacedOptions(base.options, rows.options.map(put), 'after'),
    updatedAt: structureUpdatedAt,
  }
}

export type Side = 'before' | 'after'

/** Returns the state with everything touched as it was on one side of the change; versions stay as they are. */
export function patched(state: CatalogState, touched: Touched, side: Side): CatalogState {
  return {
    ...state,
    base: isBaseTouched(touched) ? patchedBase(state.base, touched, side) : state.base,
    levels: patchedLevels(state.levels, touched, side),
    texts: withTranslations(
      state.texts,
      touched.texts.map((diff) => ({ language: diff.language, text: diff.text, said: diff[side] })),
    ),
    views: patchedViews(state.views, touched, side),
  }
}

/** Tells whether all accounts may see a difference. */
export function isBaseTouched(touched: Touched): boolean {
  return isStructureTouched(touched) || touched.options.length > 0
}

/** Tells whether the catalogue's time moves; options and prices do not move it. */
export function isStructureTouched({ groups, categories, products }: Touched): boolean {
  return groups.length + categories.length + products.length > 0
}

function patchedBase(base: BaseCatalog, touched: Touched, side: Side): BaseCatalog {
  return {
    groups: replaced(base.groups, touched.groups, side),
    categories: replaced(base.categories, touched.categories, side),
    products: replaced(base.products, touched.products, side),
    options: replacedOptions(base.options, touched.options, side),
    updatedAt: base.updatedAt,
  }
}

// ── Rows ──

function replaced<T extends { readonly code: string; readonly displayOrder: number }>(
  rows: readonly T[],
  diffs: readonly Diff<T>[],
  side: Side,
): readonly T[] {
  return diffs.length === 0 ? rows : replacedRows(rows, diffs, side, codeOf).sort(byDisplayOrder)
}

function replacedRows<T>(
  rows: readonly T[],
  diffs: readonly Diff<T>[],
  side: Side,
  keyOf: (row: T) => string,
): T[] {
  const byKey = new Map(rows.map((row) => [keyOf(row), row]))
  for (const diff of diffs) {
    const row = diff[side]
    if (row !== null) byKey.set(keyOf(row), row)
    else if (diff.before !== null) byKey.delete(keyOf(diff.before))
    else if (diff.after !== null) byKey.delete(keyOf(diff.after))
  }
  return [...byKey.values()]
}

function codeOf(row: { readonly code: string }): string {
  return row.code
}

/** Returns the row of a diff that exists; at least one side always has one. */
export function presentRow<T>(diff: Diff<T>): T {
  const row = diff.after ?? diff.before
  if (row === null) throw new Error('a diff has a row on one side at least')
  return row
}

function replacedOptions(
  options: BaseCatalog['options'],
  diffs: readonly Diff<Option>[],
  side: Side,
): BaseCatalog['options'] {
  if (diffs.length === 0) return options
  const products = new Map(options)
  for (const [productCode, ofProduct] of groupBy(diffs, (diff) => presentRow(diff).productCode)) {
    const fields = new Map(products.get(productCode))
    for (const [fieldId, ofField] of groupBy(ofProduct, (diff) => presentRow(diff).fieldId)) {
      fields.set(fieldId, replaced(fields.get(fieldId) ?? [], ofField, side))
    }
    products.set(productCode, fields)
  }
  return products
}

/** Returns options as the base holds them: by product code, then field id, in display order. */
export function optionMap(options: readonly Option[]): BaseCatalog['options'] {
  return replacedOptions(
    new Map(),
    options.map((after) => ({ before: null, after })),
    'after',
  )
}

// ── Levels ──

function patchedLevels(levels: CatalogState['levels'], touched: Touched, side: Side): CatalogState['levels'] {
  if (touched.levels.length + touched.prices.length === 0) return levels
  const patchedOnes = new Map(levels)
  for (const diff of touched.levels) {
    const level = diff[side]
    const { code } = presentRow(diff)
    if (level === null) patchedOnes.delete(code)
    else patchedOnes.set(code, { prices: new Map(), ...levels.get(code), ...level })
  }
  for (const [code, diffs] of groupBy(touched.prices, (diff) => diff.levelCode)) {
    const level = patchedOnes.get(code)
    if (level === undefined) continue
    const prices = new Map(level.prices)
    const withdrawn = new Map(level.withdrawn)
    for (const diff of diffs) {
      setOrDelete(prices, diff.productCode, diff[side])
      // A price that is taken away is kept as the last price; undoing the removal forgets it again.
      if (diff.after === null) setOrDelete(withdrawn, diff.productCode, side === 'after' ? diff.before : null)
    }
    patchedOnes.set(code, { ...level, prices, withdrawn })
  }
  return patchedOnes
}

function setOrDelete<K, V>(map: Map<K, V>, key: K, value: V | null): void {
  if (value === null) map.delete(key)
  else map.set(key, value)
}

// ── Translations ──

function withTranslations(texts: OwnTexts, rows: readonly Translation[]): OwnTexts {
  return withEntries(
    texts,
    CATALOG_LANGUAGES.flatMap((language) => {
      const said = rows.flatMap((row) => (row.language === language ? [[row.text, row.said] as const] : []))
      return said.length === 0
        ? []
        : [[language, withEntries(texts.get(language) ?? new Map(), said)] as const]
    }),
  )
}

/** Lists the translations that hold. */
export function listTranslations(texts: OwnTexts): Translation[] {
  return [...texts].flatMap(([language, ofLanguage]) =>
    [...ofLanguage].flatMap(([text, said]) => (said === null ? [] : [{ language, text, said }])),
  )
}

// ── Data of one account ──

function patchedViews(views: CatalogState['views'], touched: Touched, side: Side): CatalogState['views'] {
  const parts = byReseller(touched)
  return withEntries(
    views,
    ownersOf(touched).map((id) => [id, patchedView(views.get(id) ?? NO_OWN_VIEW, parts(id), side)]),
  )
}

/** Lists the accounts whose own permissions or customisation were touched. */
export function ownersOf(touched: Touched): readonly bigint[] {
  const { permissions, overlayGroups, overlayCategories, overlayProducts, overlayOptions } = touched
  const all = [permissions, overlayGroups, overlayCategories, overlayProducts, overlayOptions].flat()
  return [...new Set(all.map((diff) => diff.resellerId))]
}

type OwnParts = Pick<
  Touched,
  'permissions' | 'overlayGroups' | 'overlayCategories' | 'overlayProducts' | 'overlayOptions'
>

function byReseller(touched: Touched): (resellerId: bigint) => OwnParts {
  const index = <T extends { readonly resellerId: bigint }>(diffs: readonly T[]) => {
    const groups = groupBy(diffs, (diff) => String(diff.resellerId))
    return (id: bigint): readonly T[] => groups.get(String(id)) ?? []
  }
  const permissions = index(touched.permissions)
  const groups = index(touched.overlayGroups)
  const categories = index(touched.overlayCategories)
  const products = index(touched.overlayProducts)
  const options = index(touched.overlayOptions)
  return (id) => ({
    permissions: permissions(id),
    overlayGroups: groups(id),
    overlayCategories: categories(id),
    overlayProducts: products(id),
    overlayOptions: options(id),
  })
}

function patchedView(view: OwnView, parts: OwnParts, side: Side): OwnView {
  const allowedProducts = new Set(view.allowedProducts)
  const deniedProducts = new Set(view.deniedProducts)
  for (const diff of parts.permissions) {
    const isAllowed = diff[side]
    allowedProducts.delete(diff.productCode)
    deniedProducts.delete(diff.productCode)
    if (isAllowed === true) allowedProducts.add(diff.productCode)
    if (isAllowed === false) deniedProducts.add(diff.productCode)
  }
  return { ...view, allowedProducts, deniedProducts, overlay: patchedOverlay(view.overlay, parts, side) }
}

function patchedOverlay(overlay: Overlay | undefined, parts: OwnParts, side: Side): Overlay | undefined {
  const { overlayGroups, overlayCategories, overlayProducts, overlayOptions } = parts
  const count =
    overlayGroups.length + overlayCategories.length + overlayProducts.length + overlayOptions.length
  if (count === 0) return overlay
  return {
    groups: replacedRows(overlay?.groups ?? [], overlayGroups, side, codeOf),
    categories: replacedRows(overlay?.categories ?? [], overlayCategories, side, codeOf),
    products: replacedRows(overlay?.products ?? [], overlayProducts, side, codeOf),
    options: replacedRows(overlay?.options ?? [], overlayOptions, side, optionKey),
    updatedAt: overlay?.updatedAt ?? new Date(0),
  }
}

/** Joins the parts with line breaks, which field ids and product codes never contain. */
export function optionKey(option: Pick<Option, 'productCode' | 'fieldId' | 'code'>): string {
  return `${option.productCode}\n${option.fieldId}\n${option.code}`
}

function withEntries<K, V>(map: ReadonlyMap<K, V>, entries: readonly (readonly [K, V])[]): ReadonlyMap<K, V> {
  return entries.length === 0 ? map : new Map([...map, ...entries])
}
