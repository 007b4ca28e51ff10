import { setImmediate } from 'node:timers/promises'
import type { Queryable, Tx } from '../../db/database.ts'
import { listResellers } from '../accounts/service.ts'
import { listEarlierPrices } from '../catalog/changes/public.sql.ts'
import type { CatalogState, ChangeJudge } from '../catalog/model/store.types.ts'
import type { Product } from '../catalog/model/types.ts'
import { loadCatalog } from '../catalog/store/load.service.ts'
import { listRecentSales } from '../payments/reports/public.sql.ts'
import { listConnections } from '../providers/connections/connections.service.ts'
import { listRoutes } from '../providers/connections/routing.service.ts'
import type { ProductMargin } from './matrix.rules.ts'
import { marginOf } from './matrix.rules.ts'
import { repricedProducts } from './repriced.rules.ts'
import type { ComparisonSettings } from './rules.ts'
import { compareMarkets, salesKey } from './rules.ts'
import { lockMargins } from './sql.ts'
import type { Comparison, EarlierPrice, Market, Sales, Suppliers } from './types.ts'
import { DRIFT_DAYS } from './types.ts'

const SALES_DAYS = 30
export const NOTHING_FOUND: Comparison = { findings: [], loss: 0n }

/** Compares a change of the catalogue while it is made, and keeps the findings. */
export function judgeCatalog(maxPercent: number): {
  readonly judge: ChangeJudge
  found(): Comparison
} {
  let comparison = NOTHING_FOUND
  return {
    async judge(tx, before, after) {
      await lockMargins(tx)
      const suppliers = await readSuppliers(tx)
      const history = await readHistory(tx, repricedProducts(before, after))
      const settings = { maxPercent, history }
      comparison = await compare(tx, { ...before, suppliers }, { ...after, suppliers }, settings)
    },
    found: () => comparison,
  }
}

/** Makes a change of the routes, and compares the routes before and after. */
export async function judgeRoutes<T>(
  tx: Tx,
  maxPercent: number,
  work: () => Promise<T>,
  /** Node's own view of the catalogue, used if it is of the present version. */
  held?: CatalogState,
): Promise<{ readonly result: T; readonly comparison: Comparison }> {
  await lockMargins(tx)
  const before = await readSuppliers(tx)
  const result = await work()
  const after = await readSuppliers(tx)
  const catalog = await loadCatalog(tx, held)
  const comparison = await compare(
    tx,
    { ...catalog, suppliers: before },
    { ...catalog, suppliers: after },
    { maxPercent },
  )
  return { result, comparison }
}

export async function readSuppliers(connection: Queryable): Promise<Suppliers> {
  const connections = await listConnections(connection)
  return {
    routes: await listRoutes(connection),
    enabled: new Set(connections.flatMap(({ code, isEnabled }) => (isEnabled ? [code] : []))),
  }
}

/** Compares two markets; the sales are read only when there is a finding. */
async function compare(
  connection: Queryable,
  before: Market,
  after: Market,
  given: Pick<ComparisonSettings, 'maxPercent' | 'history'>,
): Promise<Comparison> {
  const settings = { ...given, sales: new Map<string, Sales>() }
  const found = compareMarkets(before, after, settings)
  if (found.findings.length === 0) return found
  return compareMarkets(before, after, { ...settings, sales: await readSales(connection) })
}

/** Limit of steps, far more than people and files make in a week; older ones are not read. */
const STEPS_MAX = 50_000

async function readHistory(
  connection: Queryable,
  products: readonly string[],
): Promise<ReadonlyMap<string, readonly EarlierPrice[]>> {
  if (products.length === 0) return new Map()
  const steps = await listEarlierPrices(connection, products, { days: DRIFT_DAYS, limit: STEPS_MAX })
  const byProduct = new Map<string, EarlierPrice[]>()
  for (const step of steps) {
    const known = byProduct.get(step.productCode)
    if (known === undefined) byProduct.set(step.productCode, [step])
    else known.push(step)
  }
  return byProduct
}

const PAGE_ACCOUNTS = 1_000

/** Reads the sales by the present level of each reseller. */
async function readSales(connection: Queryable): Promise<Map<string, Sales>> {
  const levels = new Map<bigint, string>()
  for (let after: bigint | undefined; ; ) {
    const page = await listResellers(connection, { after, limit: PAGE_ACCOUNTS })
    for (const { id, priceLevel } of page) levels.set(id, priceLevel)
    after = page.at(-1)?.id
    if (page.length < PAGE_ACCOUNTS) break
  }
  const sales = new Map<string, Sales>()
  for (const { resellerId, productCode, payments, faceValue } of await listRecentSales(
    connection,
    SALES_DAYS,
  )) {
    const key = salesKey(levels.get(resellerId) ?? '', productCode)
    const sum = sales.get(key) ?? { payments: 0n, faceValue: 0n }
    sales.set(key, { payments: sum.payments + payments, faceValue: sum.faceValue + faceValue })
  }
  return sales
}

/**
 * Yields the margins of these products. A product with many options, levels and routes is some milliseconds of work, so
 * that others have their turn between two of them.
 */
export async function* marginsOf(
  connection: Queryable,
  catalog: CatalogState,
  products: readonly Product[],
): AsyncGenerator<ProductMargin> {
  const market = { ...catalog, suppliers: await readSuppliers(connection) }
  for (const product of products) {
    yield marginOf(market, product)
    await setImmediate()
  }
}
