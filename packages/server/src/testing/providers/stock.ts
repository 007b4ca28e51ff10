import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import type { Database } from '../../db/database.ts'
import type { Vault } from '../../db/vault.ts'
import type { Amount } from '../../lib/money.ts'
import { loadStock } from '../../modules/providers/stock/shelf.service.ts'
import type { StockBatch } from '../../modules/providers/stock/types.ts'

// Helpers of the stock tests: a filled shelf, and the conditions that must hold at every moment.

/** Code of the provider in payments that were sold from the stock. */
export const SHELF = 'shelf'
export const TEN: Amount = 100_000n

export function newPin(): string {
  return randomBytes(8).readBigUInt64BE().toString().padStart(20, '0')
}

export function fileOf(...lines: readonly string[]): { name: string; bytes: Buffer } {
  return { name: 'pins.csv', bytes: Buffer.from(lines.map((line) => `${line}\n`).join('')) }
}

export type Filling = {
  readonly pins: readonly string[]
  readonly productCode?: string
  readonly denomination?: Amount
  /** yyyyMMdd */
  readonly expiry?: string
}

export function fillShelf(
  stores: { database: Database; vault: Vault },
  { pins, productCode = 'PINTEN', denomination = TEN, expiry = '' }: Filling,
): Promise<StockBatch> {
  const file = fileOf('pin,serial,expiry', ...pins.map((pin) => `${pin},SN${pin},${expiry}`))
  return loadStock(stores, { productCode, denomination, file, by: 'test' })
}

/**
 * Expects each item to be sold to at most one payment, which asked for exactly that; each payment of the shelf to have
 * one item; and the item to be spent exactly when the money was refunded.
 */
export async function expectSoundStock(database: Database): Promise<void> {
  const { rows } = await database.query(ODDITIES, [SHELF])
  expect(rows).toEqual([])
}

const ODDITIES = `
  select 'an item of a payment that is not there, or asked for something else' as what, i.id, i.payment_id
    from stock_items i
   where i.payment_id is not null
     and not exists (
       select from payments p
        where p.reseller_id = i.reseller_id and p.id = i.payment_id and p.product_code = i.product_code
          and p.amount = i.denomination and p.provider = $1)
  union all
  select 'a payment without its item', null, p.id from payments p
   where p.provider = $1
     and 1 <> (select count(*) from stock_items i
                where i.payment_id = p.id and i.reseller_id = p.reseller_id)
  union all
  select 'spent although the money is gone, or not spent although it is back', i.id, p.id
    from stock_items i join payments p on p.reseller_id = i.reseller_id and p.id = i.payment_id
   where (i.spent_at is not null) <> (p.code not in (0, 1, 20))`
