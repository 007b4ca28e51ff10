import type { Database } from '../../../db/database.ts'
import { joined } from '../../../db/joined.ts'

/**
 * Does the work and rolls it back, so that no approval is requested for a change that cannot be made. Rethrows the
 * error of the work.
 */
export async function rehearse(
  database: Database,
  work: (database: Database) => Promise<unknown>,
): Promise<void> {
  const undone = new Error('a rehearsal')
  const doing = database.transaction(async (tx) => {
    await work(joined(tx, database))
    throw undone
  })
  await doing.catch((error: unknown) => {
    if (error !== undone) throw error
  })
}
