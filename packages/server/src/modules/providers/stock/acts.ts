import type { Database } from '../../../db/database.ts'
import type { Vault } from '../../../db/vault.ts'
import { input, member, optionalMember, whole } from '../../../http/codec.ts'
import { PRODUCT_CODE } from '../../../lib/input/codes.ts'
import { ID } from '../../../lib/input/ids.ts'
import { AUTHOR } from '../../../lib/input/records.ts'
import { act } from '../../acts/service.ts'
import type { By } from '../../acts/types.ts'
import { DENOMINATION } from './import.rules.ts'
import type { Load } from './shelf.service.ts'
import { FREE_MIN, loadStock, setStockLevel, withdrawBatch } from './shelf.service.ts'
import { lockLevels, lockLoading } from './sql.ts'

// Changes of the stock. Their lines in the audit log count items and name files, and never hold a PIN or a link.

export type StockWorld = {
  readonly vault: Vault
  /** Throws a 404 for an unknown product; the result tells why a denomination of it cannot be stocked. */
  readonly troubleOf: (database: Database, productCode: string) => Promise<NonNullable<Load['findTrouble']>>
}

const USUAL_NAME = 'operator'

/** Puts the items of a file on the shelf, all of them or none. */
export const loadShelf = act({
  name: 'stock.load',
  input: whole<Omit<Load, 'findTrouble' | 'by'> & { readonly by?: string | undefined }>(),
  lock: lockLoading,
  async run(_tx, { by = USUAL_NAME, ...load }, { database, world }: By<StockWorld>) {
    const findTrouble = await world.troubleOf(database, load.productCode)
    const batch = await loadStock({ database, vault: world.vault }, { ...load, by, findTrouble })
    return {
      target: batchTarget(batch.id),
      before: null,
      after: { product: batch.productCode, file: batch.fileName, items: batch.items },
      result: batch,
    }
  },
})

/** Withdraws the unsold items of a batch for good. */
export const withdrawStock = act({
  name: 'stock.withdraw',
  input: input({
    batch: member(ID, {
      identifies: 'batch',
      option: { value: 'NUMBER', help: 'as stock batches shows it' },
    }),
    by: optionalMember(AUTHOR, {
      option: { value: 'NAME', help: 'who does it, for the record (default: operator)' },
    }),
  }),
  async run(_tx, { batch, by = USUAL_NAME }, { database, reason }: By<unknown>) {
    const { items } = await withdrawBatch(database, batch, { by, reason })
    return {
      target: batchTarget(batch),
      before: null,
      after: { withdrawn: items },
      result: { batch, items },
    }
  },
})

/** Sets how many free items an operator wants at least. */
export const levelStock = act({
  name: 'stock.level',
  input: input({
    product: member(PRODUCT_CODE, { identifies: 'product' }),
    denomination: member(DENOMINATION, { option: { value: 'AMOUNT', help: 'such as 10' } }),
    min: member(FREE_MIN, { option: { value: 'NUMBER', help: '0 to 10000000' } }),
  }),
  lock: lockLevels,
  async run(tx, level, { database, world }: By<Pick<StockWorld, 'troubleOf'>>) {
    const { product: productCode, denomination, min } = level
    await world.troubleOf(database, productCode)
    return { ...(await setStockLevel(tx, { productCode, denomination }, min)), result: level }
  },
})

function batchTarget(id: bigint) {
  return { kind: 'stock_batch', id: String(id) }
}
