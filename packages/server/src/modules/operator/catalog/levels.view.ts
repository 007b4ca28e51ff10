import { priceRow } from '../../catalog/operators.service.ts'
import type { PriceLevel } from '../../catalog/product/types.ts'

export function levelLineView({ code, name, prices }: PriceLevel) {
  return { code, name, prices: prices.size }
}

export function levelView({ code, name, prices }: PriceLevel) {
  return { code, name, prices: [...prices].map(([product, price]) => ({ product, ...priceRow(price) })) }
}
