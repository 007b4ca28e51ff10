import { describe, expect, it } from 'vitest'
import { currencyAt, moneyAt, priceAt } from './money.rules.ts'

describe('an amount', () => {
  it.each<[unknown, 'major' | 'minor', bigint | undefined]>([
    ['1234.50', 'major', 12_345_000n],
    [1234.5, 'major', 12_345_000n],
    ['-5', 'major', -50_000n],
    [1050, 'minor', 105_000n],
    ['1050', 'minor', 105_000n],
    ['92233720368547758', 'minor', 9_223_372_036_854_775_800n],
    ['92233720368547759', 'minor', undefined],
    ['10.50', 'minor', undefined],
    ['1,234.50', 'major', undefined],
    ['1e3', 'major', undefined],
    ['RM 5', 'major', undefined],
    [null, 'major', undefined],
    ['', 'major', undefined],
    ['--5', 'major', undefined],
  ])('%s in %s is %s', (value, unit, amount) => {
    expect(moneyAt({ a: value }, { path: ['a'], unit, divisor: null })).toBe(amount)
  })

  it.each([
    ['12.3456789', 'down', 123_456n],
    ['-12.34567', 'down', -123_457n],
    ['12.34565', 'half_up', 123_457n],
    ['12.34564', 'half_up', 123_456n],
    ['12.34565', 'exact', undefined],
  ] as const)('%s rounded %s is %s', (value, rounding, amount) => {
    expect(moneyAt({ a: value }, { path: ['a'], unit: 'major', divisor: null }, rounding)).toBe(amount)
  })

  it('an amount in parts that the answer names is divided by them', () => {
    const place = { path: ['cost', 'fixed'], unit: 'major', divisor: ['cost', 'divisor'] } as const
    const read = (fixed: unknown, divisor: unknown) => moneyAt({ cost: { fixed, divisor } }, place, 'half_up')
    expect(read(235, 100)).toBe(23_500n)
    expect(read(2_355_005, 1_000_000)).toBe(23_550n)
    expect(read(5, 1)).toBe(50_000n)
    for (const divisor of [0, -100, 7, '10.0', 1e12, null]) expect(read(235, divisor)).toBeUndefined()
  })
})

describe('a price', () => {
  const place = { path: ['price'], unit: 'major', divisor: null, currency: null } as const

  it('has the currency of the configuration, its own, or that of the answer', () => {
    const json = { price: '2.5', unit: 'eur' }
    expect(priceAt(json, place, 'USD')).toEqual({ amount: 25_000n, currency: 'USD' })
    expect(priceAt(json, { ...place, currency: { code: 'IDR' } }, 'USD')?.currency).toBe('IDR')
    expect(priceAt(json, { ...place, currency: { path: ['unit'] } }, 'USD')?.currency).toBe('EUR')
    expect(priceAt(json, { ...place, currency: { path: ['price'] } }, 'USD')).toBeUndefined()
    expect(priceAt({ price: -1 }, place, 'USD')).toBeUndefined()
    expect(currencyAt(json, null, 'MYR')).toBe('MYR')
  })
})
