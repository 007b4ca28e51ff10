import { setImmediate } from 'node:timers/promises'
import type { Database, Queryable } from '../../db/database.ts'
import type { Alerts } from '../alerts/core/service.ts'
import type { AlertReport } from '../alerts/core/types.ts'
import type { Catalog, CatalogState } from '../catalog/model/store.types.ts'
import { raiseOnly } from './alerts.service.ts'
import { readSuppliers } from './service.ts'
import type { MarginProblems } from './standing.rules.ts'
import { belowCostText, findUnroutedProducts } from './standing.rules.ts'

const KINDS = ['sold_below_cost', 'price_without_route', 'route_without_price'] as const
type Kind = (typeof KINDS)[number]

/** Limit of alerts of each kind; the others share one alert. */
const ALERTS_MAX = 50
const OTHERS = '(others)'

export type MarginWatch = {
  readonly database: Database
  readonly catalog: Pick<Catalog, 'state'>
  readonly alerts: Alerts
  /** Tells that a product without any route is fulfilled anyway, as by staging's simulator. */
  readonly hasFallback: boolean
}

/** Time after which others have their turn: with 100,000 products the comparison takes seconds. */
const TURN_MS = 5

/** Reads the problems of the present prices and routes. */
export async function readMarginProblems(
  connection: Queryable,
  catalog: CatalogState,
  hasFallback: boolean,
): Promise<MarginProblems> {
  const market = { ...catalog, suppliers: await readSuppliers(connection) }
  const { onSale, withoutRoute, withoutPrice } = findUnroutedProducts(market, hasFallback)
  const belowCost = new Map<string, string>()
  let begunMs = performance.now()
  for (const product of onSale) {
    const words = belowCostText(market, product)
    if (words !== undefined) belowCost.set(product.code, words)
    if (performance.now() - begunMs < TURN_MS) continue
    await setImmediate()
    begunMs = performance.now()
  }
  return { belowCost, withoutRoute, withoutPrice }
}

/** Raises alerts for present problems, and clears those of past ones. */
export async function watchMargins({ database, catalog, alerts, hasFallback }: MarginWatch): Promise<void> {
  const standing = await readMarginProblems(database, catalog.state(), hasFallback)
  const { belowCost, withoutRoute, withoutPrice } = standing
  const reports = [
    ...reportsOf(
      'sold_below_cost',
      [...belowCost].map(([code, words]) => [code, `${code}: ${words}`]),
    ),
    ...reportsOf(
      'price_without_route',
      withoutRoute.map((code) => [code, `${code} has a price, and no route to a provider that takes orders`]),
    ),
    ...reportsOf(
      'route_without_price',
      withoutPrice.map((code) => [code, `${code} has a route, and no price level sells it`]),
    ),
  ]
  await raiseOnly({ database, alerts }, KINDS, reports)
}

function reportsOf(kind: Kind, found: readonly (readonly [subject: string, text: string])[]): AlertReport[] {
  const [shown, others] = [found.slice(0, ALERTS_MAX), found.slice(ALERTS_MAX)]
  const reports = shown.map(([subject, text]) => ({ kind, subject, text }))
  if (others.length === 0) return reports
  const text = `${others.length} more products: ${others.map(([subject]) => subject).join(', ')}`
  return [...reports, { kind, subject: OTHERS, text }]
}
