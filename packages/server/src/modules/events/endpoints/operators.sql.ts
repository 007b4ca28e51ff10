import type { Queryable, Tx } from '../../../db/database.ts'
import type { Stream } from '../types.ts'
import type { EndpointKey } from './endpoints.sql.ts'

// Statements for operators, over the receivers of all accounts.

/** Locks an endpoint as a change of it does. */
export async function lockEndpoint(tx: Tx, { resellerId, stream }: EndpointKey): Promise<void> {
  await tx.query(
    'select 1 as one from event_endpoints where reseller_id = $1 and stream = $2 for no key update',
    [resellerId, stream],
  )
}

/** Pauses or resumes an endpoint; false: there is none. */
export async function updatePaused(
  connection: Queryable,
  { resellerId, stream }: EndpointKey,
  isPaused: boolean,
): Promise<boolean> {
  const { rowCount } = await connection.query(
    `update event_endpoints
        set paused_at = case when $3 then coalesce(paused_at, clock.now) end,
            failing_since = case when $3 then failing_since end
       from (select now() as now) clock
      where reseller_id = $1 and stream = $2`,
    [resellerId, stream, isPaused],
  )
  return rowCount > 0
}

export type Queue = {
  readonly resellerId: bigint
  readonly stream: Stream
  readonly pending: number
  /** Time at which the oldest pending delivery was made. */
  readonly oldestAt: Date
  /** Time at which the next attempt is due. */
  readonly nextAt: Date
  readonly isHeld: boolean
}

type QueueRow = {
  reseller_id: bigint
  stream: Stream
  pending: number
  oldest_ms: bigint
  next_at: Date
  is_held: boolean
}

/** Lists queues, oldest first. It counts all pending deliveries: for people who ask now and then, not for a poll. */
export async function listQueues(connection: Queryable, limit: number): Promise<Queue[]> {
  const { rows } = await connection.query<QueueRow>(
    `select w.reseller_id, w.stream, count(*)::integer as pending, min(w.next_at) as next_at,
            coalesce(bool_or(l.leased_until > now()), false) as is_held,
            -- Ids begin with their millisecond.
            ('x' || lpad(replace(left(min(w.delivery_id::text), 13), '-', ''), 16, '0'))::bit(64)::bigint as oldest_ms
       from delivery_work w left join delivery_lanes l on l.reseller_id = w.reseller_id and l.stream = w.stream
      group by w.reseller_id, w.stream order by oldest_ms limit $1`,
    [limit],
  )
  return rows.map((row) => ({
    resellerId: row.reseller_id,
    stream: row.stream,
    pending: row.pending,
    oldestAt: new Date(Number(row.oldest_ms)),
    nextAt: row.next_at,
    isHeld: row.is_held,
  }))
}
