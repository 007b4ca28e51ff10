import { readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { formatMoney, moneyToNumber } from '../../../lib/money.ts'
import { readStockTrouble } from '../../../modules/catalog/operators.service.ts'
import { levelStock, loadShelf, withdrawStock } from '../../../modules/providers/stock/acts.ts'
import { DENOMINATION } from '../../../modules/providers/stock/import.rules.ts'
import type { StockFile } from '../../../modules/providers/stock/shelf.service.ts'
import { FILE_BYTES_MAX, isLow, listBatches } from '../../../modules/providers/stock/shelf.service.ts'
import { listStock } from '../../../modules/providers/stock/sql.ts'
import type { StockBatch, StockCount } from '../../../modules/providers/stock/types.ts'
import { PRODUCT_OPTION, REASON_OPTION, readOne } from '../../catalog-options.ts'
import type { Command } from '../../command.ts'
import { actCommand } from '../../kit/acts.ts'
import { readLimit } from '../../options.ts'
import { formatFields, formatTable } from '../../text.ts'

export const stockCommands: readonly Command[] = [
  actCommand({
    name: 'stock load',
    isLong: true,
    summary: 'put PINs or links of a CSV file on the shelf, all of them or none',
    details: `The first line names the columns: pin, serial, expiry (yyyyMMdd or yyyy-MM-dd), link, and denomination where
--denomination is not given; only pin or link is needed. A file with a mistake is not loaded: every problem
is listed with its line, and never with the PIN. An item that was loaded before is not loaded again.`,
    act: loadShelf,
    options: {
      product: PRODUCT_OPTION,
      denomination: { value: 'AMOUNT', help: 'of every line, as payments name it, such as 10' },
      file: { value: 'FILE', help: 'a CSV file in UTF-8', required: true },
      by: { value: 'NAME', help: 'who does it, for the record (default: operator)' },
    },
    async input(call) {
      const denomination = call.find('denomination')
      return {
        productCode: call.text('product'),
        denomination: denomination === undefined ? null : readOne('denomination', DENOMINATION, denomination),
        file: await readStockFile(call.text('file')),
        by: call.find('by'),
      }
    },
    world: ({ vault }) => ({ vault, troubleOf: readStockTrouble }),
    show(batch) {
      const view = batchView(batch)
      return { json: view, text: formatFields(view) }
    },
  }),
  {
    name: 'stock list',
    isLong: true,
    summary: 'count free, sold, spent, expired and withdrawn items, by product and denomination',
    details: `sold: to payments that stand. spent: to payments whose money went back; such items are not sold again.
A line is low when fewer are free than stock level says.`,
    options: {},
    async run(call) {
      const stock = (await listStock((await call.runtime()).database)).map(countView)
      const rows = stock.map((each) => ({ ...each, denomination: each.denomination.toFixed(2) }))
      return { json: { stock }, text: formatTable(rows, 'Nothing was ever loaded.') }
    },
  },
  {
    name: 'stock batches',
    isLong: true,
    summary: 'list the files that were loaded, newest first',
    options: { limit: { value: 'NUMBER', help: 'at most this many, 1 to 1000 (default 100)' } },
    async run(call) {
      const limit = readLimit(call, 100)
      const batches = (await listBatches((await call.runtime()).database, { limit })).map(batchView)
      return { json: { batches }, text: formatTable(batches, 'Nothing was ever loaded.') }
    },
  },
  actCommand({
    name: 'stock withdraw',
    isLong: true,
    summary: 'withdraw the free items of a batch, for good',
    act: withdrawStock,
    options: { reason: { ...REASON_OPTION, required: true } },
    world: () => undefined,
    show: ({ batch, items }) => ({
      json: { batch: String(batch), withdrawn: items },
      text: `${items} item(s) of batch ${batch} are withdrawn.`,
    }),
  }),
  actCommand({
    name: 'stock level',
    isLong: true,
    summary: 'raise an alert when fewer are free than this; 0: never',
    act: levelStock,
    options: { product: PRODUCT_OPTION },
    world: () => ({ troubleOf: readStockTrouble }),
    show({ product, denomination, min }) {
      const view = { product, denomination: moneyToNumber(denomination), min }
      return { json: view, text: formatFields({ ...view, denomination: formatMoney(denomination) }) }
    },
  }),
]

async function readStockFile(path: string): Promise<StockFile> {
  try {
    const { size } = await stat(path)
    if (size > FILE_BYTES_MAX) throw new Error(`is larger than ${FILE_BYTES_MAX / 1024 / 1024} MB`)
    return { name: basename(path), bytes: await readFile(path) }
  } catch (error) {
    throw new Error(`${path} cannot be read`, { cause: error })
  }
}

function countView(count: StockCount) {
  return {
    product: count.productCode,
    denomination: moneyToNumber(count.denomination),
    free: count.free,
    sold: count.sold,
    spent: count.spent,
    expired: count.expired,
    withdrawn: count.withdrawn,
    min: count.freeMin,
    is_low: isLow(count),
  }
}

function batchView(batch: StockBatch) {
  return {
    batch: String(batch.id),
    product: batch.productCode,
    denomination: batch.denomination === null ? null : moneyToNumber(batch.denomination),
    file: batch.fileName,
    items: batch.items,
    loaded_by: batch.loadedBy,
    loaded_at: batch.loadedAt.toISOString(),
    withdrawn_by: batch.withdrawnBy,
    withdrawn_reason: batch.withdrawnReason,
    withdrawn_at: batch.withdrawnAt?.toISOString() ?? null,
  }
}
