import { readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { describeRule } from '../../../lib/input/fields.ts'
import { SHORT_REASON } from '../../../lib/input/records.ts'
import type { Amount } from '../../../lib/money.ts'
import { formatMoney, moneyToNumber } from '../../../lib/money.ts'
import type { BaseCatalog, Product } from '../../../modules/catalog/product/types.ts'
import { loadBase } from '../../../modules/catalog/store/load.service.ts'
import { DENOMINATION } from '../../../modules/providers/stock/import.rules.ts'
import type { StockFile } from '../../../modules/providers/stock/shelf.service.ts'
import {
  FILE_BYTES_MAX,
  isLow,
  listBatches,
  loadStock,
  setStockLevel,
  withdrawBatch,
} from '../../../modules/providers/stock/shelf.service.ts'
import { listStock } from '../../../modules/providers/stock/sql.ts'
import type { StockBatch, StockCount } from '../../../modules/providers/stock/types.ts'
import { getProduct, PRODUCT_OPTION, readOne } from '../../catalog-options.ts'
import type { Call, Command, Option, Output } from '../../command.ts'
import { readId, readLimit, wholeNumber } from '../../options.ts'
import { openLine, recorded } from '../../record.ts'
import { formatFields, formatTable } from '../../text.ts'

const BY_OPTION: Option = { value: 'NAME', help: 'who does it, for the record (default: operator)' }
const USUAL_NAME = 'operator'

export const stockCommands: readonly Command[] = [
  {
    name: 'stock load',
    isLong: true,
    summary: 'put PINs or links of a CSV file on the shelf, all of them or none',
    details: `The first line names the columns: pin, serial, expiry (yyyyMMdd or yyyy-MM-dd), link, and denomination where
--denomination is not given; only pin or link is needed. A file with a mistake is not loaded: every problem
is listed with its line, and never with the PIN. An item that was loaded before is not loaded again.`,
    options: {
      product: PRODUCT_OPTION,
      denomination: { value: 'AMOUNT', help: 'of every line, as payments name it, such as 10' },
      file: { value: 'FILE', help: 'a CSV file in UTF-8', required: true },
      by: BY_OPTION,
    },
    run: runLoad,
  },
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
  {
    name: 'stock withdraw',
    isLong: true,
    summary: 'withdraw the free items of a batch, for good',
    options: {
      batch: { value: 'NUMBER', help: 'as stock batches shows it', required: true },
      reason: { value: 'TEXT', help: `why, for the record; ${describeRule(SHORT_REASON)}`, required: true },
      by: BY_OPTION,
    },
    async run(call) {
      const id = readId(call, 'batch')
      const withdrawal = { by: call.find('by') ?? USUAL_NAME, reason: call.text('reason') }
      const act = { action: 'stock.withdraw', reason: withdrawal.reason }
      const items = await recorded(call, act, async (_tx, database) => {
        const withdrawn = await withdrawBatch(database, id, withdrawal)
        const target = { kind: 'stock_batch', id: String(id) }
        return { target, before: null, after: { withdrawn: withdrawn.items }, result: withdrawn.items }
      })
      return {
        json: { batch: String(id), withdrawn: items },
        text: `${items} item(s) of batch ${id} are withdrawn.`,
      }
    },
  },
  {
    name: 'stock level',
    isLong: true,
    summary: 'raise an alert when fewer are free than this; 0: never',
    options: {
      product: PRODUCT_OPTION,
      denomination: { value: 'AMOUNT', help: 'such as 10', required: true },
      min: { value: 'NUMBER', help: '0 to 10000000', required: true },
    },
    async run(call) {
      const { database } = await call.runtime()
      const { code } = getProduct(await loadBase(database), call.text('product'))
      const denomination = readDenomination(call.text('denomination'))
      const min = wholeNumber(call.text('min'))
      await recorded(call, { action: 'stock.level' }, (tx) =>
        setStockLevel(tx, { productCode: code, denomination }, min),
      )
      const view = { product: code, denomination: moneyToNumber(denomination), min }
      return { json: view, text: formatFields({ ...view, denomination: formatMoney(denomination) }) }
    },
  },
]

async function runLoad(call: Call): Promise<Output> {
  const given = call.find('denomination')
  const file = await readStockFile(call.text('file'))
  const runtime = await call.runtime()
  const base = await loadBase(runtime.database)
  const product = getProduct(base, call.text('product'))
  const line = await openLine(call, 'stock.load')
  const batch = await loadStock(runtime, {
    productCode: product.code,
    denomination: given === undefined ? null : readDenomination(given),
    file,
    by: call.find('by') ?? USUAL_NAME,
    findTrouble: (denomination) => denominationTrouble(base, product, denomination),
    record: (tx, { id, productCode, fileName, items }) =>
      line(tx, {
        target: { kind: 'stock_batch', id: String(id) },
        before: null,
        after: { product: productCode, file: fileName, items },
      }),
  })
  const view = batchView(batch)
  return { json: view, text: formatFields(view) }
}

function readDenomination(text: string): Amount {
  return readOne('denomination', DENOMINATION, text)
}

async function readStockFile(path: string): Promise<StockFile> {
  try {
    const { size } = await stat(path)
    if (size > FILE_BYTES_MAX) throw new Error(`is larger than ${FILE_BYTES_MAX / 1024 / 1024} MB`)
    return { name: basename(path), bytes: await readFile(path) }
  } catch (error) {
    throw new Error(`${path} cannot be read`, { cause: error })
  }
}

/**
 * Returns why the denomination cannot be stocked. An item is sold by product and amount alone, so two plans of one
 * amount could not be told apart.
 */
function denominationTrouble(base: BaseCatalog, product: Product, denomination: Amount): string | undefined {
  const field = product.fields.find(({ role }) => role === 'pricing')
  if (field?.type !== 'select' || field.dataSource?.type === 'dynamic') return undefined
  const options = base.options.get(product.code)?.get(field.id) ?? []
  const fitting = options.filter((option) => option.isActive && option.denomination === denomination)
  if (fitting.length === 1) return undefined
  return fitting.length === 0
    ? `${product.code} has no denomination ${formatMoney(denomination)}`
    : `${product.code} has several plans of ${formatMoney(denomination)}, and the stock cannot tell them apart`
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
