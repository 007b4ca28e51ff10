import type { Database, Limits } from './database.ts'

/**
 * Limits of statements over much data: imports, checks of the whole ledger, sums of days. No request waits for them.
 */
export const LONG_STATEMENTS: Limits = { statementMs: 15 * 60_000 }

/** Wraps the database for a job whose result no request awaits: each statement has a long limit. */
export function withLongStatements(database: Database): Database {
  return {
    ...database,
    query: (statement, values) =>
      database.withConnection((connection) => connection.query(statement, values), LONG_STATEMENTS),
    transaction: (work, limits = LONG_STATEMENTS) => database.transaction(work, limits),
    withConnection: (work, limits = LONG_STATEMENTS) => database.withConnection(work, limits),
  }
}
