import type { Database } from '../../../db/database.ts'

// Arbitrary fixed number: every process that changes master or data keys takes the same advisory lock. It has no mark of
// the schema, because groups of one installation have one file of keys.
const KEY_CHANGE_LOCK = 7_714_204

/**
 * Runs `work` while no other process changes keys. Two processes at once could each write a key file without the
 * other's key, and data wrapped under the lost key could never be opened again.
 */
export function whileKeysAreLocked<T>(database: Database, work: () => Promise<T>): Promise<T> {
  return database.withConnection(async (connection) => {
    const { rows } = await connection.query<{ locked: boolean }>(
      'select pg_try_advisory_lock($1) as locked',
      [KEY_CHANGE_LOCK],
    )
    if (rows[0]?.locked !== true) throw new Error('another process is changing keys right now; try again')
    try {
      return await work()
    } finally {
      await connection.query('select pg_advisory_unlock($1)', [KEY_CHANGE_LOCK])
    }
  })
}
