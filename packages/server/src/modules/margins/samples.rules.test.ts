import { describe, expect, it } from 'vitest'
import {
  moneyField,
  moneyProduct,
  RINGGIT,
  sampleOption,
  sampleProduct,
} from '../../testing/catalog/catalog-samples.ts'
import type { Product } from '../catalog/model/types.ts'
import type { KnownCost } from './costs.rules.ts'
import { samplesOf } from './samples.rules.ts'

describe('the amounts at which prices are compared', () => {
  const open = (validation: { min?: number; max?: number }) =>
    moneyProduct({ fields: [moneyField({ validation })] })
  const keysOf = (product: Product, costs: Parameters<typeof samplesOf>[2] = []) =>
    samplesOf(product, [], costs).map(({ key }) => key)

  it('are the options of the pricing field', () => {
    const options = [
      sampleOption({ code: 'N5', denomination: 5n * RINGGIT }),
      sampleOption({ code: 'B1', fieldId: 'biller' }),
      sampleOption({ code: 'N0', denomination: null }),
    ]
    expect(samplesOf(sampleProduct(), options, [])).toEqual([{ key: 'N5', denomination: 5n * RINGGIT }])
    expect(samplesOf(sampleProduct({ fields: [] }), options, [])).toEqual([])
  })

  it('are the ends of the range, or usual ones', () => {
    expect(keysOf(open({ min: 5, max: 500 }))).toEqual(['5.00', '500.00'])
    expect(keysOf(open({}))).toEqual(['1.00', '10000.00'])
    expect(keysOf(open({ max: 500 }))).toEqual(['1.00', '500.00'])
    expect(keysOf(open({ max: 0.5 }))).toEqual(['0.50'])
    expect(keysOf(open({ max: 1 }))).toEqual(['1.00'])
    expect(keysOf(open({ min: 20_000 }))).toEqual(['20000.00'])
    expect(keysOf(open({ min: 10_000 }))).toEqual(['10000.00'])
  })

  describe('with several routes', () => {
    const fixed = (value: bigint): KnownCost => ({ provider: 'alpha', cost: { kind: 'fixed', value } })
    const share = (value: bigint): KnownCost => ({ provider: 'beta', cost: { kind: 'percentage', value } })
    const costs = [fixed(5n * RINGGIT), share(5_000n)]

    it('include both sides of the amount at which another route becomes the cheapest', () => {
      expect(keysOf(open({ min: 5, max: 500 }), costs)).toEqual(['5.00', '500.00', '10.00', '10.0001'])
      expect(keysOf(open({ min: 10, max: 500 }), costs)).toEqual(['10.00', '500.00', '10.0001'])
      const low = [fixed(100n), share(1n)]
      expect(keysOf(open({ min: 5, max: 500 }), low)).toEqual(['5.00', '500.00', '100.00', '100.0001'])
    })

    it('leave out such an amount that nobody can pay', () => {
      expect(keysOf(open({ min: 20, max: 500 }), costs)).toEqual(['20.00', '500.00'])
      expect(keysOf(open({ min: 1, max: 5 }), costs)).toEqual(['1.00', '5.00'])
    })

    it.each([
      ['charge shares', [share(9_000n), share(5_000n)]],
      ['charge per order', [fixed(20n * RINGGIT), fixed(10n * RINGGIT)]],
      ['charge nothing', [fixed(5n * RINGGIT), share(0n)]],
    ])('have no such amount where they %s', (_, given) => {
      expect(keysOf(open({ min: 0.5, max: 500 }), given)).toEqual(['0.50', '500.00'])
    })
  })
})
