import { byteaArray, plainArray, textArray } from '../../../db/arrays.ts'
import type { Queryable, Tx } from '../../../db/database.ts'
import { formatDay } from '../../../lib/dates.ts'
import type { Amount } from '../../../lib/money.ts'
import type { SealedItem, SoldItem, StockBatch, StockCount, StockKind } from './types.ts'

// ── The key ──

export async function findSealedKey(connection: Queryable): Promise<Buffer | undefined> {
  const { rows } = await connection.query<{ sealed_key: Buffer }>('select sealed_key from stock_keys')
  return rows[0]?.sealed_key
}

export async function insertSealedKey(tx: Tx, sealed: Buffer): Promise<void> {
  await tx.query('insert into stock_keys (sealed_key) values ($1)', [sealed])
}

export async function hasItems(connection: Queryable): Promise<boolean> {
  const { rows } = await connection.query<{ found: boolean }>(
    'select exists (select from stock_items) as found',
  )
  return rows[0]?.found === true
}

// ── Loading ──

/** Allows one load at a time, so that nobody loads the same PINs between the lookup and the commit. */
export async function lockLoading(tx: Tx): Promise<void> {
  await tx.query('lock table stock_batches in share row exclusive mode')
}

/** Returns yyyy-MM-dd in GMT+8, by the database's clock. */
export async function readToday(connection: Queryable): Promise<string> {
  const { rows } = await connection.query<{ today: string }>(
    `select to_char(now() at time zone 'Asia/Kuala_Lumpur', 'YYYY-MM-DD') as today`,
  )
  return rows[0]?.today ?? ''
}

const LOADED = {
  name: 'stock_loaded',
  text: 'select fingerprint, batch_id, product_code from stock_items where fingerprint = any ($1::bytea[])',
}

export type LoadedBefore = {
  readonly fingerprint: Buffer
  readonly batchId: bigint
  readonly productCode: string
}

/** Lists the fingerprints that were loaded before. */
export async function listLoaded(
  connection: Queryable,
  fingerprints: readonly Buffer[],
): Promise<LoadedBefore[]> {
  type Row = { fingerprint: Buffer; batch_id: bigint; product_code: string }
  const { rows } = await connection.query<Row>(LOADED, [byteaArray(fingerprints)])
  return rows.map((row) => ({
    fingerprint: row.fingerprint,
    batchId: row.batch_id,
    productCode: row.product_code,
  }))
}

export async function insertBatch(
  tx: Tx,
  batch: Pick<StockBatch, 'productCode' | 'denomination' | 'fileName' | 'items' | 'loadedBy'>,
): Promise<StockBatch> {
  const { rows } = await tx.query<BatchRow>(
    `insert into stock_batches (product_code, denomination, file_name, items, loaded_by)
     values ($1, $2, $3, $4, $5) returning *`,
    [batch.productCode, batch.denomination, batch.fileName, batch.items, batch.loadedBy],
  )
  return toBatch(rows[0] as BatchRow)
}

const INSERT_ITEMS = {
  name: 'stock_insert_items',
  text: `
    insert into stock_items (batch_id, product_code, denomination, sealed, fingerprint, expiry)
    select $1, $2, i.denomination, i.sealed, i.fingerprint, coalesce(i.expiry, 'infinity')
      from unnest($3::bigint[], $4::bytea[], $5::bytea[], $6::date[]) as i (denomination, sealed, fingerprint, expiry)`,
}

export async function insertItems(tx: Tx, batch: StockBatch, items: readonly SealedItem[]): Promise<void> {
  await tx.query(INSERT_ITEMS, [
    batch.id,
    batch.productCode,
    plainArray(items.map((item) => item.denomination)),
    byteaArray(items.map((item) => item.sealed)),
    byteaArray(items.map((item) => item.fingerprint)),
    textArray(items.map(({ expiryDay }) => (expiryDay === null ? null : formatDay(expiryDay)))),
  ])
}

/** Updates the statistics, so that every connection replans statements that it planned for less or no stock. */
export async function analyzeItems(connection: Queryable): Promise<void> {
  await connection.query('analyze stock_items')
}

// ── Batches ──

type BatchRow = {
  id: bigint
  product_code: string
  denomination: bigint | null
  file_name: string
  items: number
  loaded_by: string
  loaded_at: Date
  withdrawn_by: string | null
  withdrawn_reason: string | null
  withdrawn_at: Date | null
}

function toBatch(row: BatchRow): StockBatch {
  return {
    id: row.id,
    productCode: row.product_code,
    denomination: row.denomination,
    fileName: row.file_name,
    items: row.items,
    loadedBy: row.loaded_by,
    loadedAt: row.loaded_at,
    withdrawnBy: row.withdrawn_by,
    withdrawnReason: row.withdrawn_reason,
    withdrawnAt: row.withdrawn_at,
  }
}

/** Lists the newest first. */
export async function listBatchRows(connection: Queryable, limit: number): Promise<StockBatch[]> {
  const { rows } = await connection.query<BatchRow>(
    'select * from stock_batches order by loaded_at desc, id desc limit $1',
    [limit],
  )
  return rows.map(toBatch)
}

export async function lockBatch(tx: Tx, id: bigint): Promise<StockBatch | undefined> {
  const { rows } = await tx.query<BatchRow>('select * from stock_batches where id = $1 for update', [id])
  return rows[0] && toBatch(rows[0])
}

/**
 * Withdraws items that no payment has and returns their number. It waits for the commit of a payment that is about to
 * take one.
 */
export async function withdrawItems(tx: Tx, batchId: bigint): Promise<number> {
  const { rowCount } = await tx.query(
    `update stock_items set withdrawn_at = now()
      where batch_id = $1 and payment_id is null and withdrawn_at is null`,
    [batchId],
  )
  return rowCount
}

export async function markWithdrawn(
  tx: Tx,
  id: bigint,
  { by, reason }: { by: string; reason: string },
): Promise<void> {
  await tx.query(
    `update stock_batches set withdrawn_by = $2, withdrawn_reason = $3, withdrawn_at = now() where id = $1`,
    [id, by, reason],
  )
}

// ── Stock levels ──

type CountRow = {
  product_code: string
  denomination: bigint
  free: number
  sold: number
  spent: number
  expired: number
  withdrawn: number
  free_min: number | null
}

const COUNT = `
  with counted as (
    select product_code, denomination,
           count(*) filter (where payment_id is null and withdrawn_at is null and expiry >= today) as free,
           count(*) filter (where payment_id is not null and spent_at is null) as sold,
           count(*) filter (where spent_at is not null) as spent,
           count(*) filter (where payment_id is null and withdrawn_at is null and expiry < today) as expired,
           count(*) filter (where withdrawn_at is not null) as withdrawn
      from stock_items, (select (now() at time zone 'Asia/Kuala_Lumpur')::date as today) t
     group by product_code, denomination
  )
  select product_code, denomination, coalesce(c.free, 0)::integer as free, coalesce(c.sold, 0)::integer as sold,
         coalesce(c.spent, 0)::integer as spent, coalesce(c.expired, 0)::integer as expired,
         coalesce(c.withdrawn, 0)::integer as withdrawn, l.items_min as free_min
    from counted c full join stock_levels l using (product_code, denomination)
   order by product_code, denomination`

/** Lists counts by product and denomination, also for those with a level but no items. */
export async function listStock(connection: Queryable): Promise<StockCount[]> {
  const { rows } = await connection.query<CountRow>(COUNT)
  return rows.map((row) => ({
    productCode: row.product_code,
    denomination: row.denomination,
    free: row.free,
    sold: row.sold,
    spent: row.spent,
    expired: row.expired,
    withdrawn: row.withdrawn,
    freeMin: row.free_min,
  }))
}

const IS_FREE = {
  name: 'stock_items_is_free',
  text: `select exists (
           select from stock_items
            where product_code = $1 and denomination = $2
              and expiry >= (now() at time zone 'Asia/Kuala_Lumpur')::date
              and payment_id is null and withdrawn_at is null) as found`,
}

export async function hasFreeItem(
  connection: Queryable,
  productCode: string,
  denomination: Amount,
): Promise<boolean> {
  const { rows } = await connection.query<{ found: boolean }>(IS_FREE, [productCode, denomination])
  return rows[0]?.found === true
}

const LOW = {
  name: 'stock_levels_low',
  text: `
    select l.product_code, l.denomination, l.items_min, f.free::integer
      from stock_levels l
     cross join lateral (
       select count(*) as free
         from (select from stock_items i
                where i.product_code = l.product_code and i.denomination = l.denomination
                  and i.expiry >= (now() at time zone 'Asia/Kuala_Lumpur')::date
                  and i.payment_id is null and i.withdrawn_at is null
                limit l.items_min) i
     ) f
     order by l.product_code, l.denomination`,
}

export type LevelReading = StockKind & {
  readonly freeMin: number
  /** Number of free items, counted no further than the level. */
  readonly free: number
}

export async function listLevels(connection: Queryable): Promise<LevelReading[]> {
  type Row = { product_code: string; denomination: bigint; items_min: number; free: number }
  const { rows } = await connection.query<Row>(LOW)
  return rows.map((row) => ({
    productCode: row.product_code,
    denomination: row.denomination,
    freeMin: row.items_min,
    free: row.free,
  }))
}

/** Keeps other changes of levels waiting until the transaction ends. */
export async function lockLevels(tx: Tx): Promise<void> {
  await tx.query('lock table stock_levels in share row exclusive mode')
}

export async function findLevel(connection: Queryable, kind: StockKind): Promise<number | undefined> {
  const { rows } = await connection.query<{ items_min: number }>(
    'select items_min from stock_levels where product_code = $1 and denomination = $2',
    [kind.productCode, kind.denomination],
  )
  return rows[0]?.items_min
}

export async function saveLevel(connection: Queryable, kind: StockKind, freeMin: number): Promise<void> {
  await connection.query(
    `insert into stock_levels (product_code, denomination, items_min) values ($1, $2, $3)
     on conflict (product_code, denomination) do update set items_min = excluded.items_min`,
    [kind.productCode, kind.denomination, freeMin],
  )
}

export async function removeLevel(connection: Queryable, kind: StockKind): Promise<void> {
  await connection.query('delete from stock_levels where product_code = $1 and denomination = $2', [
    kind.productCode,
    kind.denomination,
  ])
}

// ── Sales ──

const SOLD = {
  name: 'stock_sold_to',
  text: `
    select payment_id, sealed, fingerprint,
           case when expiry = 'infinity' then '' else to_char(expiry, 'YYYYMMDD') end as expiry
      from stock_items where payment_id = any ($1::bigint[]) and payment_id is not null`,
}

/** Returns the items of those payments that have one. */
export async function listSold(
  connection: Queryable,
  paymentIds: readonly bigint[],
): Promise<Map<bigint, SoldItem>> {
  type Row = { payment_id: bigint; sealed: Buffer; fingerprint: Buffer; expiry: string }
  const { rows } = await connection.query<Row>(SOLD, [plainArray(paymentIds)])
  return new Map(
    rows.map(({ payment_id, sealed, fingerprint, expiry }) => [
      payment_id,
      { paymentId: payment_id, sealed, fingerprint, expiry },
    ]),
  )
}
