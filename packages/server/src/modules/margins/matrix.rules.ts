import type { Amount } from '../../lib/money.ts'
import { cost, faceValue } from '../catalog/model/pricing.rules.ts'
import type { Option, Product, WholesalePrice } from '../catalog/model/types.ts'
import type { Route } from '../providers/connections/routing.types.ts'
import { chargeOf, routesFor } from './costs.rules.ts'
import { samplesOf } from './samples.rules.ts'
import { belowCostText } from './standing.rules.ts'
import type { Market } from './types.ts'

// The margin of a product at each price level through each route, as prices and costs are now.

/** One option, or one amount of a product that takes any amount, at one level through one route. */
export type MarginLine = {
  readonly sample: string
  readonly faceValue: Amount
  /** Amount that a reseller of the level pays. */
  readonly price: Amount
  /** Amount that the provider charges. */
  readonly cost: Amount
  readonly margin: Amount
}

export type RouteMargin = {
  readonly provider: string
  /** Route and provider are enabled. */
  readonly takesOrders: boolean
  /** Lines with the smallest and the largest margin; null: the route's cost is not known, or nothing is on sale. */
  readonly lowest: MarginLine | null
  readonly highest: MarginLine | null
}

export type LevelMargin = {
  readonly level: string
  readonly price: WholesalePrice
  readonly routes: readonly RouteMargin[]
}

export type ProductMargin = {
  readonly product: Product
  /** In the order in which they are chosen. */
  readonly routes: readonly (Route & { readonly takesOrders: boolean })[]
  readonly levels: readonly LevelMargin[]
  /** Some level pays less than some route that takes orders charges. */
  readonly isNegative: boolean
  /** Some level pays less than the cheapest of them charges. */
  readonly isBelowCost: boolean
}

export function marginOf(market: Market, product: Product): ProductMargin {
  const { suppliers } = market
  const routes = routesFor(suppliers.routes, product.code)
    .map((route) => ({ ...route, takesOrders: route.isEnabled && suppliers.enabled.has(route.provider) }))
    .sort((a, b) => a.priority - b.priority || (a.provider < b.provider ? -1 : 1))
  const samples = samplesOf(product, activeOptions(market, product.code), [])
  const levels = [...market.levels.values()].flatMap(({ code, prices }) => {
    const price = prices.get(product.code)
    if (price === undefined) return []
    const lines = samples.map(({ key, denomination }) => ({
      sample: key,
      faceValue: faceValue(denomination, product.denominationUnitPrice),
      price: cost(denomination, {
        denominationUnitPrice: product.denominationUnitPrice,
        wholesale: price,
      }),
    }))
    return [{ level: code, price, routes: routes.map((route) => routeMargin(route, lines)) }]
  })
  return {
    product,
    routes,
    levels,
    isNegative: levels.some((level) => level.routes.some((each) => each.takesOrders && isLoss(each))),
    isBelowCost: belowCostText(market, product) !== undefined,
  }
}

export function isLoss({ lowest }: Pick<RouteMargin, 'lowest'>): boolean {
  return lowest !== null && lowest.margin < 0n
}

function activeOptions({ base }: Market, productCode: string): Option[] {
  return [...(base.options.get(productCode)?.values() ?? [])].flat().filter(({ isActive }) => isActive)
}

function routeMargin(
  { provider, cost, takesOrders }: Route & { readonly takesOrders: boolean },
  lines: readonly Omit<MarginLine, 'cost' | 'margin'>[],
): RouteMargin {
  if (cost === null) return { provider, takesOrders, lowest: null, highest: null }
  let lowest: MarginLine | null = null
  let highest: MarginLine | null = null
  for (const line of lines) {
    const charge = chargeOf(cost, line.faceValue)
    const shown = { ...line, cost: charge, margin: line.price - charge }
    if (lowest === null || shown.margin < lowest.margin) lowest = shown
    if (highest === null || shown.margin > highest.margin) highest = shown
  }
  return { provider, takesOrders, lowest, highest }
}

/** Share of the face value, to 4 places. */
export function marginRate({ margin, faceValue }: Pick<MarginLine, 'margin' | 'faceValue'>): number | null {
  return faceValue === 0n ? null : Math.round((Number(margin) / Number(faceValue)) * 10_000) / 10_000
}
