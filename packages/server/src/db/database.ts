import pg from 'pg'

/** A prepared statement: the name makes PostgreSQL plan it once per connection. */
export type Statement = { readonly name: string; readonly text: string }

export type Rows<R> = { readonly rows: R[]; readonly rowCount: number }

/** Anything that can run a statement: the pool, or one transaction. */
export type Queryable = {
  query<R extends object>(statement: Statement | string, values?: readonly unknown[]): Promise<Rows<R>>
}

declare const inTransaction: unique symbol

/** An open database transaction. A function that needs one takes it as its first parameter. */
export type Tx = Queryable & { readonly [inTransaction]: true }

export type Database = Queryable & {
  /** Runs `work` in one transaction; commits when it returns, rolls back when it throws. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** One connection held for as long as `work` runs, outside any transaction. */
  withConnection<T>(work: (connection: pg.PoolClient) => Promise<T>): Promise<T>
  /** Opens a connection outside the pool, for LISTEN. The caller ends it. */
  dedicatedConnection(): Promise<pg.Client>
  readonly options: DatabaseOptions
  close(): Promise<void>
}

export type DatabaseOptions = {
  connection: pg.ClientConfig
  connectionsMax: number
  /** Shown in pg_stat_activity, so that an operator knows whose connection it is. */
  applicationName: string
}

// int8 arrives as bigint: money and ids are exact. `sum(bigint)` is numeric and must be cast in the statement.
const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.INT8, (text: string) => BigInt(text))

const CONNECT_TIMEOUT_MS = 5_000
const CLOSE_TIMEOUT_MS = 3_000

export function openDatabase(options: DatabaseOptions): Database {
  const clientConfig: pg.ClientConfig = {
    ...options.connection,
    types,
    application_name: options.applicationName,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
  }
  const pool = new pg.Pool({ ...clientConfig, max: options.connectionsMax })
  // An idle connection that breaks is replaced by the pool at the next use; without a listener it would
  // end the process.
  pool.on('error', () => {})
  // The same for one that breaks while it is out on loan: whoever holds it learns of it from its statement.
  pool.on('connect', (client) => {
    client.on('error', () => {})
  })
  const open = new Set<pg.PoolClient>()
  pool.on('connect', (client) => open.add(client))
  pool.on('remove', (client) => open.delete(client))

  return {
    options,
    query: (statement, values) => run(pool, statement, values),
    async transaction(work) {
      const client = await pool.connect()
      let broken: Error | undefined
      try {
        await client.query('begin')
        const result = await work(asTx(client))
        await commit(client)
        return result
      } catch (error) {
        try {
          await client.query('rollback')
        } catch (rollbackError) {
          broken = rollbackError as Error
        }
        throw error
      } finally {
        client.release(broken)
      }
    },
    async withConnection(work) {
      const client = await pool.connect()
      try {
        return await work(client)
      } finally {
        client.release()
      }
    },
    async dedicatedConnection() {
      const client = new pg.Client(clientConfig)
      await client.connect()
      return client
    },
    async close() {
      // Ending a connection with a statement under way cuts it: what hangs in the database does not hold us up.
      const cut = setTimeout(() => {
        for (const client of open) void client.end().catch(() => {})
      }, CLOSE_TIMEOUT_MS)
      await pool.end().finally(() => clearTimeout(cut))
    },
  }
}

export async function run<R extends object>(
  client: Pick<pg.ClientBase, 'query'> | pg.Pool,
  statement: Statement | string,
  values: readonly unknown[] = [],
): Promise<Rows<R>> {
  const config: pg.QueryConfig =
    typeof statement === 'string'
      ? { text: statement, values: values as unknown[] }
      : { name: statement.name, text: statement.text, values: values as unknown[] }
  const result = await client.query<R & pg.QueryResultRow>(config)
  return { rows: result.rows, rowCount: result.rowCount ?? 0 }
}

async function commit(client: pg.PoolClient): Promise<void> {
  let command: string
  try {
    command = (await client.query('commit')).command
  } catch (error) {
    throw sqlSeverity(error) === 'ERROR' ? error : new UncertainCommitError(error)
  }
  // The server answers COMMIT with ROLLBACK, and without an error, when a statement failed and its error was ignored.
  if (command === 'ROLLBACK') throw new Error('the transaction was rolled back: a statement in it had failed')
}

function asTx(client: pg.PoolClient): Tx {
  const tx: Queryable = { query: (statement, values) => run(client, statement, values) }
  return tx as Tx
}

/**
 * COMMIT was sent, and the server neither confirmed it nor reported an error: the transaction may be committed. Every
 * other error of `transaction` means that nothing was committed.
 */
export class UncertainCommitError extends Error {
  constructor(cause: unknown) {
    super('it is not known whether the transaction was committed', { cause })
    this.name = 'UncertainCommitError'
  }
}

/** ERROR, FATAL or PANIC as the server said it; undefined when the server itself reported nothing. */
export function sqlSeverity(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.severity : undefined
}

const UNIQUE_VIOLATION = '23505'

/** True when `error` says that `constraint` was violated: the caller's value is taken. */
export function isTaken(error: unknown, constraint: string): boolean {
  return (
    error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION && error.constraint === constraint
  )
}

const LOCK_NOT_AVAILABLE = '55P03'

/** True when somebody else held a lock for longer than the transaction's `lock_timeout`. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === LOCK_NOT_AVAILABLE
}

/** The first contact: what goes wrong here is a matter of address, password or network, and should say so. */
export async function reach(database: Queryable): Promise<void> {
  try {
    await database.query('select 1')
  } catch (error) {
    throw new Error('the database cannot be reached', { cause: error })
  }
}

/** True when the database answers at all, soon enough to be of use. */
export function answersWithin(database: Queryable, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), timeoutMs)
    database
      .query('select 1')
      .then(
        () => resolve(true),
        () => resolve(false),
      )
      .finally(() => clearTimeout(timer))
  })
}

const CONNECTION_TROUBLE = /^(08|57P0|53)/
const SYSTEM_TROUBLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
])
const DRIVER_TROUBLE =
  /connection terminated|timeout exceeded when trying to connect|Connection ended unexpectedly|is not queryable/i

/** The database is out of reach or out of room, as against a statement that is wrong. */
export function isOutOfReach(error: unknown): boolean {
  // ERROR is a verdict on a statement; FATAL and PANIC are the server's word that it serves no one just now.
  if (error instanceof pg.DatabaseError) {
    return error.severity !== 'ERROR' || CONNECTION_TROUBLE.test(error.code ?? '')
  }
  if (!(error instanceof Error)) return false
  const { code, syscall } = error as NodeJS.ErrnoException
  if (code !== undefined && syscall === 'connect') return SYSTEM_TROUBLE.has(code)
  return DRIVER_TROUBLE.test(error.message)
}
