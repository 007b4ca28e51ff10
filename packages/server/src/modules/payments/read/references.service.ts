import type { Queryable } from '../../../db/database.ts'
import { listRefids } from './references.sql.ts'

/** Finds the refids of a reseller's payments by their ids, for statements that name the payment behind an entry. */
export function createRefidLookup(database: Queryable) {
  return async (resellerId: bigint, ids: readonly bigint[]): Promise<ReadonlyMap<bigint, string>> =>
    ids.length === 0 ? new Map() : listRefids(database, resellerId, ids)
}
