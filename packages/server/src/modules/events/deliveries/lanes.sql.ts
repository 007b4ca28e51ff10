import { plainArray } from '../../../db/arrays.ts'
import type { Column } from '../../../db/calls.ts'
import { defineBatchCall, defineCall } from '../../../db/calls.ts'
import type { Queryable } from '../../../db/database.ts'
import type { ClaimTerms } from '../../../db/leases.ts'
import type { Stream } from '../types.ts'
import { STREAMS } from '../types.ts'
import type { LaneKey } from './deliveries.types.ts'

type LaneRow = { reseller_id: bigint; stream: Stream }

const CLAIM = defineCall(
  { name: 'delivery_lanes_claim', text: 'select reseller_id, stream from claim_lanes_of(...)' },
  {
    p_streams: 'text[]',
    p_holder: 'uuid',
    p_lanes_max: 'integer',
    p_lease_ms: 'integer',
    p_believed_until: 'timestamptz',
  },
)

/**
 * Leases lanes in which something is due: no other node sends there until the lease is over. Leases of other nodes count
 * as over if they ended before `believedUntil`.
 */
export async function claimLanes(
  connection: Queryable,
  holder: string,
  { limit, leaseMs, believedUntil }: ClaimTerms,
): Promise<LaneKey[]> {
  const values = CLAIM.valuesOf({
    p_streams: STREAMS,
    p_holder: holder,
    p_lanes_max: limit,
    p_lease_ms: leaseMs,
    p_believed_until: believedUntil,
  })
  const { rows } = await connection.query<LaneRow>(CLAIM.statement, values)
  return rows.map(toKey)
}

const KEY_COLUMNS: readonly Column<LaneKey>[] = [
  ['p_resellers', 'bigint[]', (lane) => lane.resellerId],
  ['p_streams', 'text[]', (lane) => lane.stream],
]

const RENEW = defineBatchCall<LaneKey>()(
  { name: 'delivery_lanes_renew', text: 'select reseller_id, stream from renew_lanes(...)' },
  KEY_COLUMNS,
  { p_holder: 'uuid', p_lease_ms: 'integer' },
)

/** Returns the lanes that the holder still has. */
export async function renewLanes(
  connection: Queryable,
  holder: string,
  lanes: readonly LaneKey[],
  leaseMs: number,
): Promise<LaneKey[]> {
  const { rows } = await connection.query<LaneRow>(
    RENEW.statement,
    RENEW.valuesOf(lanes, { p_holder: holder, p_lease_ms: leaseMs }),
  )
  return rows.map(toKey)
}

const RELEASE = defineBatchCall<LaneKey>()(
  { name: 'delivery_lanes_release', text: 'select release_lanes(...)' },
  KEY_COLUMNS,
  { p_holder: 'uuid' },
)

export async function releaseLanes(
  connection: Queryable,
  holder: string,
  lanes: readonly LaneKey[],
): Promise<void> {
  await connection.query(RELEASE.statement, RELEASE.valuesOf(lanes, { p_holder: holder }))
}

export function keyArrays(lanes: readonly LaneKey[]): [string, string] {
  return [plainArray(lanes.map((lane) => lane.resellerId)), plainArray(lanes.map((lane) => lane.stream))]
}

function toKey({ reseller_id: resellerId, stream }: LaneRow): LaneKey {
  return { resellerId, stream }
}

export type Backlog = { readonly stream: Stream; readonly pending: number; readonly overdueSeconds: number }

/** Bounds the cost of counting; above this number the exact figure is of no use. */
const COUNTED_MAX = 100_000

const BACKLOG = {
  name: 'delivery_work_backlog',
  text: `select w.stream, count(*)::integer as pending,
                greatest(0, extract(epoch from clock_timestamp() - min(w.next_at)))::float8 as overdue_seconds
           from (select stream, next_at from delivery_work limit ${COUNTED_MAX}) w group by w.stream`,
}

export async function listBacklog(connection: Queryable): Promise<Backlog[]> {
  const { rows } = await connection.query<{ stream: Stream; pending: number; overdue_seconds: number }>(
    BACKLOG,
  )
  return rows.map((row) => ({
    stream: row.stream,
    pending: row.pending,
    overdueSeconds: row.overdue_seconds,
  }))
}
