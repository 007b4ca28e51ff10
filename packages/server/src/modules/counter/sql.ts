import type { Queryable, Tx } from '../../db/database.ts'
import type { Favourite } from './types.ts'

/** Keeps a shop's favourites from changing until the transaction ends. */
export async function lockFavourites(tx: Tx, resellerId: bigint): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('favourites', $1) # lock_mark())`, [
    resellerId,
  ])
}

type FavouriteRow = {
  id: bigint
  member_id: bigint | null
  name: string
  product_code: string
  account: string
  amount: bigint | null
}

const COLUMNS = 'id, member_id, name, product_code, account, amount'

const LIST = {
  name: 'counter_favourites_list',
  text: `select ${COLUMNS} from counter_favourites
          where reseller_id = $1 and (member_id is null or member_id = $2)
          order by member_id nulls last, id limit $3`,
}

/** Lists the favourites that a member sees: one's own first, then the shop's. */
export async function listFavouriteRows(
  connection: Queryable,
  resellerId: bigint,
  memberId: bigint,
  limit: number,
): Promise<Favourite[]> {
  const { rows } = await connection.query<FavouriteRow>(LIST, [resellerId, memberId, limit])
  return rows.map(toFavourite)
}

export async function insertFavourite(
  tx: Tx,
  resellerId: bigint,
  { memberId, name, productCode, account, amount }: Omit<Favourite, 'id'>,
): Promise<Favourite> {
  const { rows } = await tx.query<FavouriteRow>(
    `insert into counter_favourites (reseller_id, member_id, name, product_code, account, amount)
     values ($1, $2, $3, $4, $5, $6) returning ${COLUMNS}`,
    [resellerId, memberId, name, productCode, account, amount],
  )
  const [row] = rows
  if (row === undefined) throw new Error('the favourite was not kept')
  return toFavourite(row)
}

/** Deletes a favourite that the member sees. */
export async function deleteFavourite(
  tx: Tx,
  resellerId: bigint,
  memberId: bigint,
  id: bigint,
): Promise<Favourite | undefined> {
  const { rows } = await tx.query<FavouriteRow>(
    `delete from counter_favourites
      where reseller_id = $1 and id = $3 and (member_id is null or member_id = $2) returning ${COLUMNS}`,
    [resellerId, memberId, id],
  )
  return rows[0] && toFavourite(rows[0])
}

function toFavourite({
  id,
  member_id: memberId,
  product_code: productCode,
  ...row
}: FavouriteRow): Favourite {
  return { id, memberId, productCode, name: row.name, account: row.account, amount: row.amount }
}
