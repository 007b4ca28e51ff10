/** Connection to a server. */
export type Queryable = {
  query<R extends object>(text: string, values?: unknown[]): Promise<{ readonly rows: R[] }>
}

async function readRow<R extends object>(client: Queryable, text: string, values?: unknown[]): Promise<R> {
  const { rows } = await client.query<R>(text, values)
  return rows[0] as R
}

export type ServerFacts = {
  readonly now: Date
  /** Version of PostgreSQL as a number: 180004. */
  readonly serverVersion: number
  readonly systemId: string
  readonly segmentBytes: number
  readonly directory: string
}

/** Reads the clock, the version, the identity and the place of a server. */
export function readServerFacts(client: Queryable): Promise<ServerFacts> {
  return readRow(
    client,
    `select clock_timestamp() as now, current_setting('server_version_num')::integer as "serverVersion",
            (select system_identifier::text from pg_control_system()) as "systemId",
            pg_size_bytes(current_setting('wal_segment_size'))::integer as "segmentBytes",
            current_setting('data_directory') as directory`,
  )
}

/**
 * Lets the files of the running server be copied; returns the position at which the log of the copy begins. The slot keeps
 * that log, and goes with the connection.
 */
export async function beginCopy(client: Queryable, slot: string): Promise<string> {
  await client.query('select pg_create_physical_replication_slot($1, true, true)', [slot])
  const { start } = await readRow<{ start: string }>(
    client,
    `select pg_backup_start('warung', true)::text as start`,
  )
  return start
}

export type CopyEnd = { readonly end: string; readonly label: string; readonly tablespaces: string }

/** Ends the copy. The copy needs the label, and the log up to the end. */
export function endCopy(client: Queryable): Promise<CopyEnd> {
  return readRow(
    client,
    `select lsn::text as "end", labelfile as label, spcmapfile as tablespaces from pg_backup_stop(false)`,
  )
}

export type LogEnd = {
  /** Position up to which the log is on the disk. */
  readonly flushed: string
  readonly timeline: number
  readonly directory: string
  readonly segmentBytes: number
}

export async function readLogEnd(client: Queryable): Promise<LogEnd> {
  const { name, ...end } = await readRow<Omit<LogEnd, 'timeline'> & { readonly name: string }>(
    client,
    `select pg_current_wal_flush_lsn()::text as flushed, pg_walfile_name(pg_current_wal_insert_lsn()) as name,
            current_setting('data_directory') as directory,
            pg_size_bytes(current_setting('wal_segment_size'))::integer as "segmentBytes"`,
  )
  return { ...end, timeline: Number(`0x${name.slice(0, 8)}`) }
}

export type Archiver = {
  readonly isOn: boolean
  /** Name of the file that was archived last, and the one in which the log is written; null: nothing was archived. */
  readonly archived: string | null
  readonly current: string
  readonly archivedAt: Date | null
  readonly failedAt: Date | null
  /** True: a segment that is not full is archived, too, after a time. */
  readonly isTimed: boolean
  readonly segmentBytes: number
}

/** Reads what the server says about the archive of its log. Every role may ask. */
export function readArchiver(client: Queryable): Promise<Archiver> {
  return readRow(
    client,
    `select current_setting('archive_mode') <> 'off' as "isOn", last_archived_wal as archived,
            pg_walfile_name(pg_current_wal_insert_lsn()) as current, last_archived_time as "archivedAt",
            last_failed_time as "failedAt",
            current_setting('archive_timeout')::interval > interval '0' as "isTimed",
            pg_size_bytes(current_setting('wal_segment_size'))::integer as "segmentBytes"
     from pg_stat_archiver`,
  )
}

/** Reads the time of the last commit that recovery replayed; null: it replayed none. */
export async function readReplayedTo(client: Queryable): Promise<Date | null> {
  const { at } = await readRow<{ at: Date | null }>(client, 'select pg_last_xact_replay_timestamp() as at')
  return at
}

/** Reads the position up to which recovery replayed the log. */
export async function readReplayedPosition(client: Queryable): Promise<string> {
  const { position } = await readRow<{ position: string }>(
    client,
    'select pg_last_wal_replay_lsn()::text as position',
  )
  return position
}
