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
const IS_OVER = `(counter.window_started_at <= now() - make_interval(secs => $4) or ${HAS_SERVED})`

/** Instant at which the last block of the address ended; null: it had none. A new window does not begin before it. */
const ENDED_AT = `(select ended.blocked_until from address_blocks ended
                   where ended.address = counter.address and ended.blocked_until <= now())`

const ADD_COUNTS = {
  name: 'address_counters_add',
  text: `insert into address_counters as counter (address, window_started_at, requests)
         select address, now() - make_interval(secs => age_ms / 1000.0), requests
           from unnest($1::inet[], $2::bigint[], $3::float8[]) as node (address, requests, age_ms)
          order by address
         on conflict (address) do update
            set requests = case when ${IS_OVER} then excluded.requests else counter.requests + excluded.requests end,
                window_started_at = case when ${IS_OVER} then greatest(excluded.window_started_at, ${ENDED_AT})
                                         else counter.window_started_at end
         returning abbrev(address) as address, requests::float8 as requests,
                   (extract(epoch from now() - window_started_at) * 1000)::float8 as window_age_ms`,
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
    `insert into address_blocks as block (address, blocked_at, blocked_until, requests)
     values ($1, now(), now() + make_interval(mins => $2), $3)
     on conflict (address) do update
        set blocked_at = case when block.blocked_until <= now() then now() else block.blocked_at end,
            blocked_until = case when block.blocked_until <= now() then excluded.blocked_until
                                 else block.blocked_until end,
            requests = greatest(block.requests, excluded.requests)
     returning (extract(epoch from blocked_until - now()) * 1000)::float8 as remaining_ms`,
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
