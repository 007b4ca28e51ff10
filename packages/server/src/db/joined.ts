import type { Database, Tx } from './database.ts'

/** Shows an open transaction as a database, so that code which opens a transaction takes part in this one. */
export function joined(
  tx: Tx,
  { options, whereabouts }: Pick<Database, 'options' | 'whereabouts'>,
): Database {
  const alone = () => Promise.reject(new Error('a transaction has one connection, and cannot give it away'))
  return {
    query: tx.query,
    transaction: (work) => withSavepoint(tx, () => work(tx)),
    withConnection: alone,
    dedicatedConnection: alone,
    options,
    whereabouts,
    close: async () => {},
  }
}

/** Undoes `work` alone when it fails; the transaction goes on. */
export async function withSavepoint<T>(tx: Tx, work: () => Promise<T>): Promise<T> {
  await tx.query('savepoint joined')
  try {
    const result = await work()
    await tx.query('release savepoint joined')
    return result
  } catch (error) {
    await tx.query('rollback to savepoint joined')
    await tx.query('release savepoint joined')
    throw error
  }
}
