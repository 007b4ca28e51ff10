import type { Queryable, Tx } from '../../db/database.ts'
import { findHead, listRecords, listRecordsAfter, lockHead } from './sql.ts'
import type { ChainedRecord, Target } from './types.ts'

/** Returns the number of the last row now; any later row has a greater number. */
export async function getLastSequence(connection: Queryable): Promise<bigint> {
  return (await findHead(connection))?.sequence ?? 0n
}

const ROWS_MAX = 1_000

/** Lists the latest rows about one target. */
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
 * Lists the rows after a number. A writer holds the head until it commits, and this call waits for it: a row
 * that is missing after that belongs to a transaction that was rolled back.
 */
export async function listRowsBehind(tx: Tx, sequence: bigint): Promise<ChainedRecord[]> {
  await lockHead(tx)
  return listRecordsAfter(tx, sequence, ROWS_MAX)
}
