import type { Database, Queryable, Tx } from '../../db/database.ts'
import { invalidFields } from '../../lib/errors.ts'
import { noSuchName } from '../../lib/input/nearest.ts'
import { formatRate } from '../../lib/rates.ts'
import { applyBase } from './edit/base.service.ts'
import type { ChangeSummary } from './product/store.types.ts'
import type { Category, Group, Option, PriceLevel, Product, WholesalePrice } from './product/types.ts'
import { listProductRows } from './store/base.sql.ts'
import { listLevelRows } from './store/levels.sql.ts'
import { loadCatalog, readOwnView } from './store/load.service.ts'
import { lockVersion } from './store/version.sql.ts'
import { CATEGORY_COLUMNS, GROUP_COLUMNS, OPTION_COLUMNS, writeObjectRow } from './transfer/columns.rules.ts'
import { printCsvFile, printDocument } from './transfer/print.rules.ts'
import { PRODUCT_COLUMNS } from './transfer/products.rules.ts'
import { documentOf } from './transfer/rules.ts'
import type { CsvKind } from './transfer/types.ts'

// What those who keep the catalogue see of it, spelt as its files spell it, and what they change beside the files.

export function groupRow(group: Group): Record<string, unknown> {
  return writeObjectRow(GROUP_COLUMNS, group)
}

export function categoryRow(category: Category): Record<string, unknown> {
  return writeObjectRow(CATEGORY_COLUMNS, category)
}

export function productRow(product: Product): Record<string, unknown> {
  return writeObjectRow(PRODUCT_COLUMNS, product)
}

export function optionRow(option: Option): Record<string, unknown> {
  return writeObjectRow(OPTION_COLUMNS, option)
}

/** The factor on the face value, or the ringgit taken off it. */
export function priceRow({ discountType, unitPrice, currency }: WholesalePrice) {
  return { discount_type: discountType, value: formatRate(unitPrice < 0n ? -unitPrice : unitPrice), currency }
}

/** The whole as one JSON document, which an import takes back. */
export async function printCatalog(connection: Queryable): Promise<string> {
  return printDocument(documentOf(await loadCatalog(connection)))
}

/** One kind of it as a CSV file, which an import takes back. */
export async function printCatalogCsv(connection: Queryable, kind: CsvKind): Promise<string> {
  return printCsvFile(documentOf(await loadCatalog(connection)), kind)
}

/** Until the transaction ends nobody else writes to the catalogue. */
export async function lockCatalog(tx: Tx): Promise<void> {
  await lockVersion(tx)
}

export async function listProductCodes(connection: Queryable): Promise<string[]> {
  return (await listProductRows(connection, 0n)).map(({ row }) => row.code)
}

/** With their prices. */
export async function listPriceLevels(connection: Queryable): Promise<PriceLevel[]> {
  return (await listLevelRows(connection, 0n)).map(({ row }) => row)
}

/** The level of accounts for which nobody names one. */
const FIRST_LEVEL = { code: 'STANDARD', name: 'Standard' }

const LEVEL_FORM = /^[A-Z0-9_]{1,40}$/

/**
 * 400 with the nearest codes for a level that does not exist. The first accounts need a level, and the catalogue may
 * come later: STANDARD is made where it is missing, and sells nothing until it has prices. A code that no level can have
 * is left to the account's own rules, which tell of every wrong field at once.
 */
export async function requireLevel(tx: Tx, levelCode: string): Promise<void> {
  if (!LEVEL_FORM.test(levelCode)) return
  await lockVersion(tx)
  const codes = (await listLevelRows(tx, 0n)).map(({ row }) => row.code)
  if (codes.includes(levelCode)) return
  if (levelCode !== FIRST_LEVEL.code) {
    throw invalidFields({ price_level: [noSuchName('price level', levelCode, codes)] })
  }
  const place = { transaction: <T>(work: (joined: Tx) => Promise<T>) => work(tx) }
  await applyBase(place, { levels: [FIRST_LEVEL] }, 'the level of the first account')
}

// ── Permissions ──

export type ProductPermission = { readonly productCode: string; readonly isAllowed: boolean }

/** By code. What is not there is as for everybody. */
export async function listPermissions(
  connection: Queryable,
  resellerId: bigint,
): Promise<ProductPermission[]> {
  const { allowedProducts, deniedProducts } = await readOwnView(connection, resellerId)
  return [
    ...[...allowedProducts].map((productCode) => ({ productCode, isAllowed: true })),
    ...[...deniedProducts].map((productCode) => ({ productCode, isAllowed: false })),
  ].sort((a, b) => (a.productCode < b.productCode ? -1 : 1))
}

export type PermissionChange = { readonly before: boolean | null; readonly summary: ChangeSummary }

/** `isAllowed` null: as for everybody. */
export function setPermission(
  database: Pick<Database, 'transaction'>,
  permission: {
    readonly resellerId: bigint
    readonly productCode: string
    readonly isAllowed: boolean | null
  },
  reason: string,
): Promise<PermissionChange> {
  return database.transaction(async (tx) => {
    await lockVersion(tx)
    const present = await listPermissions(tx, permission.resellerId)
    const before = present.find(({ productCode }) => productCode === permission.productCode)
    const place = { transaction: <T>(work: (joined: Tx) => Promise<T>) => work(tx) }
    const summary = await applyBase(place, { permissions: [permission] }, reason)
    return { before: before?.isAllowed ?? null, summary }
  })
}
