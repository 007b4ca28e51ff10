import { faceValue, cost as resellerCost } from '../catalog/model/pricing.rules.ts'
import type { PriceLevel } from '../catalog/model/types.ts'
import type { Rates } from '../rates/types.ts'
import { denominationAt, ringgitOfCost } from './routes.rules.ts'
import type { Shelf } from './shelf.rules.ts'
import type { MarginGap, Offer, OfferMargin, OfferMoney, Place } from './types.ts'

export type Shop = {
  readonly shelf: Pick<Shelf, 'product' | 'optionsOf'>
  readonly levels: ReadonlyMap<string, PriceLevel>
  readonly rates: Rates
}

/** Returns the smallest margin of the places where an offer is, or is to be, sold; or why there is none. */
export function marginAt(
  { shelf, levels, rates }: Shop,
  places: readonly Place[],
  offer: Offer | null,
  cost: OfferMoney | null,
): OfferMargin | MarginGap {
  if (cost === null) return 'no_cost'
  const ringgit = ringgitOfCost(cost, rates)
  if (ringgit === null) return 'no_rate'
  let lowest: OfferMargin | MarginGap = 'no_value'
  for (const place of places) {
    const product = shelf.product(place.product)
    const denomination = product && denominationAt(shelf, product, place, offer)
    if (product === undefined || denomination == null) continue
    if (lowest === 'no_value') lowest = 'no_price'
    const { denominationUnitPrice } = product
    for (const { code, prices } of levels.values()) {
      const wholesale = prices.get(product.code)
      if (wholesale === undefined) continue
      const price = resellerCost(denomination, { denominationUnitPrice, wholesale })
      const margin = price - ringgit
      if (typeof lowest === 'object' && lowest.margin <= margin) continue
      const face = faceValue(denomination, denominationUnitPrice)
      lowest = { product: product.code, level: code, faceValue: face, price, cost: ringgit, margin }
    }
  }
  return lowest
}
