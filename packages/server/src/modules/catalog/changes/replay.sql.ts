import { plainArray } from '../../../db/arrays.ts'
import type { Queryable } from '../../../db/database.ts'
import type { EventResource, EventType } from '../model/changes.types.ts'
import type { SetSize, Slice } from './replay.rules.ts'

/** Sets that an account gets for a change, in their order. */
export type ReplayRow = {
  reseller_id: bigint
  version: bigint
  set_ids: string[]
  reseller_code: string
  created_at: Date
}

const LIST_EVENTS_OF_ACCOUNTS = {
  name: 'catalog_list_told',
  text: `select t.* from unnest($1::bigint[], $2::bigint[]) as k (reseller_id, version)
           join lateral (
             select reseller_id, version, set_ids::text[] as set_ids, reseller_code, created_at
               from account_catalog_events where reseller_id = k.reseller_id and version = k.version limit 1
           ) t on true`,
}

export async function listReplaySets(
  connection: Queryable,
  keys: readonly { readonly resellerId: bigint; readonly version: bigint }[],
): Promise<ReplayRow[]> {
  const { rows } = await connection.query<ReplayRow>(LIST_EVENTS_OF_ACCOUNTS, [
    plainArray(keys.map((key) => key.resellerId)),
    plainArray(keys.map((key) => key.version)),
  ])
  return rows
}

export type SetKey = { readonly version: bigint; readonly setId: string }

const LIST_SET_SIZES = {
  name: 'catalog_list_set_sizes',
  text: `select k.version, k.set_id as id, s.coming, s.going
           from unnest($1::bigint[], $2::uuid[]) as k (version, set_id)
          cross join lateral (
            select count(data)::integer as coming, (count(*) - count(data))::integer as going
              from catalog_events where version = k.version and set_id = k.set_id
          ) s`,
}

export async function listSetSizes(
  connection: Queryable,
  keys: readonly SetKey[],
): Promise<(SetSize & { readonly version: bigint })[]> {
  const { rows } = await connection.query<SetSize & { version: bigint }>(LIST_SET_SIZES, [
    plainArray(keys.map((key) => key.version)),
    plainArray(keys.map((key) => key.setId)),
  ])
  return rows
}

type EventRow = {
  type: EventType
  resource: EventResource
  resource_id: string
  data: Record<string, unknown> | null
}

export type SliceRow = EventRow & {
  /** Number of the slice, and of the event within it, both from 0. */
  slice: number
  place: number
}

const LIST_SLICES = {
  name: 'catalog_list_slices',
  text: `select (s.slice - 1)::integer as slice, (row_number() over (partition by s.slice order by e.position) - 1)::integer
                  as place,
                e.type, e.resource, e.resource_id, e.data
           from unnest($1::bigint[], $2::uuid[], $3::boolean[], $4::integer[], $5::integer[]) with ordinality
             as s (version, set_id, is_going, pass_over, count, slice)
          cross join lateral (
            select position, type, resource, resource_id, data from catalog_events
             where version = s.version and set_id = s.set_id and (data is null) = s.is_going
             order by position offset s.pass_over limit s.count
          ) e`,
}

export async function listSlices(
  connection: Queryable,
  slices: readonly (Slice & { readonly version: bigint })[],
): Promise<SliceRow[]> {
  const { rows } = await connection.query<SliceRow>(LIST_SLICES, [
    plainArray(slices.map((slice) => slice.version)),
    plainArray(slices.map((slice) => slice.setId)),
    plainArray(slices.map((slice) => String(slice.isGoing))),
    plainArray(slices.map((slice) => slice.skip)),
    plainArray(slices.map((slice) => slice.count)),
  ])
  return rows
}

export type SetPosition = SetKey & { readonly resellerId: bigint; readonly position: number }
export type PositionedRow = EventRow & {
  /** Number of the place, from 0. */
  place: number
  reseller_code: string
  created_at: Date
}

const LIST_PLACED = {
  name: 'catalog_list_placed',
  text: `select (k.place - 1)::integer as place, e.*, t.reseller_code, t.created_at
           from unnest($1::bigint[], $2::bigint[], $3::uuid[], $4::integer[]) with ordinality
             as k (reseller_id, version, set_id, position, place)
           join lateral (
             select reseller_code, created_at from account_catalog_events
              where reseller_id = k.reseller_id and version = k.version limit 1
           ) t on true
           join lateral (
             select type, resource, resource_id, data from catalog_events
              where version = k.version and set_id = k.set_id and position = k.position limit 1
           ) e on true`,
}

export async function listAtPositions(
  connection: Queryable,
  places: readonly SetPosition[],
): Promise<PositionedRow[]> {
  const { rows } = await connection.query<PositionedRow>(LIST_PLACED, [
    plainArray(places.map((place) => place.resellerId)),
    plainArray(places.map((place) => place.version)),
    plainArray(places.map((place) => place.setId)),
    plainArray(places.map((place) => place.position)),
  ])
  return rows
}
