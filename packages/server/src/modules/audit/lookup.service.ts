import type { Queryable, Tx } from '../../db/database.ts'
import { findHead, listRecords, listRecordsAfter, lockHead } from './sql.ts'
import type { ChainedRecord, Target } from './types.ts'

/** The number of the last row now: a row that is looked for later has a greater one. */
export async function getLastSequence(connection: Queryable): Promise<bigint> {
  return (await findHead(connection))?.sequence ?? 0n
}

const ROWS_MAX = 1_000

/** The latest rows about one thing. */
export function listRowsAbout(connection: Queryable, { kind, id }: Target): Promise<ChainedRecord[]> {
  return listRecords(connection, {
    actor: null,
    action: null,
    targetKind: kind,
    target: id,
    fromMs: null,
    untilMs: null,
    beforeSequence: null,
    limit: ROWS_MAX,
  })
}

/**
 * The rows behind a number. Whoever is about to write one holds the head until it commits, and is waited for: a row
 * that is not here now belongs to a transaction that was rolled back.
 */
export async function listRowsBehind(tx: Tx, sequence: bigint): Promise<ChainedRecord[]> {
  await lockHead(tx)
  return listRecordsAfter(tx, sequence, ROWS_MAX)
}
