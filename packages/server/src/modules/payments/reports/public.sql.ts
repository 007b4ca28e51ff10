import type { Queryable, Tx } from '../../../db/database.ts'
import type { ToldCosts } from './sales.types.ts'

// Statements that other modules call as they are.

export type RecentSales = {
  readonly resellerId: bigint
  readonly productCode: string
  readonly payments: bigint
  readonly faceValue: bigint
}

/** Sums successful payments of the last days by reseller and product, from the sums of days that are over. */
export async function listRecentSales(connection: Queryable, days: number): Promise<RecentSales[]> {
  const { rows } = await connection.query<RecentSales>(
    `select reseller_id as "resellerId", product_code as "productCode", sum(payments)::bigint as payments,
            sum(face_value)::bigint as "faceValue"
       from payment_rollups
      where code = 20 and day >= (clock_timestamp() at time zone 'Asia/Kuala_Lumpur')::date - $1::integer
      group by reseller_id, product_code`,
    [days],
  )
  return rows
}

/** Money that a supplier took from us for an attempt that succeeded, where it says so. */
export type SupplierCost = {
  readonly resellerId: bigint
  readonly paymentId: bigint
  readonly attempt: number
  readonly provider: string
  readonly currency: string
  /** Ten-thousandths of the currency's unit. */
  readonly amount: bigint
  /** Ringgit for one unit when it was said, as plain decimal; null: there is none yet. */
  readonly rate: string | null
  readonly ringgit: bigint | null
}

const COST_COLUMNS = `reseller_id as "resellerId", payment_id as "paymentId", attempt, provider, currency, amount,
  trim_scale(rate)::text as rate, round(amount * rate)::bigint as ringgit`

/** Lists what suppliers took for one payment, in the order of its attempts. */
export async function listCostsOfPayment(
  connection: Queryable,
  payment: { readonly resellerId: bigint; readonly id: bigint },
): Promise<SupplierCost[]> {
  const { rows } = await connection.query<SupplierCost>(
    `select ${COST_COLUMNS} from payment_supplier_costs where reseller_id = $1 and payment_id = $2 order by attempt`,
    [payment.resellerId, payment.id],
  )
  return rows
}

/**
 * Sums what suppliers took for payments that were taken in a time and succeeded. A payment counts once, with the costs
 * of all its attempts. A payment without a said cost is not among them.
 */
export async function sumToldCosts(
  connection: Queryable,
  time: { readonly from: Date; readonly until: Date },
  limit: number,
): Promise<ToldCosts[]> {
  const { rows } = await connection.query<ToldCosts>(
    `with costs as (
       select reseller_id, payment_id, provider, currency, amount, rate,
              row_number() over (partition by reseller_id, payment_id order by attempt desc) = 1 as is_last
         from payment_supplier_costs
        where payment_id >= (extract(epoch from $1::timestamptz) * 1000)::bigint << 20 and payment_id < (extract(epoch from $2::timestamptz) * 1000)::bigint << 20
     )
     select p.product_code as "productCode", c.provider, c.currency,
            count(*) filter (where c.is_last)::bigint as payments,
            coalesce(sum(p.face_value) filter (where c.is_last), 0)::bigint as "faceValue",
            coalesce(sum(p.cost) filter (where c.is_last), 0)::bigint as charged,
            sum(c.amount)::bigint as cost, sum(round(c.amount * c.rate))::bigint as ringgit
       from costs c
       join payments p on p.reseller_id = c.reseller_id and p.id = c.payment_id and p.code = 20
      group by p.product_code, c.provider, c.currency, c.rate is null
      order by 1, 2, 3, c.rate is null limit $3`,
    [time.from.toISOString(), time.until.toISOString(), limit],
  )
  return rows
}

export type RatelessCosts = { readonly currency: string; readonly provider: string }

/** Lists whose costs have no rate yet, by skipping along the index of such costs. */
export async function listRatelessCosts(connection: Queryable, limit: number): Promise<RatelessCosts[]> {
  const { rows } = await connection.query<RatelessCosts>(
    `with recursive rateless as (
       (select currency, provider from payment_supplier_costs where rate is null order by 1, 2 limit 1)
       union all
       select n.currency, n.provider from rateless r cross join lateral (
         select c.currency, c.provider from payment_supplier_costs c
          where c.rate is null and (c.currency, c.provider) > (r.currency, r.provider) order by 1, 2 limit 1) n
     )
     select currency, provider from rateless limit $1`,
    [limit],
  )
  return rows
}

/** Keeps with costs the rate of their time; returns how many. Call it while the rates cannot change. */
export async function keepCostRates(
  tx: Tx,
  { currency, provider }: RatelessCosts,
  from: Date,
  limit: number,
): Promise<number> {
  const { rows } = await tx.query<{ kept: number }>(
    'select keep_cost_rates($1, $2, $3::timestamptz, $4::integer) as kept',
    [currency, provider, from.toISOString(), limit],
  )
  return rows[0]?.kept ?? 0
}
