import { createHash } from 'node:crypto'
import type { AccountView, BaseCatalog, Overlay, PriceLevel } from './types.ts'

/** Versions of base and level in fingerprints; the code that loads base and level knows when they changed. */
export type CatalogVersions = { readonly base: string; readonly level: string }

/**
 * Returns the time of the last update. Options and prices do not move it; a change in what the account may buy
 * does.
 */
export function lastUpdatedOf(
  base: BaseCatalog,
  level: Pick<PriceLevel, 'accessUpdatedAt'>,
  view: Pick<AccountView, 'accessUpdatedAt' | 'overlay'>,
): Date {
  const times = [view.overlay?.updatedAt, level.accessUpdatedAt, view.accessUpdatedAt]
  return times.reduce<Date>(
    (latest, time) => (time !== undefined && time > latest ? time : latest),
    base.updatedAt,
  )
}

/**
 * Returns a fingerprint that is equal for accounts that see the same. Base and level count by their versions,
 * so that only the account's own data is read. Entries without effect (an entry without a change, a permission
 * for a product that anyone may buy) do not count.
 */
export function fingerprintOf(
  { base, level, versions }: { base: BaseCatalog; level: PriceLevel; versions: CatalogVersions },
  view: AccountView,
): string {
  const content = [
    versions.base,
    view.levelCode,
    versions.level,
    lastUpdatedOf(base, level, view).getTime(),
    listAccesses(base, view.allowedProducts),
    [...view.deniedProducts].sort(),
    overlayContent(view.overlay),
  ]
  return createHash('sha256').update(JSON.stringify(content, writeBigInt)).digest('base64url')
}

function listAccesses(base: BaseCatalog, allowedProducts: ReadonlySet<string>): readonly string[] {
  if (allowedProducts.size === 0) return []
  const restricted = base.products.filter((product) => product.isRestricted)
  return restricted
    .map((product) => product.code)
    .filter((code) => allowedProducts.has(code))
    .sort()
}

type Row = readonly unknown[]

function overlayContent(overlay: Overlay | undefined): readonly (readonly Row[])[] {
  if (overlay === undefined) return [[], [], [], []]
  return [
    rows(overlay.groups, (each) => [each.isOwn, each.name, each.iconUrl, each.displayOrder]),
    rows(overlay.categories, (each) => [
      each.isOwn,
      each.groupCode,
      each.name,
      each.iconUrl,
      each.displayOrder,
    ]),
    rows(overlay.products, (each) => [
      !each.isEnabled,
      each.categoryCode,
      each.displayName,
      each.imageUrl,
      each.displayOrder,
      each.adjustment?.type,
      each.adjustment?.value,
      each.minAmount,
      each.maxAmount,
    ]),
    rows(overlay.options, (each) => [!each.isEnabled, each.rrp], ['productCode', 'fieldId', 'code']),
  ]
}

/** Returns one row for each entry with a change, sorted, so that the order of the entries does not matter. */
function rows<T extends { readonly code: string }>(
  entries: readonly T[],
  content: (entry: T) => Row,
  key: readonly (keyof T)[] = ['code'],
): readonly Row[] {
  return entries
    .map((entry) => ({ id: key.map((name) => entry[name]), content: content(entry) }))
    .filter((row) => row.content.some((value) => value !== false && (value ?? null) !== null))
    .map((row) => ({ sortKey: JSON.stringify(row.id), row: [...row.id, ...row.content] }))
    .sort((a, b) => (a.sortKey < b.sortKey ? -1 : 1))
    .map(({ row }) => row)
}

function writeBigInt(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}n` : value
}
