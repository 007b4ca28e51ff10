import type { Database } from '../../../db/database.ts'
import { joined } from '../../../db/joined.ts'

/** Nobody is asked to approve what could not be done: it is done, and undone. What it throws is thrown. */
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
