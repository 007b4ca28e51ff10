import type { Amount } from '../../lib/money.ts'
import { formatMoney } from '../../lib/money.ts'
import type { Route, RouteCost } from '../providers/connections/routing.types.ts'
import type { Finding, Market, Suppliers } from './types.ts'

// Supplier costs: the ones that count for a product, and the changes that one person alone may not make.

const ANY_PRODUCT = '*'
export const PERCENTAGE_ONE = 10_000n

export type KnownCost = { readonly provider: string; readonly cost: RouteCost }

/** Lists the enabled routes with a known cost: the product's own routes, or those of `*` if it has none. */
export function costsOf({ routes, enabled }: Suppliers, productCode: string): KnownCost[] {
  return routesFor(routes, productCode).flatMap(({ isEnabled, provider, cost }) =>
    isEnabled && cost !== null && enabled.has(provider) ? [{ provider, cost }] : [],
  )
}

/** Lists the product's own routes, enabled or not, or those of `*` if it has none. */
export function routesFor(routes: readonly Route[], productCode: string): readonly Route[] {
  const byProduct = indexOf(routes)
  return byProduct.get(productCode) ?? byProduct.get(ANY_PRODUCT) ?? []
}

const indexes = new WeakMap<readonly Route[], ReadonlyMap<string, readonly Route[]>>()

/** Returns the routes by product. It is made once for a list: there may be a route for each of 100,000 products. */
function indexOf(routes: readonly Route[]): ReadonlyMap<string, readonly Route[]> {
  const known = indexes.get(routes)
  if (known !== undefined) return known
  const byProduct = new Map<string, Route[]>()
  for (const route of routes) {
    const { productCode } = route
    const own = byProduct.get(productCode)
    if (own === undefined) byProduct.set(productCode, [route])
    else own.push(route)
  }
  indexes.set(routes, byProduct)
  return byProduct
}

export function chargeOf(cost: RouteCost, faceValue: Amount, orders = 1n): Amount {
  return cost.kind === 'fixed' ? cost.value * orders : (faceValue * cost.value) / PERCENTAGE_ONE
}

export type Charge = { readonly provider: string; readonly amount: Amount }

export function cheapest(costs: readonly KnownCost[], faceValue: Amount, orders = 1n): Charge | undefined {
  let best: Charge | undefined
  for (const { provider, cost } of costs) {
    const amount = chargeOf(cost, faceValue, orders)
    if (best === undefined || amount < best.amount) best = { provider, amount }
  }
  return best
}

// ── A change ──

/** Lists the routes whose own cost moved too far, changed its kind, or is no longer known. */
export function movedCosts(before: Market, after: Market, maxPercent: number): Finding[] {
  const routeKey = ({ productCode, provider }: Route) => `${productCode}\n${provider}`
  const present = new Map(before.suppliers.routes.map((route) => [routeKey(route), route.cost]))
  return after.suppliers.routes.flatMap((route) => {
    const old = present.get(routeKey(route)) ?? null
    if (old === null || !isCostFar(old, route.cost, maxPercent)) return []
    return [
      {
        kind: 'cost_moved' as const,
        product: route.productCode,
        level: null,
        provider: route.provider,
        sample: 'cost',
        before: costText(old),
        after: route.cost === null ? null : costText(route.cost),
        cost: null,
        loss: 0n,
      },
    ]
  })
}

/** Lists the removed routes of products that are sold and have no known cost afterwards. */
export function lostCosts(before: Market, after: Market): Finding[] {
  const left = new Set(
    after.suppliers.routes.map(({ productCode, provider }) => `${productCode}\n${provider}`),
  )
  return before.suppliers.routes.flatMap(({ productCode, provider, cost }) => {
    if (cost === null || left.has(`${productCode}\n${provider}`)) return []
    const isSold = productCode === ANY_PRODUCT || isPriced(after, productCode)
    if (!isSold || routesFor(after.suppliers.routes, productCode).some((each) => each.cost !== null))
      return []
    const about = { product: productCode, level: null, provider, sample: 'cost', cost: null, loss: 0n }
    return [{ ...about, kind: 'cost_moved' as const, before: costText(cost), after: null }]
  })
}

function isPriced({ levels }: Market, productCode: string): boolean {
  return [...levels.values()].some(({ prices }) => prices.has(productCode))
}

function isCostFar(old: RouteCost, now: RouteCost | null, maxPercent: number): boolean {
  return now === null || now.kind !== old.kind || isFar(old.value, now.value, maxPercent)
}

function costText({ kind, value }: RouteCost): string {
  return kind === 'fixed' ? formatMoney(value) : `${formatMoney(value * 100n)}%`
}

export function isFar(before: bigint, after: bigint, maxPercent: number): boolean {
  return distance(before, after) * 100n > BigInt(maxPercent) * distance(before, 0n)
}

export function distance(a: bigint, b: bigint): bigint {
  return a < b ? b - a : a - b
}
