import type { Queryable, Tx } from '../../../db/database.ts'
import { countFree, listSoldSince, withdrawFree, withdrawFreeBefore } from './lost.sql.ts'

// Stock after the database was returned to an earlier moment: items that were sold after it look free.

/** Lists the items that were sold since a moment, from the log of that time. */
export function findSoldSince(connection: Queryable, moment: Date): Promise<bigint[]> {
  return listSoldSince(connection, moment)
}

/** Withdraws free items that were sold; returns how many. */
export function withdrawSold(tx: Tx, ids: readonly bigint[]): Promise<number> {
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
