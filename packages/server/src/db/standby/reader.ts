import { setTimeout as delay } from 'node:timers/promises'
import { RequestError } from '../../lib/errors.ts'
import { repeat } from '../../lib/repeat.ts'
import type { Database, Queryable, Tx } from '../database.ts'
import { isCancelled } from '../database.ts'

/** Reads that decide nothing: lists, statements, files. They may run twice, at the standby and then at the primary. */
export type Reader = Pick<Database, 'query' | 'transaction'>

/** State of the standby as it was last seen. */
export type StandbyState = {
  readonly isUsable: boolean
  /** Time by which the standby is behind; undefined: it is not known. */
  readonly lagSeconds: number | undefined
  /** Explanation for an operator. */
  readonly text: string
}

export type OpenReader = Reader & {
  /** Reads since the start, by the server that answered them. */
  readonly counts: Readonly<Record<'standby' | 'primary', number>>
  /** undefined: there is no standby. */
  readonly standby: StandbyState | undefined
  close(): Promise<void>
}

export type ReaderOptions = {
  readonly primary: Database
  /** Standby of the primary, opened with `access: 'any'`. */
  readonly standby: Database
  /** Time that a read waits for the standby to have everything; then the primary answers it. */
  readonly waitMs?: number
  readonly lookEveryMs?: number
}

const WAIT_MS = 500
const POLL_MS = 5
const LOOK_EVERY_MS = 2_000

/** Makes a reader without a standby. */
export function readPrimary(primary: Reader): OpenReader {
  const counts = { standby: 0, primary: 0 }
  const count = <T>(read: Promise<T>) => {
    counts.primary += 1
    return read
  }
  return {
    query: (statement, values) => count(primary.query(statement, values)),
    transaction: (work, limits) => count(primary.transaction(work, limits)),
    counts,
    standby: undefined,
    close: async () => {},
  }
}

/**
 * Opens a reader that uses a standby. Before each read the primary is asked how far its log goes, and the standby answers
 * only when it has replayed the log to there. So a read sees everything that was committed when it began, whichever
 * server answers it: a page is not older than the page before it, and a reseller sees its own payment. A limit on the
 * age alone was rejected: a walk through pages that goes from the primary to a standby behind it would skip payments.
 *
 * The primary answers when the standby cannot be reached, is behind, or ends a read for the sake of its replay.
 */
export async function openReader(options: ReaderOptions): Promise<OpenReader> {
  const { primary, standby, waitMs = WAIT_MS, lookEveryMs = LOOK_EVERY_MS } = options
  const counts = { standby: 0, primary: 0 }
  const position = createPosition(primary)
  let state: StandbyState = { isUsable: false, lagSeconds: undefined, text: 'it was not seen yet' }

  async function look(): Promise<void> {
    state = await examineStandby(primary, standby, waitMs)
  }

  async function read<T>(
    atStandby: (connection: Queryable) => Promise<T>,
    atPrimary: () => Promise<T>,
    limits?: Parameters<Database['transaction']>[1],
  ): Promise<T> {
    // After a move of the group its standby is that of another place.
    if (state.isUsable && !primary.whereabouts.hasMoved) {
      try {
        const wanted = await position()
        const result = await standby.withConnection(async (connection) => {
          await untilReplayed(connection, wanted, waitMs)
          return atStandby(connection)
        }, limits)
        counts.standby += 1
        return result
      } catch (error) {
        // The read itself was refused, or takes too long: it would at the primary too.
        if (error instanceof RequestError || isCancelled(error)) throw error
        // The next look finds out whether the standby can be used again.
        state = { ...state, isUsable: false, text: (error as Error).message }
      }
    }
    counts.primary += 1
    return atPrimary()
  }

  await look()
  const looking = repeat(lookEveryMs, look, () => {})
  return {
    query: (statement, values) =>
      read(
        (connection) => connection.query(statement, values),
        () => primary.query(statement, values),
      ),
    transaction: (work, limits) =>
      read(
        (connection) => readOnly(connection, work),
        () => primary.transaction(work, limits),
        limits,
      ),
    counts,
    get standby() {
      return state
    },
    async close() {
      await looking.stop()
      await standby.close()
    },
  }
}

/** Runs `work` in a transaction on a connection that is closed when it fails. */
async function readOnly<T>(connection: Queryable, work: (tx: Tx) => Promise<T>): Promise<T> {
  await connection.query('begin read only')
  const result = await work(connection as Tx)
  await connection.query('commit')
  return result
}

const POSITION = { name: 'log_position', text: 'select pg_current_wal_flush_lsn()::text as position' }

/** Makes the function that asks the primary how far its log goes. Calls of one turn of the event loop share a question. */
function createPosition(primary: Queryable): () => Promise<string> {
  let next: Promise<string> | undefined
  return () => {
    next ??= new Promise((resolve) => setImmediate(resolve)).then(() => {
      next = undefined
      return readPosition(primary)
    })
    return next
  }
}

async function readPosition(primary: Queryable): Promise<string> {
  const { rows } = await primary.query<{ position: string }>(POSITION)
  return String(rows[0]?.position)
}

const REPLAYED = {
  name: 'log_replayed',
  text: 'select pg_is_in_recovery() and pg_last_wal_replay_lsn() >= $1::pg_lsn as is_replayed',
}

/** Waits until the standby has replayed the log to a position. Throws when it does not in time. */
async function untilReplayed(standby: Queryable, position: string, waitMs: number): Promise<void> {
  const giveUpAtMs = performance.now() + waitMs
  for (;;) {
    const { rows } = await standby.query<{ is_replayed: boolean }>(REPLAYED, [position])
    if (rows[0]?.is_replayed === true) return
    if (performance.now() > giveUpAtMs) throw new Error(`it is behind the primary by more than ${waitMs} ms`)
    await delay(POLL_MS)
  }
}

// ── State of the standby ──

const IDENTITY = {
  name: 'database_identity',
  text: `select system_identifier::text || '/' || (select oid from pg_database where datname = current_database()) as identity,
                pg_is_in_recovery() as is_standby
           from pg_control_system()`,
}

const LAG = {
  name: 'standby_lag',
  text: `select case when pg_last_wal_replay_lsn() >= $1::pg_lsn then 0
                     else extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp())::float8
                end as seconds`,
}

type Identity = { identity: string; is_standby: boolean }

/** Finds out whether a standby can answer reads, and how far it is behind. Never throws. */
export async function examineStandby(
  primary: Queryable,
  standby: Queryable,
  waitMs = WAIT_MS,
): Promise<StandbyState> {
  const unusable = (text: string, lagSeconds?: number) => ({ isUsable: false, lagSeconds, text })
  try {
    const [own, other] = await Promise.all(
      [primary, standby].map(async (each) => (await each.query<Identity>(IDENTITY)).rows[0]),
    )
    if (other?.is_standby !== true) return unusable('it is no standby')
    if (own?.identity !== other.identity) return unusable('it is a standby of another database')
    const position = await readPosition(primary)
    const isReplayed = await untilReplayed(standby, position, waitMs).then(
      () => true,
      () => false,
    )
    if (isReplayed) return { isUsable: true, lagSeconds: 0, text: 'it has everything' }
    const { rows } = await standby.query<{ seconds: number | null }>(LAG, [position])
    const seconds = rows[0]?.seconds ?? undefined
    return unusable(
      `it is behind by ${seconds === undefined ? 'an unknown time' : `${seconds.toFixed(1)} s`}`,
      seconds,
    )
  } catch (error) {
    return unusable(`it cannot be asked: ${(error as Error).message}`)
  }
}
