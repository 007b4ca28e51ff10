import type { Database } from '../../../db/database.ts'
import { listRefids } from './references.sql.ts'

/** Finds the refids of a reseller's payments by their ids, for statements that name the payment behind an entry. */
export function createRefidLookup(database: Database) {
  return async (resellerId: bigint, ids: readonly bigint[]): Promise<ReadonlyMap<bigint, string>> =>
    ids.length === 0 ? new Map() : listRefids(database, resellerId, ids)
}
