import type { Queryable, Tx } from '../../../db/database.ts'

// No statement here scans a table. The feed of an account is in order of time, a delivery's id begins with its
// millisecond, and accounts are found by index lookups from one account to the next.

const FIRST_ID = 'first_delivery_id(now() - make_interval(days => $1))'

const NEXT_AT = `statement_timestamp() + $2 * interval '1 millisecond'`

/** Claims the next pass; false: another pass began or went on within the last `everyMs`. */
export async function claimTurn(connection: Queryable, holder: string, everyMs: number): Promise<boolean> {
  const { rowCount } = await connection.query(
    `update retention_turns set holder = $1, next_at = ${NEXT_AT} where next_at <= statement_timestamp()`,
    [holder, everyMs],
  )
  return rowCount > 0
}

/** Locks the pass until the commit, so that no other node makes a step; false: another node has taken over. */
export async function lockTurn(tx: Tx, holder: string, everyMs: number): Promise<boolean> {
  const { rowCount } = await tx.query(`update retention_turns set next_at = ${NEXT_AT} where holder = $1`, [
    holder,
    everyMs,
  ])
  return rowCount > 0
}

// ── The feed ──

/** Lists the next accounts whose oldest feed row is older than `days`. */
export async function listOldFeeds(
  connection: Queryable,
  days: number,
  page: { readonly after: bigint; readonly limit: number },
): Promise<bigint[]> {
  const { rows } = await connection.query<{ reseller_id: bigint }>(
    `with recursive heads as (
       (select reseller_id, at from events where reseller_id > $2 order by reseller_id, sequence limit 1)
       union all
       select next.reseller_id, next.at from heads
       cross join lateral (
         select e.reseller_id, e.at from events e where e.reseller_id > heads.reseller_id
         order by e.reseller_id, e.sequence limit 1
       ) next
     )
     select reseller_id from heads where at < now() - make_interval(days => $1) limit $3`,
    [days, page.after, page.limit],
  )
  return rows.map((row) => row.reseller_id)
}

export async function deleteFeedRows(
  tx: Tx,
  days: number,
  resellerId: bigint,
  rowsMax: number,
): Promise<number> {
  const { rowCount } = await tx.query(
    `with oldest as (
       select sequence, at from events where reseller_id = $2 order by sequence limit $3
     )
     delete from events e using oldest
     where e.reseller_id = $2 and e.sequence = oldest.sequence
       and oldest.at < now() - make_interval(days => $1)`,
    [days, resellerId, rowsMax],
  )
  return rowCount
}

// ── Deliveries ──

export type Log = { readonly resellerId: bigint; readonly stream: string }

export const FIRST_LOG: Log = { resellerId: 0n, stream: '' }

/** Lists the next logs whose oldest delivery is older than `days`. */
export async function listOldLogs(
  connection: Queryable,
  days: number,
  page: { readonly after: Log; readonly limit: number },
): Promise<Log[]> {
  const { rows } = await connection.query<{ reseller_id: bigint; stream: string }>(
    `with recursive heads as (
       (select reseller_id, stream, id from deliveries where (reseller_id, stream) > ($2, $3)
        order by reseller_id, stream, id limit 1)
       union all
       select next.reseller_id, next.stream, next.id from heads
       cross join lateral (
         select d.reseller_id, d.stream, d.id from deliveries d
         where (d.reseller_id, d.stream) > (heads.reseller_id, heads.stream)
         order by d.reseller_id, d.stream, d.id limit 1
       ) next
     )
     select reseller_id, stream from heads where id < ${FIRST_ID} limit $4`,
    [days, page.after.resellerId, page.after.stream, page.limit],
  )
  return rows.map((row) => ({ resellerId: row.reseller_id, stream: row.stream }))
}

export async function deleteDeliveries(
  tx: Tx,
  days: number,
  { resellerId, stream }: Log,
  rowsMax: number,
): Promise<number> {
  const { rowCount } = await tx.query(
    `with old as (
       select id from deliveries
       where reseller_id = $2 and stream = $3 and id < ${FIRST_ID} and status <> 'pending'
       order by id limit $4
     )
     delete from deliveries d using old where d.reseller_id = $2 and d.stream = $3 and d.id = old.id`,
    [days, resellerId, stream, rowsMax],
  )
  return rowCount
}

/** Removes attempts and answers of finished deliveries, from where the last step ended; returns how many it looked at. */
export async function stripDeliveries(
  tx: Tx,
  days: number,
  { resellerId, stream }: Log,
  rowsMax: number,
): Promise<number> {
  const { rows } = await tx.query<{ looked_at: number }>(
    `with old as materialized (
       select d.id from deliveries d
       where d.reseller_id = $2 and d.stream = $3 and d.id < ${FIRST_ID}
         and d.id > coalesce((select through from delivery_strips where reseller_id = $2 and stream = $3),
                             '00000000-0000-0000-0000-000000000000')
       order by d.id limit $4
     ), stripped as (
       update deliveries d set attempts = '[]', sealed_response = null
       from old where d.reseller_id = $2 and d.stream = $3 and d.id = old.id and d.status <> 'pending'
     ), marked as (
       insert into delivery_strips (reseller_id, stream, through)
       select $2, $3, id from old order by id desc limit 1
       on conflict (reseller_id, stream) do update set through = excluded.through
     )
     select count(*)::integer as looked_at from old`,
    [days, resellerId, stream, rowsMax],
  )
  return rows[0]?.looked_at ?? 0
}

/** Finds the oldest catalogue change that is not yet completely fanned out. */
export async function findOldestFanout(connection: Queryable): Promise<bigint | undefined> {
  const { rows } = await connection.query<{ version: bigint | null }>(
    'select min(version) as version from event_fanouts',
  )
  return rows[0]?.version ?? undefined
}
