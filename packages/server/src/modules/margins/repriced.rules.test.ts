import { describe, expect, it } from 'vitest'
import { optionMap, sampleProduct } from '../../testing/catalog/catalog-samples.ts'
import type { PriceLevel, Product, WholesalePrice } from '../catalog/model/types.ts'
import { repricedProducts } from './repriced.rules.ts'

const PRICE: WholesalePrice = { discountType: 'percentage', unitPrice: 98_500_000n, currency: 'MYR' }

function level(code: string, price: WholesalePrice | null): PriceLevel {
  return { code, name: code, prices: new Map(price === null ? [] : [['NOVA', price]]) }
}

function market(levels: readonly PriceLevel[], products: readonly Product[] = [sampleProduct()]) {
  return {
    base: { products, options: optionMap([]) },
    levels: new Map(levels.map((each) => [each.code, each])),
  }
}

/** Compares the price of one level before and after. */
function repriced(before: WholesalePrice | null, after: WholesalePrice | null): string[] {
  return repricedProducts(market([level('STANDARD', before)]), market([level('STANDARD', after)]))
}

describe('the products whose price changes', () => {
  it('are those with another price, currency or unit', () => {
    expect(repriced(PRICE, { ...PRICE })).toEqual([])
    expect(repriced(PRICE, { ...PRICE, unitPrice: 98_500_001n })).toEqual(['NOVA'])
    expect(repriced(PRICE, { ...PRICE, currency: 'GEMS' })).toEqual(['NOVA'])
    expect(repriced(PRICE, { ...PRICE, discountType: 'fixed' })).toEqual(['NOVA'])
    const unit = [sampleProduct({ denominationUnitPrice: 1n })]
    const levels = [level('STANDARD', PRICE)]
    expect(repricedProducts(market(levels), market(levels, unit))).toEqual(['NOVA'])
  })

  it('are those whose price changes at one level of several', () => {
    const other = { ...PRICE, unitPrice: 98_500_001n }
    const before = market([level('STANDARD', PRICE), level('VIP', PRICE)])
    expect(repricedProducts(before, market([level('STANDARD', PRICE), level('VIP', other)]))).toEqual([
      'NOVA',
    ])
  })

  it('are those that get or lose a price, or are new', () => {
    expect(repriced(null, null)).toEqual([])
    expect(repriced(null, PRICE)).toEqual(['NOVA'])
    expect(repriced(PRICE, null)).toEqual(['NOVA'])
    const after = market([level('STANDARD', PRICE)])
    expect(repricedProducts(market([]), after)).toEqual(['NOVA'])
    expect(repricedProducts(market([level('STANDARD', PRICE)], []), after)).toEqual(['NOVA'])
  })
})
