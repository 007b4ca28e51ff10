import type { Tx } from '../../../db/database.ts'
import type { DayRange } from '../../../lib/dates.ts'
import type { PaymentCode } from '../core/types.ts'
import { TOLD_SUMS } from './rollups.sql.ts'

/** Payments of all resellers on one day, of one product and one code. */
export type SalesRow = {
  day: number
  product_code: string
  code: PaymentCode
  payments: bigint
  face_value: bigint
  cost: bigint
  /** Part whose suppliers said what they took, and that in ringgit. */
  told_payments: bigint
  told_face_value: bigint
  told_charged: bigint
  told_cost: bigint
}

/**
 * Sums each reseller's days as the history does: from the rollups for current days, and from the payments for the
 * others, which are today, the days that a late answer changed, and days without payments. Resellers with payments are
 * found by skipping along the primary key. The cost is that of today's payments, of the rollups of the days, and of an
 * index lookup for each reseller and day; older payments are not read.
 */
const SALES = {
  name: 'rollups_sales_of_all',
  text: `
    with recursive payers as (
      (select reseller_id from payments order by reseller_id limit 1)
      union all
      select (select p.reseller_id from payments p where p.reseller_id > payers.reseller_id
               order by p.reseller_id limit 1)
        from payers where payers.reseller_id is not null
    ), days as materialized (
      select payers.reseller_id, d.day, date '1970-01-01' + d.day as date, m.is_current is not null as is_current
        from payers
        cross join generate_series($1::integer, $2::integer) as d (day)
        left join payment_rollup_days m
          on m.reseller_id = payers.reseller_id and m.day = date '1970-01-01' + d.day and m.is_current
       where payers.reseller_id is not null
    ), sums as (
      select days.day, r.product_code, r.code, r.payments, r.face_value, r.cost, r.told_payments, r.told_face_value,
             r.told_charged, r.told_cost
        from days join payment_rollups r on r.reseller_id = days.reseller_id and r.day = days.date
       where days.is_current
      union all
      select days.day, s.*
        from days
        cross join lateral (
          select p.product_code, p.code, count(*), sum(p.face_value), sum(p.cost), ${TOLD_SUMS}
            from payments p
            left join told_costs(days.reseller_id, (days.day * bigint '86400000' - 28800000) << 20,
                                 ((days.day + 1) * bigint '86400000' - 28800000) << 20) t on t.payment_id = p.id
           where p.reseller_id = days.reseller_id and p.id >= (days.day * bigint '86400000' - 28800000) << 20
             and p.id < ((days.day + 1) * bigint '86400000' - 28800000) << 20
           group by p.product_code, p.code
        ) s
       where not days.is_current
    )
    select day, product_code, code, sum(payments)::bigint as payments, sum(face_value)::bigint as face_value,
           sum(cost)::bigint as cost, sum(told_payments)::bigint as told_payments,
           sum(told_face_value)::bigint as told_face_value, sum(told_charged)::bigint as told_charged,
           sum(told_cost)::bigint as told_cost
      from sums group by day, product_code, code`,
}

/** The planner is kept to the indexes: it cannot know that nearly every day is current. */
export async function sumSales(tx: Tx, { from, to }: DayRange): Promise<SalesRow[]> {
  await tx.query(
    `set local enable_seqscan = off; set local enable_bitmapscan = off;
     set local max_parallel_workers_per_gather = 0`,
  )
  const { rows } = await tx.query<SalesRow>(SALES, [from, to])
  return rows
}
