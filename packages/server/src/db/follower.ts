import type pg from 'pg'
import { cut, DatabaseSilentError } from './connection.ts'
import type { Database, Queryable } from './database.ts'
import { run } from './database.ts'

/** Keeps a view in memory equal to the database, whichever node changes it, until it is closed. */
export type Follower = {
  /** Returns the time since the view was last known to equal the database, on the monotonic clock. */
  ageMs(): number
  /** False while there is no connection: notifications are lost. */
  isListening(): boolean
  /** Reads the database now rather than at the next poll; resolves when a read that began after the call is done. */
  refresh(): Promise<void>
  close(): Promise<void>
}

export type FollowerOptions = {
  readonly database: Database
  /** Name of the followed data, for messages: "the accounts". */
  readonly what: string
  /** Channel whose notifications trigger a read at once; the poll comes anyway. */
  readonly channel: string
  /** Takes a notification whose payload says everything. Returns false if a read must follow. */
  readonly take?: ((payload: string) => boolean) | undefined
  readonly pollMs: number
  /** Limit of a statement; a longer one is cut, with its connection. */
  readonly statementTimeoutMs: number
  /** Brings the view up to date; may be called again after it failed. It need not query the database. */
  readonly catchUp: (connection: Queryable) => Promise<void>
  readonly onProblem?: ((text: string, error: unknown) => void) | undefined
}

/** Starts following; resolves when the view has caught up for the first time. */
export async function startFollowing(options: FollowerOptions): Promise<Follower> {
  const line = openLine(options, () => void looks.now().catch(() => {}))
  let closed = false
  let failing = false
  let freshAtMs = Number.NEGATIVE_INFINITY

  const looks = oneAtATime(async () => {
    if (closed) throw new Error(`${options.what}: closed`)
    const startedAtMs = performance.now()
    try {
      const connection = await line.connection()
      await options.catchUp(connection)
      // Missing notifications do not show a silent connection; a missing answer does.
      if (!connection.wasAsked()) await connection.query('select 1')
      freshAtMs = startedAtMs
      failing = false
    } catch (error) {
      line.drop()
      if (!failing) options.onProblem?.(`${options.what} cannot be read; the view of it is ageing`, error)
      failing = true
      throw error
    }
  })

  try {
    await looks.now()
  } catch (error) {
    closed = true
    throw error
  }
  const timer = setInterval(() => {
    if (!looks.busy()) void looks.now().catch(() => {})
  }, options.pollMs)

  return {
    ageMs: () => performance.now() - freshAtMs,
    isListening: () => line.isOpen(),
    refresh: () => looks.now(),
    async close() {
      closed = true
      clearInterval(timer)
      await looks.settled()
      line.drop()
    },
  }
}

/**
 * Opens the follower's own connection, which listens and polls: a pool that is busy with requests must not make the
 * view stale. After any error it is dropped, and the next poll opens another; the polls set the pace of the attempts.
 */
function openLine(options: FollowerOptions, onChange: () => void) {
  const { database, channel, statementTimeoutMs, take } = options
  let client: pg.Client | undefined

  function drop(): void {
    const dropped = client
    client = undefined
    void dropped?.end().catch(() => {})
  }

  async function connection(): Promise<Guarded> {
    if (client !== undefined) return guarded(client, statementTimeoutMs)
    const opened = await database.dedicatedConnection()
    const forget = () => {
      if (client === opened) client = undefined
    }
    opened.on('error', forget)
    opened.on('end', forget)
    opened.on('notification', ({ payload = '' }) => {
      if (take === undefined || !take(payload)) onChange()
    })
    client = opened
    const listening = guarded(opened, statementTimeoutMs)
    const { rows } = await listening.query<{ name: string }>(NAME_CHANNEL, [channel])
    await listening.query(`listen ${rows[0]?.name}; set statement_timeout = ${statementTimeoutMs}`)
    return guarded(opened, statementTimeoutMs)
  }

  return { connection, drop, isOpen: () => client !== undefined }
}

/** Channels carry the schema: groups in one database do not hear each other. */
const NAME_CHANNEL = 'select quote_ident(channel_prefix() || $1) as name'

type Guarded = Queryable & { wasAsked(): boolean }

/** Limits the time of each statement: one that gets no answer in time ends with its connection. */
function guarded(client: pg.Client, timeoutMs: number): Guarded {
  let asked = false
  return {
    wasAsked: () => asked,
    async query(statement, values) {
      asked = true
      const silence = () => cut(client, new DatabaseSilentError('the database did not answer in time'))
      const timer = setTimeout(silence, timeoutMs)
      try {
        return await run(client, statement, values)
      } finally {
        clearTimeout(timer)
      }
    },
  }
}

/** Runs `work` one at a time. `now()` resolves for a run that began after the call; callers that wait share one run. */
function oneAtATime(work: () => Promise<void>) {
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined

  function start(): Promise<void> {
    running = work().finally(() => {
      running = undefined
    })
    return running
  }

  return {
    now(): Promise<void> {
      if (next !== undefined) return next
      if (running === undefined) return start()
      next = running
        .catch(() => {})
        .then(() => {
          next = undefined
          return start()
        })
      return next
    },
    busy: () => running !== undefined || next !== undefined,
    async settled(): Promise<void> {
      while (running !== undefined || next !== undefined) await (next ?? running)?.catch(() => {})
    },
  }
}
