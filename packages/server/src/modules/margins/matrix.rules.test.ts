import { describe, expect, it } from 'vitest'
import {
  moneyProduct,
  optionMap,
  RINGGIT,
  sampleOption,
  sampleProduct,
} from '../../testing/catalog/catalog-samples.ts'
import type { Product, WholesalePrice } from '../catalog/model/types.ts'
import type { Route, RouteCost } from '../providers/connections/routing.types.ts'
import { isLoss, marginOf, marginRate } from './matrix.rules.ts'
import type { Market } from './types.ts'

const percentage = (unitPrice: bigint): WholesalePrice => ({
  discountType: 'percentage',
  unitPrice,
  currency: 'MYR',
})
const share = (value: bigint): RouteCost => ({ kind: 'percentage', value })

function routeTo(provider: string, cost: RouteCost | null, change: Partial<Route> = {}): Route {
  const usual = { productCode: 'NOVA', priority: 1, weight: 1, windows: [], isEnabled: true }
  return { ...usual, provider, cost, ...change }
}

const OPTIONS = [
  sampleOption(),
  sampleOption({ code: 'N30', denomination: 30n * RINGGIT }),
  sampleOption({ code: 'OLD', denomination: 900n * RINGGIT, isActive: false }),
]

function market(routes: readonly Route[], product: Product = sampleProduct()): Market {
  const level = (code: string, price: WholesalePrice) =>
    [code, { code, name: code, prices: new Map([[product.code, price]]), withdrawn: new Map() }] as const
  return {
    base: { products: [product], options: optionMap(OPTIONS) },
    levels: new Map([level('STANDARD', percentage(98_500_000n)), level('GOLD', percentage(97_000_000n))]),
    suppliers: { routes, enabled: new Set(['alpha', 'beta']) },
  }
}

const read = (routes: readonly Route[], product = sampleProduct()) =>
  marginOf(market(routes, product), product)

describe('the margins of a product', () => {
  it('are shown for each level and route, from the lowest to the highest of what is on sale', () => {
    const { levels, isNegative, isBelowCost } = read([routeTo('alpha', share(9_600n))])
    expect(levels).toMatchObject([
      {
        level: 'STANDARD',
        routes: [
          {
            provider: 'alpha',
            lowest: { sample: 'N10', faceValue: 100_000n, price: 98_500n, cost: 96_000n, margin: 2_500n },
            highest: { sample: 'N30', margin: 7_500n },
          },
        ],
      },
      { level: 'GOLD', routes: [{ lowest: { margin: 1_000n }, highest: { margin: 3_000n } }] },
    ])
    expect([isNegative, isBelowCost]).toEqual([false, false])
  })

  it('are negative where a level pays less than a route charges, and below cost where the cheapest does', () => {
    const dear = routeTo('alpha', share(9_800n))
    const cheap = routeTo('beta', share(9_600n))
    expect(read([dear, cheap])).toMatchObject({ isNegative: true, isBelowCost: false })
    expect(read([dear])).toMatchObject({ isNegative: true, isBelowCost: true })
    const [standard, gold] = read([dear, cheap]).levels
    expect(standard?.routes[0]?.lowest?.margin).toBe(500n)
    expect(gold?.routes[0]?.lowest).toMatchObject({ sample: 'N30', margin: -3_000n })
  })

  it('the margins of a product of a route that takes no orders are shown, and are nobody’s loss', () => {
    const off = routeTo('alpha', share(9_900n), { isEnabled: false })
    const elsewhere = routeTo('gone', share(9_900n))
    const found = read([off, elsewhere])
    expect(found).toMatchObject({ isNegative: false, isBelowCost: false })
    expect(found.levels[0]?.routes).toMatchObject([
      { provider: 'alpha', takesOrders: false, lowest: { margin: -1_500n } },
      { provider: 'gone', takesOrders: false },
    ])
  })

  it('are unknown for a route whose cost is, and those of * count for a product without a route', () => {
    const found = read([
      routeTo('beta', share(9_000n), { productCode: '*', priority: 2 }),
      routeTo('alpha', null, { productCode: '*' }),
    ])
    expect(found.routes.map(({ provider }) => provider)).toEqual(['alpha', 'beta'])
    expect(found.levels[0]?.routes).toMatchObject([
      { lowest: null, highest: null },
      { lowest: { margin: 8_500n } },
    ])
  })

  it('the margins of a product of a product that takes any amount are those at the ends of its range', () => {
    const fixed: RouteCost = { kind: 'fixed', value: 20_000n }
    const [standard] = read([routeTo('alpha', fixed, { productCode: '*' })], moneyProduct()).levels
    const { lowest, highest } = standard?.routes[0] ?? {}
    expect(lowest?.margin).toBeLessThan(highest?.margin ?? 0n)
    expect(BigInt(lowest?.faceValue ?? 0n)).toBeLessThan(highest?.faceValue ?? 0n)
  })

  it('come in the order in which routes are chosen: by priority, then by name', () => {
    const routes = [
      routeTo('gamma', null),
      routeTo('alpha', null, { priority: 2 }),
      routeTo('beta', null),
      routeTo('delta', null),
    ]
    expect(read(routes).routes.map(({ provider }) => provider)).toEqual(['beta', 'delta', 'gamma', 'alpha'])
    expect(read([...routes].reverse()).routes[0]?.provider).toBe('beta')
  })

  it('equal margins are shown at the first one, and a level without a price has none', () => {
    const fixed: RouteCost = { kind: 'fixed', value: 0n }
    const free = read([routeTo('alpha', fixed)], sampleProduct({ denominationUnitPrice: 0n }))
    expect(free.levels[0]?.routes[0]).toMatchObject({ lowest: { sample: 'N10' }, highest: { sample: 'N10' } })
    const { levels, ...rest } = market([routeTo('alpha', fixed)])
    const bare = { code: 'BARE', name: 'Bare', prices: new Map(), withdrawn: new Map() }
    const found = marginOf({ ...rest, levels: new Map([...levels, ['BARE', bare]]) }, sampleProduct())
    expect(found.levels.map(({ level }) => level)).toEqual(['STANDARD', 'GOLD'])
  })

  it('a margin of nothing is no loss', () => {
    const line = { sample: 'N10', faceValue: 1n, price: 1n, cost: 1n }
    expect(isLoss({ lowest: { ...line, margin: 0n } })).toBe(false)
    expect(isLoss({ lowest: { ...line, margin: -1n } })).toBe(true)
    expect(isLoss({ lowest: null })).toBe(false)
  })

  it('have a rate of the face value', () => {
    expect(marginRate({ margin: 12_345n, faceValue: 100_000n })).toBe(0.1235)
    expect(marginRate({ margin: 90_000n, faceValue: 100_000n })).toBe(0.9)
    expect(marginRate({ margin: -1_500n, faceValue: 100_000n })).toBe(-0.015)
    expect(marginRate({ margin: 0n, faceValue: 0n })).toBeNull()
  })
})
