import type { Tx } from '../../../db/database.ts'
import type { Kept } from './retention.sql.ts'
import { deleteAccountEvents, deleteEvents, deleteParts } from './retention.sql.ts'

const ROWS_MAX = 500
/** Limit of parts per call; each part may be a megabyte. */
const PARTS_MAX = 10

/**
 * Deletes some rows that are no longer needed, references first. Returns the number of rows; 0: nothing is
 * left.
 */
export async function deleteOldEvents(tx: Tx, kept: Kept): Promise<number> {
  const accountEvents = await deleteAccountEvents(tx, kept, ROWS_MAX)
  if (accountEvents > 0) return accountEvents
  const events = await deleteEvents(tx, kept, ROWS_MAX)
  if (events > 0) return events
  return deleteParts(tx, kept, PARTS_MAX)
}
