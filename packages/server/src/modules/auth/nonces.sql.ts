import { plainArray } from '../../db/arrays.ts'
import type { Queryable } from '../../db/database.ts'
import type { NonceCommand } from './nonces.types.ts'

/**
 * Spends a batch of nonces in one statement and one commit. Three strategies were weighed: a row per nonce
 * under its text (index four times the size), slots per ten minutes emptied by truncate (two slots must be
 * asked, and a nonce can slip between them at the turn), and this one: a fixed 16-byte digest under one
 * primary key, swept by a job. The timestamp is judged again here, by the same clock that dates the nonce:
 * so a signature cannot outlive the memory of its nonce, however long the request waited. Rows go in by digest
 * order on every node, so that two batches with common nonces cannot wait for each other in a circle.
 */
const SPEND = {
  name: 'nonces_spend',
  text: `with spent as (
           insert into nonces (digest, request_id, used_at)
           select digest, request_id, now()
             from unnest($1::uuid[], $2::uuid[], $3::float8[]) as command (digest, request_id, signed_at)
            where abs(signed_at - extract(epoch from now())) <= $4
            order by digest
           on conflict (digest) do update
              set used_at = excluded.used_at, request_id = excluded.request_id
            where nonces.used_at < excluded.used_at - interval '10 minutes'
               or nonces.request_id = excluded.request_id
           returning digest
         )
         select case when count(*) = $5 then null else coalesce(array_agg(digest::text), '{}') end as only_these
           from spent`,
}

/**
 * The digests that were spent by these commands; the others had been spent before, or came too late. As a rule
 * all were, so the database answers with a list only when some were not.
 */
export async function spendNonces(
  connection: Queryable,
  commands: readonly NonceCommand[],
  skewMaxSeconds: number,
): Promise<Set<string> | 'all'> {
  const { rows } = await connection.query<{ only_these: string[] | null }>(SPEND, [
    plainArray(commands.map((command) => command.digest)),
    plainArray(commands.map((command) => command.requestId)),
    plainArray(commands.map((command) => command.timestampSeconds)),
    skewMaxSeconds,
    commands.length,
  ])
  const onlyThese = rows[0]?.only_these
  return onlyThese === null || onlyThese === undefined ? 'all' : new Set(onlyThese)
}

const SWEEP = {
  name: 'nonces_sweep',
  text: `delete from nonces
          where digest = any (array(
            select digest from nonces where used_at < now() - interval '10 minutes' order by used_at limit $1
          )) and used_at < now() - interval '10 minutes'`,
}

/** Forgets up to `limit` nonces that no longer matter; returns how many. */
export async function sweepNonces(connection: Queryable, limit: number): Promise<number> {
  const { rowCount } = await connection.query(SWEEP, [limit])
  return rowCount
}
