import { isSame } from '../../lib/input/same.ts'
import { describe } from '../../modules/catalog/changes/view.ts'
import { optionKey } from '../../modules/catalog/model/state.rules.ts'
import type { CatalogState, Diff, OwnView, Touched } from '../../modules/catalog/model/store.types.ts'
import { NOTHING_TOUCHED } from '../../modules/catalog/model/touched.rules.ts'
import type { Option, Snapshot } from '../../modules/catalog/model/types.ts'

/** Copy at a client: the data of each resource, as JSON, by `resource id`. */
export type Copy = Map<string, string>

/** Makes the copy of a client that received every event. */
export function copyOf(snapshot: Snapshot): Copy {
  const described = describe(snapshot)
  const copy: Copy = new Map()
  const put = (resource: string, id: string, data: string | null) => {
    if (data !== null) copy.set(`${resource} ${id}`, data)
  }
  for (const code of described.groupCodes) put('groups', code, described.group(code))
  for (const code of described.categoryCodes) put('categories', code, described.category(code))
  for (const [code, { product }] of snapshot.products) {
    put('products', code, described.product(code))
    for (const { id } of product.fields) {
      for (const option of described.optionCodes(code, id)) {
        put('options', `${code}:${id}:${option}`, described.option(code, id, option))
      }
    }
  }
  return copy
}

export type Announced = {
  readonly resource: string
  readonly id: string
  readonly type: string
  readonly data: string | null
}

/** Applies events as a client does. Throws at an event that no client should receive. */
export function applyEvents(copy: Copy, events: Iterable<Announced>): void {
  for (const { resource, id, type, data } of events) {
    const key = `${resource} ${id}`
    const had = copy.get(key)
    const what = type.split('.')[1]
    const expected = data === null ? 'deleted' : had === undefined ? 'created' : 'updated'
    if (what !== expected) throw new Error(`${type} of ${key}, which should be ${expected}`)
    if (data === (had ?? null)) throw new Error(`${type} of ${key} says nothing new`)
    if (data === null) copy.delete(key)
    else copy.set(key, data)
  }
}

/** Lists all changes from one catalog to another, also those that a writer never makes: removed base rows. */
export function touchedBetween(before: CatalogState, after: CatalogState): Touched {
  const ids = new Set([...before.views.keys(), ...after.views.keys()])
  const levelCodes = new Set([...before.levels.keys(), ...after.levels.keys()])
  const nameOf = (state: CatalogState, code: string) => {
    const level = state.levels.get(code)
    return level === undefined ? [] : [{ code, name: level.name }]
  }
  return {
    ...NOTHING_TOUCHED,
    groups: diffRows(before.base.groups, after.base.groups, (row) => row.code),
    categories: diffRows(before.base.categories, after.base.categories, (row) => row.code),
    products: diffRows(before.base.products, after.base.products, (row) => row.code),
    options: diffRows(allOptions(before), allOptions(after), optionKey),
    levels: [...levelCodes].flatMap((code) =>
      diffRows(nameOf(before, code), nameOf(after, code), (row) => row.code),
    ),
    prices: [...levelCodes].flatMap((levelCode) =>
      diffMaps(before.levels.get(levelCode)?.prices, after.levels.get(levelCode)?.prices).map(
        ({ key, ...diff }) => ({ levelCode, productCode: key, ...diff }),
      ),
    ),
    ...ownDiffs(ids, before, after),
  }
}

function ownDiffs(ids: ReadonlySet<bigint>, before: CatalogState, after: CatalogState) {
  const each = <D>(diffsOf: (was: OwnView | undefined, is: OwnView | undefined) => readonly D[]) =>
    [...ids].flatMap((resellerId) =>
      diffsOf(before.views.get(resellerId), after.views.get(resellerId)).map((diff) => ({
        ...diff,
        resellerId,
      })),
    )
  return {
    permissions: each((was, is) =>
      diffMaps(permissionsOf(was), permissionsOf(is)).map(({ key, ...diff }) => ({
        productCode: key,
        ...diff,
      })),
    ),
    overlayGroups: each((was, is) =>
      diffRows(was?.overlay?.groups ?? [], is?.overlay?.groups ?? [], (row) => row.code),
    ),
    overlayCategories: each((was, is) =>
      diffRows(was?.overlay?.categories ?? [], is?.overlay?.categories ?? [], (row) => row.code),
    ),
    overlayProducts: each((was, is) =>
      diffRows(was?.overlay?.products ?? [], is?.overlay?.products ?? [], (row) => row.code),
    ),
    overlayOptions: each((was, is) =>
      diffRows(was?.overlay?.options ?? [], is?.overlay?.options ?? [], optionKey),
    ),
  }
}

function permissionsOf(view: OwnView | undefined): ReadonlyMap<string, boolean> {
  return new Map([
    ...[...(view?.allowedProducts ?? [])].map((code): [string, boolean] => [code, true]),
    ...[...(view?.deniedProducts ?? [])].map((code): [string, boolean] => [code, false]),
  ])
}

function allOptions({ base }: CatalogState): Option[] {
  return [...base.options.values()].flatMap((fields) => [...fields.values()].flat())
}

function diffRows<T>(before: readonly T[], after: readonly T[], keyOf: (row: T) => string): Diff<T>[] {
  const index = (rows: readonly T[]) => new Map(rows.map((row) => [keyOf(row), row]))
  return diffMaps(index(before), index(after)).map(({ key: _, ...diff }) => diff)
}

function diffMaps<T>(
  before: ReadonlyMap<string, T> = new Map(),
  after: ReadonlyMap<string, T> = new Map(),
): (Diff<T> & { readonly key: string })[] {
  return [...new Set([...before.keys(), ...after.keys()])]
    .map((key) => ({ key, before: before.get(key) ?? null, after: after.get(key) ?? null }))
    .filter((diff) => !isSame(diff.before, diff.after))
}
