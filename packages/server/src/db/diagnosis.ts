import type { Queryable } from './database.ts'

/** Version number of a server, such as 150004, and the encoding of the database. */
export type ServerDescription = { readonly version: number; readonly encoding: string }

export async function describeServer(connection: Queryable): Promise<ServerDescription> {
  const { rows } = await connection.query<{ version: number; encoding: string }>(
    `select current_setting('server_version_num')::integer as version,
            current_setting('server_encoding') as encoding`,
  )
  return { version: Number(rows[0]?.version), encoding: String(rows[0]?.encoding) }
}

/** Returns how far the database's clock is ahead of this machine's; accurate to half of the round trip. */
export async function readClockDifferenceMs(connection: Queryable): Promise<number> {
  const before = Date.now()
  const { rows } = await connection.query<{ now_ms: number }>(
    'select (extract(epoch from clock_timestamp()) * 1000)::float8 as now_ms',
  )
  return Math.round(Number(rows[0]?.now_ms) - (before + Date.now()) / 2)
}
