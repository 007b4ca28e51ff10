import { COMMIT_MAX_MS } from '../../../db/clock.ts'
import type { Queryable, Tx } from '../../../db/database.ts'
import { countFree, listGoneSince, withdrawFree, withdrawFreeBefore } from './lost.sql.ts'

// Stock after the database was returned to an earlier moment: items that were sold after it look free.

/**
 * Lists the items that were sold or withdrawn since a moment, from the log of that time. The list also has items from
 * shortly before the moment, because the time of a commit is not known: those are not free in the restored database. A
 * withdrawn item may have been sold too: an earlier restore withdrew what had been sold before it.
 */
export function findGoneSince(connection: Queryable, moment: Date): Promise<bigint[]> {
  return listGoneSince(connection, new Date(moment.getTime() - COMMIT_MAX_MS))
}

/** Withdraws those of the items that are free; returns how many. */
export function withdrawGone(tx: Tx, ids: readonly bigint[]): Promise<number> {
  return withdrawFree(tx, ids)
}

/** Withdraws every free item that was loaded before a moment, because it may have been sold; returns how many. */
export function withdrawUnsure(tx: Tx, loadedBefore: Date): Promise<number> {
  return withdrawFreeBefore(tx, loadedBefore)
}

/** Counts free items. */
export function countFreeItems(connection: Queryable): Promise<number> {
  return countFree(connection)
}
