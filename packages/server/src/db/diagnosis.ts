import type { Queryable } from './database.ts'

/** Returns the server's version number, such as 150004. */
export async function readServerVersion(connection: Queryable): Promise<number> {
  const { rows } = await connection.query<{ version: number }>(
    `select current_setting('server_version_num')::integer as version`,
  )
  return Number(rows[0]?.version)
}

/** Returns how far the database's clock is ahead of this machine's; accurate to half of the round trip. */
export async function readClockDifferenceMs(connection: Queryable): Promise<number> {
  const before = Date.now()
  const { rows } = await connection.query<{ now_ms: number }>(
    'select (extract(epoch from clock_timestamp()) * 1000)::float8 as now_ms',
  )
  return Math.round(Number(rows[0]?.now_ms) - (before + Date.now()) / 2)
}
