import type { Tx } from '../../../db/database.ts'

/** For what has no lock of its own: until the transaction ends no other operator changes the same. */
export async function lockSubject(tx: Tx, subject: string): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`operator:${subject}`])
}
