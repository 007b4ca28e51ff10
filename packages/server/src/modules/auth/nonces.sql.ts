import { defineBatchCall } from '../../db/calls.ts'
import type { Queryable } from '../../db/database.ts'
import type { NonceCommand } from './nonces.types.ts'

/**
 * Spends a batch of nonces in one call and one commit. Three strategies were compared: a row per nonce under its text
 * (the index is four times as large), slots per ten minutes emptied by truncate (two slots must be read, and a nonce
 * can be missed when the slots change), and this one: a fixed 16-byte digest under one primary key, swept by a job. The
 * function checks the timestamp again, by the same clock that dates the nonce, so that a signature cannot outlive the
 * record of its nonce, however long the request waited.
 */
const SPEND = defineBatchCall<NonceCommand>()(
  { name: 'nonces_spend', text: 'select spend_nonces(...)::text[] as refused' },
  [
    ['p_digests', 'uuid[]', (command) => command.digest],
    ['p_request_ids', 'uuid[]', (command) => command.requestId],
    ['p_signed_at', 'float8[]', (command) => command.timestampSeconds],
  ],
  { p_skew_seconds: 'integer' },
)

const NONE: ReadonlySet<string> = new Set()

/** Spends the nonces. Returns the digests that were refused: spent before, or too late. Usually there are none. */
export async function spendNonces(
  connection: Queryable,
  commands: readonly NonceCommand[],
  skewMaxSeconds: number,
): Promise<ReadonlySet<string>> {
  const { rows } = await connection.query<{ refused: string[] | null }>(
    SPEND.statement,
    SPEND.valuesOf(commands, { p_skew_seconds: skewMaxSeconds }),
  )
  const refused = rows[0]?.refused
  return refused === null || refused === undefined ? NONE : new Set(refused)
}

const SWEEP = {
  name: 'nonces_sweep',
  text: `delete from nonces
          where digest = any (array(
            select digest from nonces where used_at < now() - interval '10 minutes' order by used_at limit $1
          )) and used_at < now() - interval '10 minutes'`,
}

/** Deletes up to `limit` nonces that no longer matter, and returns their number. */
export async function sweepNonces(connection: Queryable, limit: number): Promise<number> {
  const { rowCount } = await connection.query(SWEEP, [limit])
  return rowCount
}
