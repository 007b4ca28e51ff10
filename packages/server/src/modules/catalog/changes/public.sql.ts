import type { Queryable } from '../../../db/database.ts'
import type { WholesalePrice } from '../model/types.ts'

// Statements that other modules call as they are.

type StepRow = {
  version: bigint
  product_code: string
  level_code: string | null
  wholesale: { discountType: WholesalePrice['discountType']; unitPrice: string; currency: string } | null
  unit_price: string | null
}

/** Change of one price, or of one product's unit price, with the value before it. */
export type PriceStep = {
  readonly version: bigint
  readonly productCode: string
  /** Level of the price; null: a change of the product itself, for every level. */
  readonly levelCode: string | null
  /** Price of the level before the change; null: it had none. */
  readonly wholesale: WholesalePrice | null
  /** Unit price of the product before the change. */
  readonly denominationUnitPrice: bigint | null
}

/**
 * Lists the prices and unit prices of these products before each change of the last days, newest first. Touched data is
 * kept as long as the event feed: older steps are not known.
 */
export async function listEarlierPrices(
  connection: Queryable,
  productCodes: readonly string[],
  { days, limit }: { readonly days: number; readonly limit: number },
): Promise<PriceStep[]> {
  const { rows } = await connection.query<StepRow>(
    `with recent as (
       select p.version, p.touched from catalog_changes c join catalog_change_parts p on p.version = c.version
       where c.created_at > now() - make_interval(days => $2)
     )
     select version, price ->> 'productCode' as product_code, price ->> 'levelCode' as level_code,
            nullif(price -> 'before', 'null') as wholesale, null as unit_price
       from recent cross join lateral jsonb_array_elements(touched -> 'prices') price
      where price ->> 'productCode' = any($1)
     union all
     select version, product -> 'before' ->> 'code', null, null,
            product -> 'before' ->> 'denominationUnitPrice'
       from recent cross join lateral jsonb_array_elements(touched -> 'products') product
      where product -> 'before' ->> 'code' = any($1)
        and product -> 'before' ->> 'denominationUnitPrice'
            is distinct from product -> 'after' ->> 'denominationUnitPrice'
      order by version desc limit $3`,
    [productCodes, days, limit],
  )
  return rows.map(({ version, product_code, level_code, wholesale, unit_price }) => ({
    version,
    productCode: product_code,
    levelCode: level_code,
    wholesale: wholesale && { ...wholesale, unitPrice: BigInt(wholesale.unitPrice) },
    denominationUnitPrice: unit_price === null ? null : BigInt(unit_price),
  }))
}
