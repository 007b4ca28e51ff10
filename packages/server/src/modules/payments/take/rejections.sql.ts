import type { Queryable } from '../../../db/database.ts'

const SWEEP = {
  name: 'payment_rejections_sweep',
  text: `delete from payment_rejections
          where (reseller_id, refid) in (
            select reseller_id, refid from payment_rejections
             where rejected_at < now() - make_interval(secs => $2)
             order by rejected_at limit $1 for update skip locked)`,
}

/** Deletes up to `limit` rejections older than `keptSeconds`; returns how many. */
export async function sweepRejections(
  connection: Queryable,
  limit: number,
  keptSeconds: number,
): Promise<number> {
  const { rowCount } = await connection.query(SWEEP, [limit, keptSeconds])
  return rowCount
}

const FIND = {
  name: 'payment_rejections_find',
  text: 'select rejected_at from payment_rejections where reseller_id = $1 and refid = $2',
}

/** Finds when a refid was rejected the last time. Rejections are kept as long as a signature lives. */
export async function findRejectedAt(
  connection: Queryable,
  resellerId: bigint,
  refid: string,
): Promise<Date | undefined> {
  const { rows } = await connection.query<{ rejected_at: Date }>(FIND, [resellerId, refid])
  return rows[0]?.rejected_at
}
