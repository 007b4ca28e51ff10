import type { Queryable } from '../database.ts'

/** Place in which a connection works, and the number of its last migration; null: it has no tables of ours. */
export type Place = {
  /** Host and port as the server has them. */
  readonly server: string
  readonly database: string
  readonly schema: string | null
  readonly version: number | null
}

export async function describePlace(connection: Queryable): Promise<Place> {
  const { rows } = await connection.query<Omit<Place, 'version'> & { is_there: boolean }>(
    `select coalesce(host(inet_server_addr()), 'localhost') || ':' || current_setting('port') as server, current_database() as database,
            current_schema() as schema, to_regclass('schema_migrations') is not null as is_there`,
  )
  const [found] = rows
  if (found === undefined) throw new Error('the database does not say where it is')
  const { is_there: isThere, ...place } = found
  if (!isThere) return { ...place, version: null }
  const last = await connection.query<{ number: number | null }>(
    'select max(number) as number from schema_migrations where applied_at is not null',
  )
  return { ...place, version: last.rows[0]?.number ?? null }
}
