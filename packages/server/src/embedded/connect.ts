import pg from 'pg'
import { failure, textOf } from './errors.ts'
import type { Endpoint } from './socket.ts'
import { createDatabaseSql, DATABASE, endOtherSessionsSql, MAINTENANCE_DATABASE, ROLE } from './sql.ts'
import { waitUntil } from './wait.ts'

/**
 * Time for the first attempt to connect. Each later one may take as long as the server has been silent, up to the limit:
 * an interrupted start ends after the attempt.
 */
const CONNECT_MS = 2_000
const CONNECT_MAX_MS = 4_000
const POLL_MS = 30

// Limits of waiting. A server that answers "starting up" is at work: recovery after a crash reads up to max_wal_size of
// log.
const SILENCE_MAX_MS = 30_000
const RECOVERY_MAX_MS = 15 * 60_000
const RECOVERY_NOTE_MS = 5_000

const STARTING_UP = '57P03'
const NO_SUCH_DATABASE = '3D000'
const DUPLICATE_DATABASE = '42P04'
const TOO_MANY_CONNECTIONS = '53300'
const REFUSED = new Set(['28P01', '28000'])

export function connectionTo(endpoint: Endpoint, password: string): pg.ClientConfig {
  return { host: endpoint.host, port: endpoint.port, user: ROLE, password, database: DATABASE }
}

type Reach = { state: 'ready' | 'no database' | 'busy' | 'silent' | 'refused'; detail: string }

/** Tries to connect once. */
async function reach(connection: pg.ClientConfig, connectMs: number): Promise<Reach> {
  try {
    await withClient(connection, connectMs, async () => {})
    return { state: 'ready', detail: '' }
  } catch (error) {
    const code = error instanceof pg.DatabaseError ? error.code : undefined
    const detail = textOf(error)
    if (code === STARTING_UP) return { state: 'busy', detail }
    if (code === NO_SUCH_DATABASE) return { state: 'no database', detail }
    if (code === TOO_MANY_CONNECTIONS) return { state: 'ready', detail }
    return { state: code !== undefined && REFUSED.has(code) ? 'refused' : 'silent', detail }
  }
}

export type ReadyOptions = {
  /** Tells that the server's process has ended: waiting is pointless. */
  hasEnded: () => boolean
  note: (text: string) => void
  connectMs?: number
  silenceMaxMs?: number
  recoveryMaxMs?: number
}

/** Waits until the server takes connections, and creates our database when it has none. */
export async function waitUntilReady(connection: pg.ClientConfig, options: ReadyOptions): Promise<void> {
  const { connectMs = CONNECT_MS, silenceMaxMs = SILENCE_MAX_MS } = options
  const startedAt = performance.now()
  let lastAnswerAt = startedAt
  let noteAt = startedAt + RECOVERY_NOTE_MS
  let last: Reach = { state: 'silent', detail: 'it gave no answer' }
  const isSettled = async () => {
    if (options.hasEnded()) return true
    const silentMs = performance.now() - lastAnswerAt
    last = await reach(connection, Math.max(connectMs, Math.min(silentMs, CONNECT_MAX_MS)))
    if (last.state === 'no database') last = await createDatabase(connection)
    const now = performance.now()
    if (last.state !== 'silent') lastAnswerAt = now
    if (last.state === 'busy' && now > noteAt) {
      options.note(`waiting for the database server: ${last.detail}`)
      noteAt = now + RECOVERY_NOTE_MS
    }
    return last.state === 'ready' || last.state === 'refused' || isTooLate(now)
  }
  const isTooLate = (now: number) => now - lastAnswerAt > silenceMaxMs
  await waitUntil(isSettled, options.recoveryMaxMs ?? RECOVERY_MAX_MS, POLL_MS)
  if (options.hasEnded()) throw new Error('it ended while starting')
  if (last.state === 'refused') throw refused(last.detail)
  if (last.state !== 'ready') throw failure(`it took no connection: ${last.detail}`)
}

function refused(detail: string): Error {
  return failure(
    `it refused the password: ${detail}.\n` +
      'The password file does not belong to this cluster. Delete it: the next start sets a new password.',
  )
}

/** Creates the database. A server that is silent is asked again, as one that cannot be reached is. */
async function createDatabase(connection: pg.ClientConfig): Promise<Reach> {
  const { database = DATABASE } = connection
  try {
    await withClient({ ...connection, database: MAINTENANCE_DATABASE }, CONNECT_MAX_MS, (client) =>
      client.query(createDatabaseSql(database)),
    )
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) return { state: 'silent', detail: textOf(error) }
    if (error.code !== DUPLICATE_DATABASE) throw error
  }
  return { state: 'ready', detail: '' }
}

const SESSIONS_END_MS = 5_000

/**
 * Ends the sessions that a dead process left in an adopted server, as a restart would have: none of its statements may
 * commit unseen by its successor. Returns false when a session does not end.
 */
export async function endOtherSessions(connection: pg.ClientConfig): Promise<boolean> {
  return await withClient(connection, CONNECT_MS, async (client) => {
    const isAlone = async () => {
      const { rowCount } = await client.query(endOtherSessionsSql)
      return rowCount === 0
    }
    return await waitUntil(isAlone, SESSIONS_END_MS)
  })
}

async function withClient<T>(
  config: pg.ClientConfig,
  connectMs: number,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ ...config, connectionTimeoutMillis: connectMs })
  // A broken connection also fails the statement; without a listener the error would end the process.
  client.on('error', () => {})
  try {
    await client.connect()
    return await work(client)
  } finally {
    await client.end().catch(() => {})
  }
}
