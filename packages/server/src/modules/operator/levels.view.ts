import { priceRow } from '../catalog/desk.service.ts'
import type { PriceLevel } from '../catalog/types.ts'

export function levelLineView({ code, name, prices }: PriceLevel) {
  return { code, name, prices: prices.size }
}

export function levelView({ code, name, prices }: PriceLevel) {
  return { code, name, prices: [...prices].map(([product, price]) => ({ product, ...priceRow(price) })) }
}
