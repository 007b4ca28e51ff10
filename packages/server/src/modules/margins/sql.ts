import type { Tx } from '../../db/database.ts'

/**
 * Puts changes of prices and of routes in sequence. Two at once would each be compared with values that the
 * other is about to replace.
 */
export async function lockMargins(tx: Tx): Promise<void> {
  await tx.query(
    `select pg_advisory_xact_lock(hashtextextended('prices and supplier costs', 0) # lock_mark())`,
  )
}
