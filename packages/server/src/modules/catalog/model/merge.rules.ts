import { isSame } from '../../../lib/input/same.ts'
import { optionKey } from './state.rules.ts'
import type {
  BaseChange,
  CatalogState,
  Counts,
  Diff,
  OverlayChange,
  OverlayDiff,
  PermissionDiff,
  PriceDiff,
  TextDiff,
  Touched,
} from './store.types.ts'
import { COUNTED } from './store.types.ts'
import { NOTHING_TOUCHED } from './touched.rules.ts'
import type { BaseCatalog, Option, Overlay } from './types.ts'

type Kind = (typeof COUNTED)[number]
type Tally = { created: number; updated: number; deactivated: number; unchanged: number }
type Repeated = { readonly kind: Kind; readonly id: string }

/** Effect of a change on the present state. */
export type Merge = {
  readonly touched: Touched
  readonly created: Counts
  readonly updated: Counts
  readonly deactivated: Counts
  readonly unchanged: Counts
  /** Ids that occur more than once in the change. */
  readonly repeated: readonly Repeated[]
}

export function mergeBase(state: CatalogState, change: BaseChange): Merge {
  const { base, levels } = state
  const names = [...levels.values()].map(({ code, name }) => ({ code, name }))
  const merges = {
    groups: mergeRows('groups', change.groups, codeOf, present(base.groups)),
    categories: mergeRows('categories', change.categories, codeOf, present(base.categories)),
    products: mergeRows('products', change.products, codeOf, present(base.products)),
    options: mergeRows('options', change.options, optionId, presentOptions(base.options)),
    levels: mergeRows('levels', change.levels, codeOf, present(names)),
    texts: mergeRows('texts', change.texts, textId, presentText(state)),
    prices: mergeRows('prices', change.prices, priceId, presentPrice(state)),
    permissions: mergeRows('permissions', change.permissions, permissionId, presentPermission(state)),
  }
  const { groups, categories, products, options, texts, prices, permissions } = merges
  return {
    touched: {
      ...NOTHING_TOUCHED,
      groups: groups.diffs,
      categories: categories.diffs,
      products: products.diffs,
      options: options.diffs,
      levels: merges.levels.diffs,
      texts: texts.diffs,
      prices: prices.diffs,
      permissions: permissions.diffs,
    },
    ...countsOf(merges),
    repeated: COUNTED.flatMap((kind) => merges[kind].repeated),
  }
}

type MergedRows<D> = {
  readonly diffs: readonly D[]
  readonly tally: Tally
  readonly repeated: readonly Repeated[]
}

function mergeRows<T, D extends Diff<unknown>>(
  kind: Kind,
  given: readonly T[] | undefined,
  idOf: (row: T) => string,
  diffOf: (row: T) => D,
): MergedRows<D> {
  const seen = new Set<string>()
  const tally: Tally = { created: 0, updated: 0, deactivated: 0, unchanged: 0 }
  const diffs: D[] = []
  const repeated: Repeated[] = []
  for (const row of given ?? []) {
    const id = idOf(row)
    if (seen.has(id)) repeated.push({ kind, id })
    seen.add(id)
    const diff = diffOf(row)
    const outcome = outcomeOf(diff)
    tally[outcome] += 1
    if (outcome !== 'unchanged') diffs.push(diff)
  }
  return { diffs, tally, repeated }
}

type Given<K extends Kind> = NonNullable<BaseChange[K]>[number]

function codeOf(row: { readonly code: string }): string {
  return row.code
}

function optionId({ productCode, fieldId, code }: Given<'options'>): string {
  return `${productCode}:${fieldId}:${code}`
}

function textId({ language, text }: Given<'texts'>): string {
  return `${language}:${text}`
}

function priceId({ levelCode, productCode }: Given<'prices'>): string {
  return `${levelCode}:${productCode}`
}

function permissionId({ resellerId, productCode }: Given<'permissions'>): string {
  return `${resellerId}:${productCode}`
}

function present<T extends { readonly code: string }>(rows: readonly T[]): (row: T) => Diff<T> {
  const byCode = new Map(rows.map((row) => [row.code, row]))
  return (row) => ({ before: byCode.get(row.code) ?? null, after: row })
}

function presentOptions(options: BaseCatalog['options']): (row: Option) => Diff<Option> {
  const indexes = new Map<readonly Option[], ReadonlyMap<string, Option>>()
  return (row) => {
    const list = options.get(row.productCode)?.get(row.fieldId)
    if (list === undefined) return { before: null, after: row }
    const index = indexes.get(list) ?? new Map(list.map((each) => [each.code, each]))
    indexes.set(list, index)
    return { before: index.get(row.code) ?? null, after: row }
  }
}

function presentText({ texts }: CatalogState): (row: Given<'texts'>) => TextDiff {
  return ({ language, text, said }) => ({
    language,
    text,
    before: texts.get(language)?.get(text) ?? null,
    after: said,
  })
}

function presentPrice({ levels }: CatalogState): (row: Given<'prices'>) => PriceDiff {
  return ({ levelCode, productCode, price }) => ({
    levelCode,
    productCode,
    before: levels.get(levelCode)?.prices.get(productCode) ?? null,
    after: price,
  })
}

function presentPermission({ views }: CatalogState): (row: Given<'permissions'>) => PermissionDiff {
  return ({ resellerId, productCode, isAllowed }) => {
    const view = views.get(resellerId)
    const isAllowedNow = view?.allowedProducts.has(productCode) ? true : null
    const before = view?.deniedProducts.has(productCode) ? false : isAllowedNow
    return { resellerId, productCode, before, after: isAllowed }
  }
}

function outcomeOf({ before, after }: Diff<unknown>): keyof Tally {
  if (isSame(before, after)) return 'unchanged'
  if (before === null) return 'created'
  return after === null || (isActive(before) && !isActive(after)) ? 'deactivated' : 'updated'
}

/** Tells whether a row is switched on; a row without a switch is. */
function isActive(row: unknown): boolean {
  return !(typeof row === 'object' && row !== null && 'isActive' in row && row.isActive === false)
}

function countsOf(merges: Readonly<Record<Kind, { readonly tally: Tally }>>) {
  const count = (outcome: keyof Tally) =>
    Object.fromEntries(COUNTED.map((kind) => [kind, merges[kind].tally[outcome]])) as Counts
  return {
    created: count('created'),
    updated: count('updated'),
    deactivated: count('deactivated'),
    unchanged: count('unchanged'),
  }
}

// ── One account's overlay ──

/** Returns the effect of the change; a row that is both set and removed is set. */
export function mergeOverlay(
  resellerId: bigint,
  overlay: Overlay | undefined,
  change: OverlayChange,
): Touched {
  const { removed } = change
  const merge = <T>(
    present: readonly T[] | undefined,
    set: readonly T[] | undefined,
    removedKeys: readonly string[] | undefined,
    keyOf: (row: T) => string,
  ): OverlayDiff<T>[] => {
    const before = new Map((present ?? []).map((row) => [keyOf(row), row]))
    const after = new Map<string, T | null>((removedKeys ?? []).map((key) => [key, null]))
    for (const row of set ?? []) after.set(keyOf(row), row)
    return [...after]
      .map(([key, row]) => ({ resellerId, before: before.get(key) ?? null, after: row }))
      .filter((diff) => !isSame(diff.before, diff.after))
  }
  return {
    ...NOTHING_TOUCHED,
    overlayGroups: merge(overlay?.groups, change.groups, removed?.groups, codeOf),
    overlayCategories: merge(overlay?.categories, change.categories, removed?.categories, codeOf),
    overlayProducts: merge(overlay?.products, change.products, removed?.products, codeOf),
    overlayOptions: merge(overlay?.options, change.options, removed?.options?.map(optionKey), optionKey),
  }
}

/** Returns the change that removes the whole overlay. */
export function removalOf(overlay: Overlay): OverlayChange {
  return {
    removed: {
      groups: overlay.groups.map((each) => each.code),
      categories: overlay.categories.map((each) => each.code),
      products: overlay.products.map((each) => each.code),
      options: overlay.options,
    },
  }
}
