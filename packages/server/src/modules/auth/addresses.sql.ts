import type { Queryable } from '../../db/database.ts'
import { networkOf } from '../../lib/addresses.ts'
import type { ActiveBlock, AddressBlock, SharedCount } from './addresses.types.ts'

// Rows are written by network: `abbrev` gives an IPv4 address alone and an IPv6 /64 with its length, as `networkOf`
// does. `networkOf` is applied to blocks again as they are read, because an earlier version, which may still run on
// another node, blocks single IPv6 addresses.

/** Condition for the end of a window before its time: the block that it led to has ended. */
const HAS_SERVED = `exists (select from address_blocks ended
                             where ended.address = counter.address and ended.blocked_until <= now()
                               and ended.blocked_until > counter.window_started_at)`

const ADD_COUNTS = {
  name: 'address_counters_add',
  text: `
    with node as materialized (
      -- The last block of the address may have ended: a new window does not begin before that.
      select n.address, n.requests, now() - make_interval(secs => n.age_ms / 1000.0) as started_at,
             ended.blocked_until as ended_at
        from unnest($1::inet[], $2::bigint[], $3::float8[]) as n (address, requests, age_ms)
        left join address_blocks ended on ended.address = n.address and ended.blocked_until <= now()
    ), held as materialized (
      select c.address, c.window_started_at <= now() - make_interval(secs => $4)
                        or n.ended_at is not null and n.ended_at > c.window_started_at as is_over
        from address_counters c join node n on n.address = c.address order by c.address for update of c
    ), moved as (
      update address_counters c
         set requests = case when h.is_over then n.requests else c.requests + n.requests end,
             window_started_at = case when h.is_over then greatest(n.started_at, n.ended_at)
                                      else c.window_started_at end
        from node n join held h on h.address = n.address
       where c.address = n.address
      returning c.address, c.requests, c.window_started_at
    ), added as (
      insert into address_counters as c (address, window_started_at, requests)
      select n.address, n.started_at, n.requests from node n
       where not exists (select from held h where h.address = n.address) order by n.address
      on conflict (address) do update set requests = c.requests + excluded.requests
      returning c.address, c.requests, c.window_started_at
    )
    select abbrev(address) as address, requests::float8 as requests,
           (extract(epoch from now() - window_started_at) * 1000)::float8 as window_age_ms
      from (select * from moved union all select * from added) counted`,
}

export type LocalCount = { address: string; requests: number; windowAgeMs: number }

/** Adds this node's counts to the shared ones, in address order, and returns the totals. */
export async function addCounts(
  connection: Queryable,
  counts: readonly LocalCount[],
  windowSeconds: number,
): Promise<SharedCount[]> {
  const { rows } = await connection.query<{ address: string; requests: number; window_age_ms: number }>(
    ADD_COUNTS,
    [
      counts.map((count) => count.address),
      counts.map((count) => count.requests),
      counts.map((count) => count.windowAgeMs),
      windowSeconds,
    ],
  )
  return rows.map((row) => ({
    address: row.address,
    requests: row.requests,
    windowAgeMs: row.window_age_ms,
  }))
}

/** Inserts a block. One that exists keeps its end. Returns how long the address stays blocked, in milliseconds. */
export async function insertBlock(
  connection: Queryable,
  block: { address: string; requests: number; minutes: number },
): Promise<number> {
  const { rows } = await connection.query<{ remaining_ms: number }>(
    `with blocked as (
       insert into address_blocks as block (address, blocked_at, blocked_until, requests)
       values ($1, now(), now() + make_interval(mins => $2), $3)
       on conflict (address) do update
          set blocked_at = case when block.blocked_until <= excluded.blocked_at then excluded.blocked_at
                                else block.blocked_at end,
              blocked_until = case when block.blocked_until <= excluded.blocked_at then excluded.blocked_until
                                   else block.blocked_until end,
              requests = greatest(block.requests, excluded.requests)
       returning blocked_until
     )
     select (extract(epoch from blocked_until - now()) * 1000)::float8 as remaining_ms from blocked`,
    [block.address, block.minutes, block.requests],
  )
  return rows[0]?.remaining_ms ?? 0
}

const ACTIVE_BLOCKS = {
  name: 'address_blocks_active',
  text: `select abbrev(address) as address,
                (extract(epoch from blocked_until - now()) * 1000)::float8 as remaining_ms
           from address_blocks where blocked_until > now() order by blocked_until desc limit $1`,
}

export async function listActiveBlocks(connection: Queryable, limit: number): Promise<ActiveBlock[]> {
  const { rows } = await connection.query<{ address: string; remaining_ms: number }>(ACTIVE_BLOCKS, [limit])
  return rows.map((row) => ({ address: networkOf(row.address), remainingMs: row.remaining_ms }))
}

type BlockRow = { address: string; blocked_at: Date; blocked_until: Date; requests: bigint }

const BLOCK = 'abbrev(address) as address, blocked_at, blocked_until, requests'

function blockOf(row: BlockRow): AddressBlock {
  return {
    address: networkOf(row.address),
    blockedAt: row.blocked_at,
    blockedUntil: row.blocked_until,
    requests: row.requests,
  }
}

export async function listBlocks(connection: Queryable, limit: number): Promise<AddressBlock[]> {
  const { rows } = await connection.query<BlockRow>(
    `select ${BLOCK} from address_blocks where blocked_until > now() order by blocked_at desc limit $1`,
    [limit],
  )
  return rows.map(blockOf)
}

/**
 * Lifts the block and returns it as it was. Deletes the count too, because the next request would otherwise block
 * again.
 */
export async function deleteBlock(connection: Queryable, network: string): Promise<AddressBlock | undefined> {
  const { rows } = await connection.query<BlockRow>(
    `with counter as (delete from address_counters where address <<= $1::inet)
     delete from address_blocks where address <<= $1::inet and blocked_until > now() returning ${BLOCK}`,
    [network],
  )
  return rows[0] && blockOf(rows[0])
}

/** Deletes windows and blocks that have ended, and the count that led to such a block: it would block again. */
export async function sweepAddresses(connection: Queryable, windowSeconds: number): Promise<void> {
  await connection.query(
    `delete from address_counters counter
      where counter.window_started_at <= now() - make_interval(secs => $1) or ${HAS_SERVED}`,
    [windowSeconds],
  )
  await connection.query('delete from address_blocks where blocked_until <= now()')
}
