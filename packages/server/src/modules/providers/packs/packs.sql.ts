import type { Queryable, Tx } from '../../../db/database.ts'
import type { Settings } from './types.ts'

export type PackRow = { provider: string; pack: string; version: number; settings: Settings; made: unknown }

const COLUMNS = 'provider, pack, version, settings, made'

/** Finds the pack that a connection was made of. */
export async function findPackRow(connection: Queryable, provider: string): Promise<PackRow | undefined> {
  const { rows } = await connection.query<PackRow>(
    `select ${COLUMNS} from provider_packs where provider = $1`,
    [provider],
  )
  return rows[0]
}

export async function putPackRow(tx: Tx, row: PackRow): Promise<void> {
  await tx.query(
    `insert into provider_packs (${COLUMNS}, updated_at) values ($1, $2, $3, $4, $5, now())
     on conflict (provider) do update
        set pack = excluded.pack, version = excluded.version, settings = excluded.settings, made = excluded.made,
            updated_at = excluded.updated_at`,
    [row.provider, row.pack, row.version, JSON.stringify(row.settings), JSON.stringify(row.made)],
  )
}
