import { plainArray } from '../../../db/arrays.ts'
import type { Queryable, Tx } from '../../../db/database.ts'

/** Lists items that were sold or withdrawn since a moment. */
export async function listGoneSince(connection: Queryable, moment: Date): Promise<bigint[]> {
  const { rows } = await connection.query<{ id: bigint }>(
    'select id from stock_items where bound_at > $1 or withdrawn_at > $1 order by id',
    [moment],
  )
  return rows.map(({ id }) => id)
}

/** Withdraws those of the items that are free; returns how many. */
export async function withdrawFree(tx: Tx, ids: readonly bigint[]): Promise<number> {
  const { rowCount } = await tx.query(
    `update stock_items set withdrawn_at = now()
      where id = any ($1::bigint[]) and payment_id is null and withdrawn_at is null`,
    [plainArray(ids)],
  )
  return rowCount
}

/** Withdraws every free item that was loaded before a moment; returns how many. */
export async function withdrawFreeBefore(tx: Tx, moment: Date): Promise<number> {
  const { rowCount } = await tx.query(
    `update stock_items i set withdrawn_at = now()
      where payment_id is null and withdrawn_at is null
        and exists (select from stock_batches b where b.id = i.batch_id and b.loaded_at < $1)`,
    [moment],
  )
  return rowCount
}

export async function countFree(connection: Queryable): Promise<number> {
  const { rows } = await connection.query<{ count: number }>(
    'select count(*)::integer as count from stock_items where payment_id is null and withdrawn_at is null',
  )
  return rows[0]?.count ?? 0
}
