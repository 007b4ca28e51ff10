import type { Queryable } from '../../../db/database.ts'

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
}

const COST_COLUMNS = `reseller_id as "resellerId", payment_id as "paymentId", attempt, provider, currency, amount`

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

/** Costs and prices of payments that succeeded, summed; `currency` is that of `cost`. */
export type SupplierCostSum = {
  readonly resellerId: bigint
  readonly productCode: string
  readonly provider: string
  readonly currency: string
  readonly payments: bigint
  readonly cost: bigint
  /** Sum of what the resellers paid, in ringgit. */
  readonly sold: bigint
}

/**
 * Sums what suppliers took for payments that were taken in a range of days by GMT+8, both inclusive, and succeeded. Each
 * payment counts with the costs of all its attempts. A payment without a said cost is not among them.
 */
export async function sumSupplierCosts(
  connection: Queryable,
  days: { readonly from: string; readonly to: string },
): Promise<SupplierCostSum[]> {
  const { rows } = await connection.query<SupplierCostSum>(
    `with range as (
       select (extract(epoch from $1::date::timestamp at time zone 'Asia/Kuala_Lumpur') * 1000)::bigint << 20 as first,
              (extract(epoch from ($2::date + 1)::timestamp at time zone 'Asia/Kuala_Lumpur') * 1000)::bigint << 20 as behind
     ), costs as (
       select c.reseller_id, c.payment_id, c.provider, c.currency, sum(c.amount)::bigint as amount
         from payment_supplier_costs c, range
        where c.payment_id >= range.first and c.payment_id < range.behind
        group by 1, 2, 3, 4
     )
     select p.reseller_id as "resellerId", p.product_code as "productCode", c.provider, c.currency,
            count(*)::bigint as payments, sum(c.amount)::bigint as cost, sum(p.cost)::bigint as sold
       from costs c
       join payments p on p.reseller_id = c.reseller_id and p.id = c.payment_id and p.code = 20
      group by 1, 2, 3, 4
      order by 1, 2, 3, 4`,
    [days.from, days.to],
  )
  return rows
}
