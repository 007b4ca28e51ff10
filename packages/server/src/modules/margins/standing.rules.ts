import { formatMoney } from '../../lib/money.ts'
import { faceValue as faceValueOf, cost as resellerCost } from '../catalog/model/pricing.rules.ts'
import type { Product } from '../catalog/model/types.ts'
import { costsOf } from './costs.rules.ts'
import { samplesOf } from './samples.rules.ts'
import type { Market } from './types.ts'

// Problems of the present prices and routes, after any kind of change.

export type MarginProblems = {
  /** Products sold below the cheapest route's cost, with a text that names the levels. */
  readonly belowCost: ReadonlyMap<string, string>
  /** Active products with a price, but without a route to a provider that takes orders. */
  readonly withoutRoute: readonly string[]
  /** Products with an enabled route of their own, but without a price at any level, or unknown to the catalogue. */
  readonly withoutPrice: readonly string[]
}

const LEVELS_NAMED = 5

/**
 * Finds products without a route or a price; `hasFallback`: a product without any route is fulfilled anyway, as in
 * staging. `onSale` lists the active products with a price.
 */
export function findUnroutedProducts(
  { base, levels, suppliers }: Market,
  hasFallback: boolean,
): Omit<MarginProblems, 'belowCost'> & { readonly onSale: readonly Product[] } {
  const withoutRoute: string[] = []
  const onSale: Product[] = []
  const priced = new Set([...levels.values()].flatMap(({ prices }) => [...prices.keys()]))
  const usable = suppliers.routes.filter(
    ({ isEnabled, provider }) => isEnabled && suppliers.enabled.has(provider),
  )
  const own = new Set(suppliers.routes.map(({ productCode }) => productCode))
  const led = new Set(usable.map(({ productCode }) => productCode))
  for (const product of base.products) {
    if (!product.isActive || !priced.has(product.code)) continue
    onSale.push(product)
    const isLed = own.has(product.code)
      ? led.has(product.code)
      : led.has('*') || (hasFallback && !own.has('*'))
    if (!isLed) withoutRoute.push(product.code)
  }
  const withoutPrice = [...led].filter((code) => code !== '*' && !priced.has(code))
  return { onSale, withoutRoute, withoutPrice }
}

/** Describes the levels that pay less than the cheapest route charges; undefined: none does. */
export function belowCostText(market: Market, product: Product): string | undefined {
  const productCode = product.code
  const costs = costsOf(market.suppliers, productCode)
  if (costs.length === 0) return undefined
  const options = [...(market.base.options.get(productCode)?.values() ?? [])]
    .flat()
    .filter(({ isActive }) => isActive)
  const samples = samplesOf(product, options, costs)
  const found: string[] = []
  for (const { code, prices } of market.levels.values()) {
    const wholesale = prices.get(productCode)
    if (wholesale === undefined) continue
    const { denominationUnitPrice } = product
    for (const { key, denomination } of samples) {
      const price = resellerCost(denomination, { denominationUnitPrice, wholesale })
      const charge = costs
        .map(({ cost }) =>
          cost.kind === 'fixed'
            ? cost.value
            : (faceValueOf(denomination, denominationUnitPrice) * cost.value) / 10_000n,
        )
        .reduce((least, each) => (each < least ? each : least))
      if (price >= charge) continue
      found.push(
        `${code} pays ${formatMoney(price)} for ${key}, the cheapest route charges ${formatMoney(charge)}`,
      )
      break
    }
  }
  if (found.length === 0) return undefined
  const rest = found.length - LEVELS_NAMED
  return found.slice(0, LEVELS_NAMED).join('; ') + (rest > 0 ? `; and ${rest} more levels` : '')
}
