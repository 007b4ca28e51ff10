import type { LevelView } from '../model/compile.rules.ts'
import { compileLevel, compileSnapshot } from '../model/compile.rules.ts'
import { fingerprintOf } from '../model/fingerprint.rules.ts'
import { getLevel, NO_OWN_VIEW } from '../model/state.rules.ts'
import type { CatalogState, OwnView } from '../model/store.types.ts'
import type { BaseCatalog, Overlay, OverlayProduct, PriceLevel, Snapshot } from '../model/types.ts'

const SNAPSHOTS_MAX = 5_000
const BYTES_MAX = 256 * 1024 * 1024

export type SnapshotCache = {
  snapshotFor(state: CatalogState, reseller: { readonly id: bigint; readonly priceLevel: string }): Snapshot
  /** Returns the size of the snapshots of accounts with their own data. */
  size(): { readonly snapshots: number; readonly bytes: number }
}

/** Compiled level with the snapshot for accounts without their own data, and the fingerprints of the others. */
type LevelEntry = {
  readonly source: PriceLevel | undefined
  readonly level: LevelView
  readonly plain: Snapshot
  readonly fingerprints: WeakMap<OwnView, string>
}

type Entry = { readonly shelf: LevelEntry; readonly snapshot: Snapshot; readonly bytes: number }

/**
 * Opens a cache of compiled snapshots by fingerprint, so that accounts that see the same share one. The least
 * recently used are dropped when there are too many or they are too large; compiling one again takes a few
 * milliseconds.
 */
export function openSnapshotCache(
  limits: { readonly snapshotsMax?: number; readonly bytesMax?: number } = {},
): SnapshotCache {
  const { snapshotsMax = SNAPSHOTS_MAX, bytesMax = BYTES_MAX } = limits
  const levelEntries = new Map<string, LevelEntry>()
  const entries = new Map<string, Entry>()
  let bytes = 0

  function levelEntryOf(state: CatalogState, code: string): LevelEntry {
    const known = levelEntries.get(code)
    if (known?.level.base === state.base && known.source === state.levels.get(code)) return known
    dropOutdated(state)
    const shelf = openShelf(state, code)
    levelEntries.set(code, shelf)
    return shelf
  }

  function dropOutdated(state: CatalogState): void {
    const isOutdated = ({ level, source }: LevelEntry) =>
      level.base !== state.base || source !== state.levels.get(level.level.code)
    for (const [code, shelf] of levelEntries) if (isOutdated(shelf)) levelEntries.delete(code)
    for (const [fingerprint, entry] of entries) if (isOutdated(entry.shelf)) drop(fingerprint, entry)
  }

  function drop(fingerprint: string, entry: Entry): void {
    entries.delete(fingerprint)
    bytes -= entry.bytes
  }

  function keep(fingerprint: string, entry: Entry): void {
    entries.set(fingerprint, entry)
    bytes += entry.bytes
    for (const [oldest, old] of entries) {
      if (entries.size <= 1 || (entries.size <= snapshotsMax && bytes <= bytesMax)) return
      drop(oldest, old)
    }
  }

  return {
    snapshotFor(state, { id, priceLevel }) {
      const shelf = levelEntryOf(state, priceLevel)
      const own = state.views.get(id)
      if (own === undefined) return shelf.plain
      const fingerprint = fingerprintOn(shelf, own)
      if (fingerprint === shelf.plain.fingerprint) return shelf.plain
      const known = entries.get(fingerprint)
      if (known !== undefined) {
        // The order of the map is the order of use, so a used entry moves to the end.
        entries.delete(fingerprint)
        entries.set(fingerprint, known)
        return known.snapshot
      }
      const snapshot = compileSnapshot(shelf.level, { levelCode: priceLevel, ...own })
      keep(fingerprint, { shelf, snapshot, bytes: estimateBytes(state.base, own.overlay) })
      return snapshot
    },
    size: () => ({ snapshots: entries.size, bytes }),
  }
}

function openShelf(state: CatalogState, code: string): LevelEntry {
  const level = compileLevel(state.base, getLevel(state, code), {
    base: String(state.baseVersion),
    level: String(state.levelVersions.get(code) ?? 0n),
  })
  return {
    source: state.levels.get(code),
    level,
    plain: compileSnapshot(level, { levelCode: code, ...NO_OWN_VIEW }),
    fingerprints: new WeakMap(),
  }
}

function fingerprintOn({ level, fingerprints }: LevelEntry, own: OwnView): string {
  const known = fingerprints.get(own)
  if (known !== undefined) return known
  const made = fingerprintOf(level, { levelCode: level.level.code, ...own })
  fingerprints.set(own, made)
  return made
}

const ENTRY_BYTES = 64
const PRODUCT_BYTES = 1_000
const OPTION_BYTES = 300

/** Estimates the memory of a snapshot that it does not share: its maps, and the lists that its overlay touches. */
export function estimateBytes(base: BaseCatalog, overlay: Overlay | undefined): number {
  const places = base.groups.length + base.categories.length + base.products.length
  if (overlay === undefined) return places * ENTRY_BYTES
  const listOf = (productCode: string, fieldId: string) =>
    base.options.get(productCode)?.get(fieldId)?.length ?? 0
  const touched = new Map(
    overlay.options.map((option) => [`${option.productCode} ${option.fieldId}`, option]),
  )
  const copied = [...touched.values()].reduce((sum, each) => sum + listOf(each.productCode, each.fieldId), 0)
  const isPricedAnew = ({ adjustment, minAmount, maxAmount }: OverlayProduct) =>
    adjustment !== null || minAmount !== null || maxAmount !== null
  const adjusted = new Set(overlay.products.filter(isPricedAnew).map((each) => each.code))
  const priced = base.products
    .filter((product) => adjusted.has(product.code))
    .flatMap(({ code, fields }) =>
      fields.filter((field) => field.role === 'pricing').map(({ id }) => listOf(code, id)),
    )
    .reduce((sum, length) => sum + length, 0)
  return (
    (places + copied) * ENTRY_BYTES +
    (overlay.products.length + touched.size) * PRODUCT_BYTES +
    (overlay.options.length + priced) * OPTION_BYTES
  )
}
