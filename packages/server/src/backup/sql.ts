/** Connection to a server. */
export type Queryable = {
  query<R extends object>(text: string, values?: unknown[]): Promise<{ readonly rows: R[] }>
}

export type ServerFacts = {
  readonly now: Date
  readonly serverVersion: number
  readonly database: string
  readonly role: string
}

/** Reads the clock, the version and the names of a server. */
export async function readServerFacts(client: Queryable): Promise<ServerFacts> {
  const { rows } = await client.query<ServerFacts>(
    `select clock_timestamp() as now, current_setting('server_version_num')::integer as "serverVersion",
            current_database()::text as database, current_user::text as role`,
  )
  return rows[0] as ServerFacts
}

/** Reads the time of the last commit that recovery replayed; null: it replayed none. */
export async function readReplayedTo(client: Queryable): Promise<Date | null> {
  const { rows } = await client.query<{ at: Date | null }>('select pg_last_xact_replay_timestamp() as at')
  return rows[0]?.at ?? null
}
