import type { Database, Queryable, Tx } from './database.ts'

/** Runs `work` on one snapshot of a connection that the caller holds: everything it reads is of one moment. */
export async function inSnapshot<T>(connection: Queryable, work: () => Promise<T>): Promise<T> {
  await connection.query('begin isolation level repeatable read read only')
  const result = await work()
  await connection.query('commit')
  return result
}

/** Runs `work` on one snapshot in a transaction of its own: everything it reads is of one moment, and it writes nothing. */
export function readSnapshot<T>(
  database: Pick<Database, 'transaction'>,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return database.transaction(async (tx) => {
    await tx.query('set transaction isolation level repeatable read, read only')
    return work(tx)
  })
}
