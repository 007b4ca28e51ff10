import type { Tx } from '../../db/database.ts'

/**
 * Changes of prices and of routes are compared with each other one after the other: each of two at once would otherwise
 * be sound beside what the other one is about to replace.
 */
export async function lockMargins(tx: Tx): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('prices and supplier costs', 0))`)
}
