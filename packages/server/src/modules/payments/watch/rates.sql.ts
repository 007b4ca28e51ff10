import type { Tx } from '../../../db/database.ts'
import type { PaymentCode } from '../core/types.ts'

/** Payments of one reseller, product and code. */
export type CountRow = { reseller_id: bigint; product_code: string; code: PaymentCode; payments: bigint }

// Resellers with payments are found by skipping along the primary key, as for the sales: one lookup for each reseller.
const PAYERS = `payers as (
      (select reseller_id from payments order by reseller_id limit 1)
      union all
      select (select p.reseller_id from payments p where p.reseller_id > payers.reseller_id
               order by p.reseller_id limit 1)
        from payers where payers.reseller_id is not null
    )`

/**
 * Reads the payments of the last minutes alone: an id begins with its millisecond. The time is now(), which the index can
 * be searched with; clock_timestamp() would be compared with every payment.
 */
export const RECENT = {
  name: 'payments_watch_recent',
  text: `
    with recursive ${PAYERS}
    select payers.reseller_id, p.product_code, p.code, p.payments
      from payers
      cross join lateral (
        select product_code, code, count(*) as payments from payments
         where reseller_id = payers.reseller_id
           and id >= ((extract(epoch from now()) * 1000)::bigint - $1::bigint * 60000) << 20
         group by product_code, code
      ) p
     where payers.reseller_id is not null`,
}

/** Reads the sums of the seven days before today by GMT+8, and no payments. */
const WEEK = {
  name: 'payments_watch_week',
  text: `
    with recursive ${PAYERS}, today as (
      select (clock_timestamp() at time zone 'Asia/Kuala_Lumpur')::date as day
    )
    select payers.reseller_id, r.product_code, r.code, r.payments
      from payers
      cross join today
      cross join lateral (
        select product_code, code, sum(payments)::bigint as payments from payment_rollups
         where reseller_id = payers.reseller_id and day >= today.day - 7 and day < today.day
         group by product_code, code
      ) r
     where payers.reseller_id is not null`,
}

/** The planner is kept to the indexes: with the statistics of a while ago it could read through all payments. */
async function list(tx: Tx, statement: typeof RECENT, values: readonly unknown[]): Promise<CountRow[]> {
  await tx.query('set local enable_seqscan = off; set local max_parallel_workers_per_gather = 0')
  const { rows } = await tx.query<CountRow>(statement, values)
  return rows
}

export const countRecent = (tx: Tx, minutes: number): Promise<CountRow[]> => list(tx, RECENT, [minutes])

export const countLastWeek = (tx: Tx): Promise<CountRow[]> => list(tx, WEEK, [])
