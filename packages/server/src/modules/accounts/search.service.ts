import type { Queryable } from '../../db/database.ts'
import type { ResellerSearch } from './search.sql.ts'
import { searchResellerRows } from './search.sql.ts'
import type { Reseller } from './types.ts'

/** Searches for people who look for one reseller among thousands; oldest first. */
export function searchResellers(connection: Queryable, page: ResellerSearch): Promise<Reseller[]> {
  return searchResellerRows(connection, page)
}
