import type { Queryable, Tx } from '../../db/database.ts'
import type { Versioned } from './base.sql.ts'
import { groupBy } from './option-lists.rules.ts'
import type { LevelName, PriceDiff } from './store.types.ts'
import type { PriceLevel, WholesalePrice } from './types.ts'

type LevelRow = { code: string; name: string; version: bigint }

type PriceRow = {
  level_code: string
  product_code: string
  discount_type: WholesalePrice['discountType']
  unit_price: bigint
  currency: string
}

/** Changed levels, each with all its prices. */
export async function listLevelRows(connection: Queryable, after: bigint): Promise<Versioned<PriceLevel>[]> {
  const levels = await connection.query<LevelRow>(
    'select code, name, version from price_levels where version > $1 order by code',
    [after],
  )
  if (levels.rows.length === 0) return []
  const { rows } = await connection.query<PriceRow>(
    `select level_code, product_code, discount_type, unit_price, currency
     from wholesale_prices where level_code = any($1::text[]) order by product_code`,
    [levels.rows.map((level) => level.code)],
  )
  const pricesOf = groupBy(rows, (row) => row.level_code)
  return levels.rows.map(({ code, name, version }) => ({
    version,
    row: { code, name, prices: new Map((pricesOf.get(code) ?? []).map(priceOf)) },
  }))
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

/** Prices and the version of the levels they belong to. */
export async function writePrices(tx: Tx, diffs: readonly PriceDiff[], version: bigint): Promise<void> {
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
    `delete from wholesale_prices using unnest($1::text[], $2::text[]) as gone (level_code, product_code)
     where wholesale_prices.level_code = gone.level_code
       and wholesale_prices.product_code = gone.product_code`,
    [removed.map((each) => each.levelCode), removed.map((each) => each.productCode)],
  )
  await tx.query('update price_levels set version = $2 where code = any($1::text[])', [
    [...new Set(diffs.map((diff) => diff.levelCode))],
    version,
  ])
}
