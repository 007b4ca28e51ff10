import type { Socket } from 'node:net'
import type pg from 'pg'

/** Prepared statement: the name makes PostgreSQL plan it once per connection. */
export type Statement = { readonly name: string; readonly text: string }

/** Value for a statement without a limit: migrations take as long as they take. */
export const UNLIMITED = 0

/**
 * Time for the answer to travel, on top of the time that the server gives the statement. The server therefore ends a
 * slow statement and reports that it was rolled back; both times run out only on a silent connection.
 */
export const ANSWER_GRACE_MS = 2_000

const CONNECT_TIMEOUT_MS = 5_000
const KEEP_ALIVE_AFTER_MS = 5_000
/** Time after which a connection that was asked to close, and whose other side does not answer, is destroyed. */
const CLOSE_GRACE_MS = 2_000

/** Error when no answer came within the limit: the connection is gone, and whether the statement ran is not known. */
export class DatabaseSilentError extends Error {
  constructor(text: string) {
    super(text)
    this.name = 'DatabaseSilentError'
  }
}

/**
 * Error of a connection to a server that only reads: a standby, or a former leader of a cluster. Nothing can have been
 * committed there, and what it shows may be old.
 */
export class ReadOnlyServerError extends Error {
  constructor() {
    super('the database server only reads: it is a standby, or not the leader any more')
    this.name = 'ReadOnlyServerError'
  }
}

/** Builds the settings of each connection to the server. */
export function clientConfigOf(
  connection: pg.ClientConfig,
  {
    applicationName,
    statementMs,
    schema,
  }: { applicationName: string; statementMs: number; schema?: string | undefined },
): pg.ClientConfig {
  return {
    ...withSessionSettings(connection, statementMs, schema),
    application_name: applicationName,
    connectionTimeoutMillis: connection.connectionTimeoutMillis ?? CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
  }
}

/**
 * Limits that the server itself keeps. They free what a vanished node holds, and end work whose result is no longer
 * awaited. `statement_timeout` also limits the wait for a lock. It does not fire during a commit: PostgreSQL switches
 * it off before, with or without BEGIN, so it never cuts the wait for a synchronous standby short.
 */
const SESSION_SETTINGS = {
  // A warning reports that a commit was not replicated: a role's own setting must not hide it.
  client_min_messages: 'warning',
  idle_in_transaction_session_timeout: '60s',
}

/**
 * Settings of a schema that may lie on a node of Citus: functions of ours ask tables from within statements, which is
 * right where all of them are on the same node. Without Citus they mean nothing.
 */
const CITUS_SETTINGS = { 'citus.allow_nested_distributed_execution': 'on' }

/**
 * Settings by which the server notices within half a minute that a client's machine is gone. Its default is two hours.
 */
const TCP_SETTINGS = {
  tcp_user_timeout: '30s',
  tcp_keepalives_idle: '10s',
  tcp_keepalives_interval: '5s',
  tcp_keepalives_count: '4',
}

/**
 * Adds these settings to the options in the operator's own address. The driver prefers an address to its other
 * settings.
 */
function withSessionSettings(
  connection: pg.ClientConfig,
  statementMs: number,
  schema: string | undefined,
): pg.ClientConfig {
  const { connectionString, ...rest } = connection
  const url = connectionString === undefined ? undefined : new URL(connectionString)
  const host = url === undefined ? connection.host : (url.searchParams.get('host') ?? url.hostname)
  const settings = {
    statement_timeout: String(statementMs),
    ...SESSION_SETTINGS,
    ...(schema === undefined ? {} : { search_path: schema, ...CITUS_SETTINGS }),
    ...(host?.startsWith('/') ? {} : TCP_SETTINGS),
  }
  const given = url === undefined ? connection.options : url.searchParams.get('options')
  const options = [
    ...Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`),
    // Later options win: an operator who sets one of these knows why.
    ...(given ? [given] : []),
  ].join(' ')
  if (url === undefined) return { ...rest, options }
  url.searchParams.set('options', options)
  return { ...rest, connectionString: url.toString() }
}

/** Prepares each new connection before its first use. */
export function watchConnection(client: pg.ClientBase): void {
  // A statement under way is rejected by itself; without a listener the error would end the process.
  client.on('error', () => {})
  client.on('notice', ({ routine, message }) => {
    if (routine === REPLICATION_WAIT || CANCELLED_WAIT.test(message ?? '')) unreplicated.add(client)
  })
  const socket = socketOf(client)
  socket.once('finish', () => setTimeout(() => socket.destroy(), CLOSE_GRACE_MS).unref())
}

const ACCESS_STATEMENT_MS = 2_000

/**
 * Rejects when the server of this new connection only reads. For a moment after a failover, a proxy may still lead to
 * the former leader: its balances are old, and it refuses every write.
 */
export async function expectWritable(client: pg.ClientBase): Promise<void> {
  const { rows } = await ask<{ transaction_read_only: string }>(
    client,
    'show transaction_read_only',
    [],
    ACCESS_STATEMENT_MS,
  )
  if (rows[0]?.transaction_read_only === 'on') throw new ReadOnlyServerError()
}

/** Ends a connection at once and rejects its statement with `reason`. A regular close would wait for the other side. */
export function cut(client: pg.ClientBase, reason?: Error): void {
  socketOf(client).destroy(reason)
}

/** Returns the socket of a connection; the driver has no public way to it. */
function socketOf(client: pg.ClientBase): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream
}

/** Runs one statement. The connection is cut when no answer comes within its limit. */
export async function ask<R extends object>(
  client: pg.ClientBase,
  statement: Statement | string,
  values: readonly unknown[],
  statementMs: number,
): Promise<pg.QueryResult<R & pg.QueryResultRow>> {
  const config: pg.QueryConfig =
    typeof statement === 'string'
      ? { text: statement, values: values as unknown[] }
      : { name: statement.name, text: statement.text, values: values as unknown[] }
  if (statementMs === UNLIMITED) return client.query(config)
  const timer = setTimeout(cutSilent, statementMs + ANSWER_GRACE_MS, client)
  try {
    return await client.query(config)
  } finally {
    clearTimeout(timer)
  }
}

const silent = new WeakSet<pg.ClientBase>()

/** Returns true for a connection that was cut because no answer came. */
export function wasSilent(client: pg.ClientBase): boolean {
  return silent.has(client)
}

function cutSilent(client: pg.ClientBase): void {
  silent.add(client)
  cut(client, new DatabaseSilentError('the database did not answer a statement in time'))
}

// ── Synchronous replication ──

/**
 * Function that reports a cancelled wait for the synchronous standby. Such a wait (pg_cancel_backend,
 * pg_terminate_backend, a shutdown) ends in success with a warning: the transaction is committed here, and lost if this
 * server is lost. Neither warning has an SQLSTATE of its own, and their text is translated; the name of the function
 * that reports them is not.
 */
const REPLICATION_WAIT = 'SyncRepWaitForLSN'
const CANCELLED_WAIT = /wait for synchronous replication/

const unreplicated = new WeakSet<pg.ClientBase>()

/** Returns true once after each commit on this connection whose wait for the standby was cut short. */
export function takeUnreplicated(client: pg.ClientBase): boolean {
  return unreplicated.delete(client)
}

/**
 * Commit that waits for the synchronous standby, where there is one. When it has ended, everything that this server
 * committed before is on the standby too. A statement that writes nothing does not wait, so running a command again and
 * finding its row proves nothing.
 */
export const CONFIRM_REPLICATION = {
  name: 'confirm_replication',
  text: `select pg_logical_emit_message(true, 'warung', '')
         where current_setting('synchronous_standby_names') <> ''`,
}
