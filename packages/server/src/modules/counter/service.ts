import type { Queryable } from '../../db/database.ts'
import { listFilterRows } from './filters.sql.ts'
import { listFavouriteRows } from './sql.ts'
import type { Favourite, SavedFilter } from './types.ts'
import { FAVOURITES_MAX, FILTERS_MAX } from './types.ts'

/** Lists the favourites that a member sees: one's own first, then the shop's. */
export function listFavourites(
  connection: Queryable,
  resellerId: bigint,
  memberId: bigint,
): Promise<Favourite[]> {
  return listFavouriteRows(connection, resellerId, memberId, 2 * FAVOURITES_MAX)
}

/** Lists the saved filters that a member sees: one's own first, then the shop's. */
export function listFilters(
  connection: Queryable,
  resellerId: bigint,
  memberId: bigint,
): Promise<SavedFilter[]> {
  return listFilterRows(connection, resellerId, memberId, 2 * FILTERS_MAX)
}
