import type { Database, Queryable, Tx } from '../../db/database.ts'
import { invalidFields, RequestError } from '../../lib/errors.ts'
import { PRICE_LEVEL } from '../../lib/input/codes.ts'
import { noSuchName } from '../../lib/input/nearest.ts'
import type { Amount } from '../../lib/money.ts'
import { formatMoney } from '../../lib/money.ts'
import { formatRate } from '../../lib/rates.ts'
import { applyBase } from './edit/base.service.ts'
import type { ChangeSummary } from './model/store.types.ts'
import type {
  BaseCatalog,
  Category,
  Group,
  Option,
  PriceLevel,
  Product,
  WholesalePrice,
} from './model/types.ts'
import { listCategories, listCovered, listProductRows, listUnsaleable } from './store/base.sql.ts'
import { listLevelRows } from './store/levels.sql.ts'
import { loadBase, loadCatalog, readOwnView } from './store/load.service.ts'
import { lockVersion } from './store/version.sql.ts'
import { CATEGORY_COLUMNS, GROUP_COLUMNS, OPTION_COLUMNS, writeObjectRow } from './transfer/columns.rules.ts'
import { printCsvFile, printDocument } from './transfer/print.rules.ts'
import { PRODUCT_COLUMNS } from './transfer/products.rules.ts'
import { documentOf } from './transfer/rules.ts'
import type { CsvKind } from './transfer/types.ts'

// Operators' view of the catalogue, in the spelling of its files, and their changes outside the files.

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

/** Returns the factor on the face value, or the discount in ringgit. */
export function priceRow({ discountType, unitPrice, currency }: WholesalePrice) {
  return { discount_type: discountType, value: formatRate(unitPrice < 0n ? -unitPrice : unitPrice), currency }
}

/** Prints the whole catalogue as one JSON document, which can be imported again. */
export async function printCatalog(connection: Queryable): Promise<string> {
  return printDocument(documentOf(await loadCatalog(connection)))
}

/** Prints one kind of rows as a CSV file, which can be imported again. */
export async function printCatalogCsv(connection: Queryable, kind: CsvKind): Promise<string> {
  return printCsvFile(documentOf(await loadCatalog(connection)), kind)
}

/** Locks the catalogue against other writers until the transaction ends. */
export async function lockCatalog(tx: Tx): Promise<void> {
  await lockVersion(tx)
}

export async function listProductCodes(connection: Queryable): Promise<string[]> {
  return (await listProductRows(connection, 0n)).map(({ row }) => row.code)
}

/** Lists the codes that name neither a category, nor a group, nor a product that the reseller may buy. */
export function listUnsaleableCodes(
  connection: Queryable,
  reseller: { readonly id: bigint; readonly priceLevel: string },
  codes: readonly string[],
): Promise<string[]> {
  return listUnsaleable(connection, reseller, codes)
}

/** Lists the codes of products, categories and groups that sell nothing beyond other codes. */
export function listCoveredCodes(
  connection: Queryable,
  codes: readonly string[],
  outer: readonly string[],
): Promise<string[]> {
  return listCovered(connection, codes, outer)
}

/** Finds a product, or throws a 404 with the nearest codes. */
export function getProduct({ products }: Pick<BaseCatalog, 'products'>, wanted: string): Product {
  const product = products.find(({ code }) => code === wanted)
  if (product !== undefined) return product
  const codes = products.map(({ code }) => code)
  throw new RequestError({
    status: 404,
    code: 'not_found',
    publicText: noSuchName('product', wanted, codes),
  })
}

/**
 * Returns the function that tells why a denomination of a product cannot be stocked. An item is sold by product and
 * amount alone, so two plans of one amount could not be told apart.
 */
export async function readStockTrouble(connection: Queryable, productCode: string) {
  const base = await loadBase(connection)
  const { code, fields } = getProduct(base, productCode)
  const field = fields.find(({ role }) => role === 'pricing')
  if (field?.type !== 'select' || field.dataSource?.type === 'dynamic') return () => undefined
  const options = base.options.get(code)?.get(field.id) ?? []
  return (denomination: Amount): string | undefined => {
    const fitting = options.filter((option) => option.isActive && option.denomination === denomination)
    if (fitting.length === 1) return undefined
    return fitting.length === 0
      ? `${code} has no denomination ${formatMoney(denomination)}`
      : `${code} has several plans of ${formatMoney(denomination)}, and the stock cannot tell them apart`
  }
}

/** Lists the levels with their prices. */
export async function listPriceLevels(connection: Queryable): Promise<PriceLevel[]> {
  return (await listLevelRows(connection, 0n)).map(({ row }) => row)
}

/** Level of accounts that are made without naming one. */
const FIRST_LEVEL = { code: 'STANDARD', name: 'Standard' }

/**
 * Throws a 400 with the nearest codes for a level that does not exist. The first accounts need a level before
 * there is a catalogue, so a missing STANDARD is made; it sells nothing until it has prices. A code of a wrong
 * form passes: the account's own rules refuse it, together with every other wrong field.
 */
export async function requireLevel(tx: Tx, levelCode: string): Promise<void> {
  if (PRICE_LEVEL.read(levelCode) === undefined) return
  await lockVersion(tx)
  const codes = (await listLevelRows(tx, 0n)).map(({ row }) => row.code)
  if (codes.includes(levelCode)) return
  if (levelCode !== FIRST_LEVEL.code) {
    throw invalidFields({ price_level: [noSuchName('price level', levelCode, codes)] })
  }
  const place = { transaction: <T>(work: (joined: Tx) => Promise<T>) => work(tx) }
  await applyBase(place, { levels: [FIRST_LEVEL] }, 'the level of the first account')
}

/** Refuses codes that no category of the base catalogue has. */
export async function requireCategories(connection: Queryable, codes: readonly string[]): Promise<void> {
  if (codes.length === 0) return
  const known = new Set((await listCategories(connection, 0n)).map(({ row }) => row.code))
  const missing = codes.find((code) => !known.has(code))
  if (missing !== undefined) throw invalidFields({ limits: [noSuchName('category', missing, known)] })
}

/** Refuses a code that no price level has. */
export async function requireKnownLevel(connection: Queryable, levelCode: string): Promise<void> {
  const codes = (await listLevelRows(connection, 0n)).map(({ row }) => row.code)
  if (codes.includes(levelCode)) return
  const publicText = noSuchName('price level', levelCode, codes)
  throw new RequestError({ status: 404, code: 'not_found', publicText })
}

// ── Permissions ──

export type ProductPermission = { readonly productCode: string; readonly isAllowed: boolean }

/** Lists permissions by product code. A product without one follows the rule for everybody. */
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

/** Sets a permission; `isAllowed` null: the rule for everybody applies. */
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
