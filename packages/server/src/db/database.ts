import pg from 'pg'
import type { Statement } from './connection.ts'
import {
  ask,
  CONFIRM_REPLICATION,
  cut,
  DatabaseSilentError,
  expectWritable,
  ReadOnlyServerError,
  takeUnreplicated,
  UNLIMITED,
  watchConnection,
} from './connection.ts'
import type { Whereabouts } from './moves/target.ts'
import { createTarget, MovedError } from './moves/target.ts'
import { openPool } from './pool.ts'

export type { Statement } from './connection.ts'

export type Rows<R> = { readonly rows: R[]; readonly rowCount: number }

/** Runs statements: the pool, or one transaction. */
export type Queryable = {
  query<R extends object>(statement: Statement | string, values?: readonly unknown[]): Promise<Rows<R>>
}

declare const inTransaction: unique symbol

/** Open database transaction. A function that needs one takes it as its first parameter. */
export type Tx = Queryable & { readonly [inTransaction]: true }

export type Database = Queryable & {
  /**
   * Runs `work` in one transaction; commits when it returns, rolls back when it throws. An UncertainCommitError says
   * that it may be committed; any other error says that it is not.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>, limits?: Limits): Promise<T>
  /** Holds one connection for as long as `work` runs, outside any transaction. */
  withConnection<T>(work: (connection: Queryable) => Promise<T>, limits?: Limits): Promise<T>
  /** Opens a connection outside the pool, for LISTEN. The caller limits its statements, and cuts it. */
  dedicatedConnection(): Promise<pg.Client>
  readonly options: DatabaseOptions
  /** Place to which its connections lead, for a group that can be moved. */
  readonly whereabouts: Whereabouts
  close(): Promise<void>
}

export type Limits = {
  /** Limit of each statement at the server, or UNLIMITED. The connection is cut when no answer comes a little later. */
  readonly statementMs: number
}

export type DatabaseOptions = {
  connection: pg.ClientConfig
  /** Schema that every statement works in; left out: the one that the connection itself leads to. */
  schema?: string | undefined
  connectionsMax: number
  /** Name in pg_stat_activity, so that an operator knows whose connection it is. */
  applicationName: string
  /** Limit of each statement that is given no other limit. */
  statementMs?: number
  /** Servers that are connected to; by default those that write. `any`: a standby too, for reads that decide nothing. */
  access?: 'read-write' | 'any'
  /** Opens the sealed address to which a group was moved. Left out: the place is not one of a group. */
  openAddress?: ((sealed: Buffer) => Promise<string>) | undefined
}

/** Default limit of a statement. Two attempts, with the time for their answers, fit into the time of a request. */
export const STATEMENT_MS = 10_000

// int8 is parsed as bigint: money and ids are exact. `sum(bigint)` is numeric and must be cast in the statement.
const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.INT8, (text: string) => BigInt(text))

/** Time after a lost answer in which commits are confirmed: at least as long as a command may be run again. */
const CONFIRM_FOR_MS = 60_000

export function openDatabase(options: DatabaseOptions): Database {
  const { statementMs = STATEMENT_MS, connectionsMax, applicationName } = options
  const target = createTarget({ ...options, statementMs, types })
  const admit = options.access === 'any' ? async () => {} : expectWritable
  const { lend, close } = openPool(target, { applicationName, connectionsMax, admit })
  // A standby commits nothing, and could not confirm it.
  const settle: Settle = options.access === 'any' ? ask : createSettle(statementMs)

  return {
    get options() {
      return { ...options, connection: target.connection }
    },
    whereabouts: target.whereabouts,
    async query<R extends object>(statement: Statement | string, values: readonly unknown[] = []) {
      const once = () =>
        lend(async (client) => toRows(await settle<R>(client, statement, values, statementMs)), isHarmless)
      try {
        return await once()
      } catch (error) {
        // The place to which the group was moved answers instead: the older one certainly did nothing.
        if (error instanceof MovedError) return once()
        throw error
      }
    },
    transaction(work, limits = { statementMs }) {
      let isRolledBack = false
      return lend(
        async (client) => {
          const limitMs = limits.statementMs
          const ownLimit = limitMs === statementMs ? '' : `; set local ${settingOf(limits)}`
          try {
            await ask(client, `begin${ownLimit}`, [], statementMs)
            const result = await work(asTx(client, limitMs))
            const commitMs = limitMs === UNLIMITED ? UNLIMITED : Math.max(limitMs, statementMs)
            await commit(() => settle(client, 'commit', [], commitMs))
            return result
          } catch (error) {
            if (!(error instanceof UncertainCommitError)) {
              isRolledBack = await rollBack(client, statementMs)
            }
            throw error
          }
        },
        (error) => isRolledBack && !isReadOnly(error),
      )
    },
    // A session has temporary tables, locks and settings of its own: after an error it is closed.
    withConnection: (work, limits) =>
      lend(
        async (client) => {
          if (limits !== undefined) await ask(client, `set ${settingOf(limits)}`, [], statementMs)
          const limitMs = limits?.statementMs ?? statementMs
          const result = await work({
            query: async (statement, values = []) => toRows(await settle(client, statement, values, limitMs)),
          })
          if (limits !== undefined) await ask(client, 'reset statement_timeout', [], statementMs)
          return result
        },
        () => false,
      ),
    async dedicatedConnection() {
      await target.expectHere()
      const client = new pg.Client(target.config)
      // The server may end the connection in the moment in which it is open: without a listener that ends the process.
      client.on('error', () => {})
      await client.connect()
      watchConnection(client)
      await admit(client).catch((error: unknown) => {
        cut(client)
        throw error
      })
      target.onMoved(client, () => cut(client))
      return client
    },
    close,
  }
}

type Settle = <R extends object>(
  client: pg.PoolClient,
  statement: Statement | string,
  values: readonly unknown[],
  limitMs: number,
) => Promise<pg.QueryResult<R & pg.QueryResultRow>>

/**
 * Makes the function that runs a statement that commits by itself, or a COMMIT. After a lost answer it confirms for a
 * while that commits are replicated.
 */
function createSettle(statementMs: number): Settle {
  let confirmUntilMs = Number.NEGATIVE_INFINITY
  const expectConfirmation = () => {
    confirmUntilMs = performance.now() + CONFIRM_FOR_MS
  }
  return async <R extends object>(...[client, statement, values, limitMs]: Parameters<Settle>) => {
    let result: pg.QueryResult<R & pg.QueryResultRow>
    try {
      result = await ask<R>(client, statement, values, limitMs)
    } catch (error) {
      if (!isVerdict(error)) expectConfirmation()
      throw error
    }
    if (takeUnreplicated(client)) expectConfirmation()
    else if (confirmUntilMs < performance.now()) return result
    if (client.getTransactionStatus() === 'I') await confirmReplication(client, statementMs)
    return result
  }
}

/** Rolls back; false: it is not known whether the connection is as it was before. */
async function rollBack(client: pg.PoolClient, statementMs: number): Promise<boolean> {
  try {
    await ask(client, 'rollback', [], statementMs)
    return true
  } catch {
    return false
  }
}

async function commit(send: () => Promise<pg.QueryResult>): Promise<void> {
  let command: string
  try {
    command = (await send()).command
  } catch (error) {
    if (isVerdict(error) || error instanceof UncertainCommitError) throw error
    throw new UncertainCommitError(error)
  }
  // The server answers COMMIT with ROLLBACK, and without an error, when a statement failed and its error was ignored.
  if (command === 'ROLLBACK') throw new Error('the transaction was rolled back: a statement in it had failed')
}

/** Confirms on the same connection: another one may lead to another server, after a failover that lost the commit. */
async function confirmReplication(client: pg.ClientBase, statementMs: number): Promise<void> {
  try {
    await ask(client, CONFIRM_REPLICATION, [], statementMs)
  } catch (error) {
    throw new UncertainCommitError(error)
  }
  if (takeUnreplicated(client))
    throw new UncertainCommitError(new Error('the standby did not confirm a commit'))
}

function settingOf({ statementMs }: Limits): string {
  return `statement_timeout = ${Math.ceil(statementMs)}`
}

function toRows<R extends object>(result: pg.QueryResult<R & pg.QueryResultRow>): Rows<R> {
  return { rows: result.rows, rowCount: result.rowCount ?? 0 }
}

/** Runs a statement on a connection of the driver, without a limit. */
export async function run<R extends object>(
  client: pg.ClientBase,
  statement: Statement | string,
  values: readonly unknown[] = [],
): Promise<Rows<R>> {
  return toRows(await ask<R>(client, statement, values, UNLIMITED))
}

function asTx(client: pg.ClientBase, statementMs: number): Tx {
  const tx: Queryable = {
    query: async (statement, values = []) => toRows(await ask(client, statement, values, statementMs)),
  }
  return tx as Tx
}

/** Tells that the server reported ERROR: the statement and its transaction are rolled back. */
function isVerdict(error: unknown): boolean {
  return sqlSeverity(error) === 'ERROR'
}

/** Tells that a single statement failed, and its connection is as it was before. */
function isHarmless(error: unknown): boolean {
  return isVerdict(error) && !isReadOnly(error)
}

/**
 * Error of a COMMIT that was sent and that the server neither confirmed nor refused: the transaction may be committed.
 * Every other error of `transaction` means that nothing was committed.
 */
export class UncertainCommitError extends Error {
  constructor(cause: unknown) {
    super('it is not known whether the transaction was committed', { cause })
    this.name = 'UncertainCommitError'
  }
}

/** Returns ERROR, FATAL or PANIC as the server reported it; undefined when the server itself reported nothing. */
export function sqlSeverity(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.severity : undefined
}

const UNIQUE_VIOLATION = '23505'
/** Number of the shard, which Citus appends to the name of a constraint. */
const SHARD = /_\d{6,}$/

/** Returns true when `error` says that `constraint` was violated: the caller's value is taken. */
export function isTaken(error: unknown, constraint: string): boolean {
  return (
    error instanceof pg.DatabaseError &&
    error.code === UNIQUE_VIOLATION &&
    error.constraint?.replace(SHARD, '') === constraint.replace(SHARD, '')
  )
}

const LOCK_NOT_AVAILABLE = '55P03'

/** Returns true when another transaction held a lock for longer than the transaction's `lock_timeout`. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === LOCK_NOT_AVAILABLE
}

/** Makes the first contact. A failure here is a matter of address, password or network, and the error says so. */
export async function reach(database: Queryable): Promise<void> {
  try {
    await database.query('select 1')
  } catch (error) {
    throw new Error('the database cannot be reached', { cause: error })
  }
}

const QUERY_CANCELED = '57014'

/** Returns true when a statement was ended because it took too long, or because an operator ended it. */
export function isCancelled(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === QUERY_CANCELED
}

const READ_ONLY_TRANSACTION = '25006'

/**
 * Returns true when the server only reads: certainly nothing was written. The connection leads to a server that is not
 * the leader any more, so it is not used again.
 */
export function isReadOnly(error: unknown): boolean {
  if (error instanceof ReadOnlyServerError) return true
  return error instanceof pg.DatabaseError && error.code === READ_ONLY_TRANSACTION
}

const DISK_FULL = '53100'

/** Returns true when the server has no room on its disk: it has written nothing, and no command is at fault. */
export function isOutOfRoom(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.severity === 'ERROR' && error.code === DISK_FULL
}

/** Classes of codes: connection, cancelled or shut down, no room, and a file or disk that fails. */
const CONNECTION_TROUBLE = /^(08|57014|57P0|53|58)/
const SYSTEM_TROUBLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
])
const SYSTEM_CALLS = new Set(['connect', 'read', 'write', 'getaddrinfo'])
const DRIVER_TROUBLE =
  /connection terminated|timeout exceeded when trying to connect|Connection ended unexpectedly|is not queryable/i

/** Tells a database that is out of reach, out of room or too slow from a statement that is wrong. */
export function isOutOfReach(error: unknown): boolean {
  if (isReadOnly(error)) return true
  // ERROR is about one statement; FATAL and PANIC mean that the server serves no client just now.
  if (error instanceof pg.DatabaseError) {
    return error.severity !== 'ERROR' || CONNECTION_TROUBLE.test(error.code ?? '')
  }
  if (!(error instanceof Error)) return false
  if (error instanceof DatabaseSilentError) return true
  // A name with several addresses fails with one error for each. The error around them has no system call.
  if (error instanceof AggregateError) return error.errors.some(isOutOfReach)
  const { code, syscall } = error as NodeJS.ErrnoException
  if (code !== undefined && SYSTEM_CALLS.has(syscall ?? '')) return SYSTEM_TROUBLE.has(code)
  return DRIVER_TROUBLE.test(error.message)
}
