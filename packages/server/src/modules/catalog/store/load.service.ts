import type { Queryable } from '../../../db/database.ts'
import { unavailable } from '../../../lib/errors.ts'
import { groupBy } from '../model/option-lists.rules.ts'
import type { LoadedRows } from '../model/state.rules.ts'
import { EMPTY_STATE, NO_OWN_VIEW, withLoaded } from '../model/state.rules.ts'
import type { CatalogState, OwnView } from '../model/store.types.ts'
import type { BaseCatalog, Overlay, PriceLevel } from '../model/types.ts'
import type { Versioned } from './base.sql.ts'
import { listCategories, listGroups, listProductRows } from './base.sql.ts'
import { listLevelRows } from './levels.sql.ts'
import { listOptionRows } from './options.sql.ts'
import type { Owned } from './overlays.sql.ts'
import {
  listOverlayCategories,
  listOverlayGroups,
  listOverlayOptions,
  listOverlayProducts,
} from './overlays.sql.ts'
import { listTextRows } from './texts.sql.ts'
import { readVersion } from './version.sql.ts'
import type { PermissionRow, ViewRow } from './views.sql.ts'
import { findViewRow, listPermissionRows, listViewRows } from './views.sql.ts'

/**
 * Reads everything newer than a version; 0 reads all. It needs many statements: the connection must be in a
 * snapshot, or in a transaction that holds the lock on the version.
 */
export async function readRows(connection: Queryable, after: bigint): Promise<LoadedRows> {
  const { version, structureUpdatedAt } = await readVersion(connection)
  const groups = await listGroups(connection, after)
  const categories = await listCategories(connection, after)
  const products = await listProductRows(connection, after)
  const options = await listOptionRows(connection, after)
  return {
    version,
    structureUpdatedAt,
    base: {
      groups: groups.map(rowOf),
      categories: categories.map(rowOf),
      products: products.map(rowOf),
      options: options.map(rowOf),
    },
    baseVersion: newestOf([groups, categories, products, options]),
    levels: await listLevelRows(connection, after),
    texts: await listTextRows(connection, after),
    views: await readViews(connection, await listViewRows(connection, after)),
  }
}

function rowOf<T>({ row }: Versioned<T>): T {
  return row
}

function newestOf(lists: readonly (readonly { readonly version: bigint }[])[]): bigint | undefined {
  let newest: bigint | undefined
  for (const list of lists) {
    for (const { version } of list) if (newest === undefined || version > newest) newest = version
  }
  return newest
}

/** Reads the whole state; the connection must guarantee that it is of one version. */
export async function readState(connection: Queryable): Promise<CatalogState> {
  return withLoaded(EMPTY_STATE, await readRows(connection, 0n))
}

const ATTEMPTS_MAX = 10

/**
 * Reads until the version is equal before and after. Every commit moves the version, so the result is of that
 * version.
 */
async function readAtOneVersion<T>(connection: Queryable, read: () => Promise<T>): Promise<T> {
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const before = await readVersion(connection)
    const result = await read()
    const after = await readVersion(connection)
    if (before.version === after.version) return result
  }
  throw unavailable('catalog_busy', 'the catalogue changed each time it was read')
}

/**
 * Loads the whole catalogue in one version, on any connection. `held`: a copy that is returned if it is of the
 * present version.
 */
export async function loadCatalog(connection: Queryable, held?: CatalogState): Promise<CatalogState> {
  if (held !== undefined && (await readVersion(connection)).version === held.version) return held
  return readAtOneVersion(connection, () => readState(connection))
}

/** Tells whether the catalogue was never written to. */
export async function isUntouched(connection: Queryable): Promise<boolean> {
  return (await readVersion(connection)).version === 0n
}

export async function loadBase(connection: Queryable): Promise<BaseCatalog> {
  return (await loadCatalog(connection)).base
}

export async function listLevels(connection: Queryable): Promise<PriceLevel[]> {
  return [...(await loadCatalog(connection)).levels.values()]
}

// ── Data of one account ──

/** Finds the overlay; undefined: nothing is customised. */
export async function findOverlay(connection: Queryable, resellerId: bigint): Promise<Overlay | undefined> {
  const { overlay } = await readAtOneVersion(connection, () => readOwnView(connection, resellerId))
  return overlay !== undefined && isEmpty(overlay) ? undefined : overlay
}

export function isEmpty({ groups, categories, products, options }: Overlay): boolean {
  return groups.length + categories.length + products.length + options.length === 0
}

/** Reads an account's own view in many statements: see `readRows`. */
export async function readOwnView(connection: Queryable, resellerId: bigint): Promise<OwnView> {
  const row = await findViewRow(connection, resellerId)
  if (row === undefined) return NO_OWN_VIEW
  return (await readViews(connection, [row])).get(resellerId) ?? NO_OWN_VIEW
}

async function readViews(
  connection: Queryable,
  rows: readonly ViewRow[],
): Promise<ReadonlyMap<bigint, OwnView>> {
  if (rows.length === 0) return new Map()
  const ids = rows.map((row) => row.resellerId)
  const permissions = byReseller(await listPermissionRows(connection, ids))
  const groups = byReseller(await listOverlayGroups(connection, ids))
  const categories = byReseller(await listOverlayCategories(connection, ids))
  const products = byReseller(await listOverlayProducts(connection, ids))
  const options = byReseller(await listOverlayOptions(connection, ids))
  return new Map(
    rows.map(({ resellerId: id, overlayUpdatedAt, accessUpdatedAt }) => [
      id,
      {
        ...permissionSets(permissions(id)),
        accessUpdatedAt: accessUpdatedAt ?? undefined,
        // A removed overlay keeps its time, so that a client's older copy counts as outdated.
        overlay:
          overlayUpdatedAt === null
            ? undefined
            : {
                groups: groups(id).map(ownRowOf),
                categories: categories(id).map(ownRowOf),
                products: products(id).map(ownRowOf),
                options: options(id).map(ownRowOf),
                updatedAt: overlayUpdatedAt,
              },
      },
    ]),
  )
}

function ownRowOf<T>({ row }: Owned<T>): T {
  return row
}

function byReseller<T extends { readonly resellerId: bigint }>(rows: readonly T[]) {
  const groups = groupBy(rows, (row) => String(row.resellerId))
  return (id: bigint): readonly T[] => groups.get(String(id)) ?? []
}

function permissionSets(rows: readonly PermissionRow[]) {
  const codes = (isAllowed: boolean) =>
    new Set(rows.filter((row) => row.isAllowed === isAllowed).map((row) => row.productCode))
  return { allowedProducts: codes(true), deniedProducts: codes(false) }
}
