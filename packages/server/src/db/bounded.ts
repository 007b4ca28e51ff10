import { RequestError } from '../lib/errors.ts'
import type { Database, Tx } from './database.ts'
import { isCancelled } from './database.ts'

/**
 * Reads in one snapshot of the database, each statement within its time. A read of too much data ends in a 503 that
 * says what to do, and not in a connection that stays occupied. JIT compilation of plans is off: it would cost more
 * than running them.
 */
export async function readWithin<T>(
  database: Pick<Database, 'transaction'>,
  statementTimeoutMs: number,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  try {
    return await database.transaction(
      async (tx) => {
        await tx.query('set transaction isolation level repeatable read, read only; set local jit = off')
        return work(tx)
      },
      { statementMs: statementTimeoutMs },
    )
  } catch (error) {
    if (isCancelled(error)) throw tookTooLong(error)
    throw error
  }
}

function tookTooLong(cause: unknown): RequestError {
  return new RequestError({
    status: 503,
    code: 'read_too_long',
    publicText: 'This covers too much data. Ask for fewer days at a time.',
    internalText: 'a statement exceeded its time limit',
    headers: { 'Retry-After': '5' },
    cause,
  })
}
