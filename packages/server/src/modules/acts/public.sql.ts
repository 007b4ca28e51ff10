import type { Tx } from '../../db/database.ts'

/** Locks a subject that has no lock of its own: no other operator changes it until the transaction ends. */
export async function lockSubject(tx: Tx, subject: string): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0) # lock_mark())', [
    `operator:${subject}`,
  ])
}
