import type { Queryable } from '../../db/database.ts'
import { listFavouriteRows } from './sql.ts'
import type { Favourite } from './types.ts'
import { FAVOURITES_MAX } from './types.ts'

/** Lists the favourites that a member sees: one's own first, then the shop's. */
export function listFavourites(
  connection: Queryable,
  resellerId: bigint,
  memberId: bigint,
): Promise<Favourite[]> {
  return listFavouriteRows(connection, resellerId, memberId, 2 * FAVOURITES_MAX)
}
