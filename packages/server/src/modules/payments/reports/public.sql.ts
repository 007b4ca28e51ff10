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
