import type { Queryable, Tx } from '../../../db/database.ts'
import { groupBy } from '../model/option-lists.rules.ts'
import type { LevelName, PriceDiff } from '../model/store.types.ts'
import type { PriceLevel, WholesalePrice } from '../model/types.ts'
import type { Versioned } from './base.sql.ts'

type LevelRow = { code: string; name: string; version: bigint; access_updated_at: Date | null }

type PriceRow = {
  level_code: string
  product_code: string
  discount_type: WholesalePrice['discountType']
  unit_price: bigint
  currency: string
}

/** Lists changed levels, each with all its prices. */
export async function listLevelRows(connection: Queryable, after: bigint): Promise<Versioned<PriceLevel>[]> {
  const levels = await connection.query<LevelRow>(
    'select code, name, version, access_updated_at from price_levels where version > $1 order by code',
    [after],
  )
  if (levels.rows.length === 0) return []
  const codes = levels.rows.map((level) => level.code)
  const pricesOf = await listPrices(connection, PRICES, codes)
  const withdrawnOf = await listPrices(connection, WITHDRAWN, codes)
  return levels.rows.map(({ code, name, version, access_updated_at: accessUpdatedAt }) => ({
    version,
    row: {
      code,
      name,
      prices: pricesOf(code),
      withdrawn: withdrawnOf(code),
      accessUpdatedAt: accessUpdatedAt ?? undefined,
    },
  }))
}

const PRICES = `select level_code, product_code, discount_type, unit_price, currency
  from wholesale_prices where level_code = any($1::text[]) order by product_code`

const WITHDRAWN = `select level_code, product_code, discount_type, unit_price, currency
  from withdrawn_prices where level_code = any($1::text[]) order by product_code`

async function listPrices(
  connection: Queryable,
  statement: string,
  levelCodes: readonly string[],
): Promise<(levelCode: string) => ReadonlyMap<string, WholesalePrice>> {
  const { rows } = await connection.query<PriceRow>(statement, [levelCodes])
  const byLevel = groupBy(rows, (row) => row.level_code)
  return (levelCode) => new Map((byLevel.get(levelCode) ?? []).map(priceOf))
}

/** Lists the prices of these products at a level, by product code. */
export async function listTheseLevelPrices(
  connection: Queryable,
  levelCode: string,
  productCodes: readonly string[],
): Promise<ReadonlyMap<string, WholesalePrice>> {
  const { rows } = await connection.query<PriceRow>(
    `select level_code, product_code, discount_type, unit_price, currency
     from wholesale_prices where level_code = $1 and product_code = any($2::text[])`,
    [levelCode, productCodes],
  )
  return new Map(rows.map(priceOf))
}

function priceOf(row: PriceRow): [string, WholesalePrice] {
  return [
    row.product_code,
    { discountType: row.discount_type, unitPrice: row.unit_price, currency: row.currency },
  ]
}

export async function upsertLevels(tx: Tx, levels: readonly LevelName[], version: bigint): Promise<void> {
  await tx.query(
    `insert into price_levels (code, name, version)
     select code, name, $3 from unnest($1::text[], $2::text[]) as given (code, name)
     on conflict (code) do update set name = excluded.name, version = excluded.version`,
    [levels.map((level) => level.code), levels.map((level) => level.name), version],
  )
}

/**
 * Writes prices, the version of their levels, and the access time of levels whose accounts may now buy other
 * products.
 */
export async function writePrices(
  tx: Tx,
  diffs: readonly PriceDiff[],
  version: bigint,
  levelsWithChangedAccess: readonly string[],
): Promise<void> {
  const set = diffs.flatMap(({ levelCode, productCode, after }) =>
    after === null ? [] : [{ levelCode, productCode, ...after }],
  )
  const removed = diffs.filter((diff) => diff.after === null)
  await tx.query(
    `insert into wholesale_prices (level_code, product_code, discount_type, unit_price, currency)
     select * from unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::text[])
     on conflict (level_code, product_code) do update
     set discount_type = excluded.discount_type, unit_price = excluded.unit_price,
       currency = excluded.currency`,
    [
      set.map((each) => each.levelCode),
      set.map((each) => each.productCode),
      set.map((each) => each.discountType),
      set.map((each) => each.unitPrice),
      set.map((each) => each.currency),
    ],
  )
  await tx.query(
    `with removed as (
       delete from wholesale_prices using unnest($1::text[], $2::text[]) as gone (level_code, product_code)
       where wholesale_prices.level_code = gone.level_code
         and wholesale_prices.product_code = gone.product_code
       returning wholesale_prices.*
     )
     insert into withdrawn_prices (level_code, product_code, discount_type, unit_price, currency)
     select level_code, product_code, discount_type, unit_price, currency from removed
     on conflict (level_code, product_code) do update
     set discount_type = excluded.discount_type, unit_price = excluded.unit_price,
       currency = excluded.currency`,
    [removed.map((each) => each.levelCode), removed.map((each) => each.productCode)],
  )
  await tx.query(
    `update price_levels
     set version = $2,
       access_updated_at = case when code = any($3::text[])
         then greatest(clock.now, later(access_updated_at, interval '1 millisecond'))
         else access_updated_at end
     from (select date_trunc('milliseconds', statement_timestamp()) as now) clock
     where code = any($1::text[])`,
    [[...new Set(diffs.map((diff) => diff.levelCode))], version, levelsWithChangedAccess],
  )
}
