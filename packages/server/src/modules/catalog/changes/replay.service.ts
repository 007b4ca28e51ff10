import type { Queryable } from '../../../db/database.ts'
import type { AddressOf } from '../../../lib/own-addresses.ts'
import { asStored } from '../../../lib/own-addresses.ts'
import type { AccountEvent } from './events.types.ts'
import type { SetSize, Slice } from './replay.rules.ts'
import { locate } from './replay.rules.ts'
import type { ReplayRow, SetKey, SetPosition } from './replay.sql.ts'
import { listAtPositions, listReplaySets, listSetSizes, listSlices } from './replay.sql.ts'

/** Place of one event of a change in the order in which the account gets the events, from 1. */
export type OrderedPosition = {
  readonly resellerId: bigint
  readonly version: bigint
  readonly position: number
}

/**
 * Reader of catalogue events as accounts get them, in the order of the places; undefined: the event is no
 * longer kept.
 */
export type CatalogReplay = {
  /** Reads everything between the first and the last place of a change, so the places should be close together. */
  readOrdered(places: readonly OrderedPosition[]): Promise<(AccountEvent | undefined)[]>
  readAtPositions(places: readonly SetPosition[]): Promise<(AccountEvent | undefined)[]>
}

/** Limit of cached set sizes; a change of everything has about fifty sets. */
const SIZES_MAX = 20_000

export function createCatalogReplay(connection: Queryable, addressOf: AddressOf = asStored): CatalogReplay {
  // A set that an account has got never changes, so its size is counted once.
  const sizes = new Map<string, SetSize>()

  async function sizesOf(changes: readonly ReplayRow[]): Promise<ReadonlyMap<string, SetSize>> {
    const found = new Map<string, SetSize>()
    const unknown = new Map<string, SetKey>()
    for (const { version, set_ids: setIds } of changes) {
      for (const setId of setIds) {
        const key = setKey(version, setId)
        const size = sizes.get(key)
        if (size === undefined) unknown.set(key, { version, setId })
        else found.set(key, size)
      }
    }
    const counted = unknown.size === 0 ? [] : await listSetSizes(connection, [...unknown.values()])
    for (const { version, ...size } of counted) {
      const key = setKey(version, size.id)
      found.set(key, size)
      if (sizes.size < SIZES_MAX) sizes.set(key, size)
    }
    return found
  }

  async function readOrdered(places: readonly OrderedPosition[]): Promise<(AccountEvent | undefined)[]> {
    if (places.length === 0) return []
    const ranges = rangesOf(places)
    const changes = await listReplaySets(connection, [...ranges.values()])
    const known = await sizesOf(changes)
    const wanted = changes.flatMap((row) =>
      slicesOf(row, ranges.get(changeKey(row.reseller_id, row.version)), known),
    )
    const rows = wanted.length === 0 ? [] : await listSlices(connection, wanted)
    const events = new Map<string, AccountEvent>()
    for (const { slice: index, place, ...row } of rows) {
      const slice = wanted[index]
      if (slice === undefined) continue
      const position = slice.position + place
      const { change: to } = slice
      events.set(
        `${changeKey(to.reseller_id, to.version)} ${position}`,
        eventOf(row, to, to.version, position, addressOf),
      )
    }
    return places.map((each) => events.get(`${changeKey(each.resellerId, each.version)} ${each.position}`))
  }

  async function readAtPositions(places: readonly SetPosition[]): Promise<(AccountEvent | undefined)[]> {
    if (places.length === 0) return []
    const events: (AccountEvent | undefined)[] = places.map(() => undefined)
    for (const { place, ...row } of await listAtPositions(connection, places)) {
      const asked = places[place]
      if (asked !== undefined) events[place] = eventOf(row, row, asked.version, asked.position, addressOf)
    }
    return events
  }

  return { readOrdered, readAtPositions }
}

function setKey(version: bigint, setId: string): string {
  return `${version} ${setId}`
}

function changeKey(resellerId: bigint, version: bigint): string {
  return `${resellerId} ${version}`
}

type Range = { resellerId: bigint; version: bigint; first: number; last: number }

function rangesOf(places: readonly OrderedPosition[]): ReadonlyMap<string, Range> {
  const ranges = new Map<string, Range>()
  for (const { resellerId, version, position } of places) {
    const key = changeKey(resellerId, version)
    const range = ranges.get(key) ?? { resellerId, version, first: position, last: position }
    range.first = Math.min(range.first, position)
    range.last = Math.max(range.last, position)
    ranges.set(key, range)
  }
  return ranges
}

type ReplaySlice = Slice & { readonly version: bigint; readonly change: ReplayRow }

function slicesOf(
  change: ReplayRow,
  range: Range | undefined,
  known: ReadonlyMap<string, SetSize>,
): readonly ReplaySlice[] {
  if (range === undefined) return []
  const { version } = change
  const sets = change.set_ids.map((id) => known.get(setKey(version, id)) ?? { id, coming: 0, going: 0 })
  return locate(sets, range.first, range.last).map((slice) => ({ ...slice, version, change }))
}

function eventOf(
  row: Pick<AccountEvent, 'type' | 'resource' | 'data'> & { resource_id: string },
  change: { reseller_code: string; created_at: Date },
  version: bigint,
  position: number,
  addressOf: AddressOf,
): AccountEvent {
  const { type, resource } = row
  const data = row.data === null ? null : withAddresses(row.data, addressOf)
  return {
    version,
    position,
    type,
    resource,
    id: row.resource_id,
    // This field alone differs between accounts that share a set.
    data: resource === 'products' && data !== null ? { ...data, reseller_code: change.reseller_code } : data,
    createdAt: change.created_at,
  }
}

/** Adds the service's current address to our own pictures: they are stored as paths. */
function withAddresses(data: NonNullable<AccountEvent['data']>, addressOf: AddressOf): typeof data {
  const pictures = ['image_url', 'icon_url'].flatMap((name) => {
    const url = data[name]
    return typeof url === 'string' ? [[name, addressOf(url)] as const] : []
  })
  return { ...data, ...Object.fromEntries(pictures) }
}
