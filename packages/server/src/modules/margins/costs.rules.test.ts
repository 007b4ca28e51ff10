import { describe, expect, it } from 'vitest'
import type { PriceLevel } from '../catalog/model/types.ts'
import type { Route, RouteCost } from '../providers/connections/routing.types.ts'
import {
  chargeOf,
  cheapest,
  costsOf,
  distance,
  isFar,
  lostCosts,
  movedCosts,
  routesFor,
} from './costs.rules.ts'
import { earningsOf } from './earnings.rules.ts'
import type { Market } from './types.ts'

const fixed = (value: bigint): RouteCost => ({ kind: 'fixed', value })
const share = (value: bigint): RouteCost => ({ kind: 'percentage', value })

function routeTo(productCode: string, provider: string, cost: RouteCost | null, isEnabled = true): Route {
  return { productCode, provider, cost, isEnabled, priority: 1, weight: 1, windows: [] }
}

/** Makes a market of routes, in which the given products have a price. */
function marketOf(routes: readonly Route[], priced: readonly string[] = ['NOVA']): Market {
  const prices = new Map(
    priced.map((code) => [code, { discountType: 'fixed' as const, unitPrice: 0n, currency: 'MYR' }]),
  )
  const level: PriceLevel = { code: 'STANDARD', name: 'Standard', prices, withdrawn: new Map() }
  return {
    base: { products: [], options: new Map() },
    levels: new Map([['STANDARD', level]]),
    suppliers: { routes, enabled: new Set(['alpha', 'beta']) },
  }
}

describe('the costs of a product', () => {
  const own = routeTo('NOVA', 'alpha', fixed(5n))
  const general = routeTo('*', 'beta', share(9_700n))

  it('are those of its own routes, or of the general ones if it has none', () => {
    const suppliers = { routes: [own, general], enabled: new Set(['alpha', 'beta']) }
    expect(costsOf(suppliers, 'NOVA')).toEqual([{ provider: 'alpha', cost: fixed(5n) }])
    expect(costsOf(suppliers, 'OTHER')).toEqual([{ provider: 'beta', cost: share(9_700n) }])
  })

  it('the routes are read once for all products, and not once for each', () => {
    const codes = Array.from({ length: 500 }, (_, index) => `P${index}`)
    let reads = 0
    const routes = codes.map((code) => {
      const { productCode: _, ...route } = routeTo(code, 'alpha', fixed(5n))
      return {
        ...route,
        get productCode() {
          reads += 1
          return code
        },
      }
    })
    const suppliers = { routes, enabled: new Set(['alpha']) }
    expect(codes.every((code) => costsOf(suppliers, code).length === 1)).toBe(true)
    expect(costsOf(suppliers, 'OTHER')).toEqual([])
    expect(reads).toBe(codes.length)
  })

  it('a route that is switched off keeps the general ones out, and has no cost', () => {
    const off = routeTo('NOVA', 'alpha', fixed(5n), false)
    expect(routesFor([off, general], 'NOVA')).toEqual([off])
    expect(costsOf({ routes: [off, general], enabled: new Set(['alpha', 'beta']) }, 'NOVA')).toEqual([])
  })

  it('a route without a cost, or to a provider that takes no orders, does not count', () => {
    const routes = [own, routeTo('NOVA', 'beta', null), routeTo('NOVA', 'gamma', fixed(1n))]
    expect(costsOf({ routes, enabled: new Set(['alpha', 'beta']) }, 'NOVA')).toEqual([
      { provider: 'alpha', cost: fixed(5n) },
    ])
  })
})

describe('a charge', () => {
  it('is a fixed sum for each order, or a share of the face value', () => {
    expect(chargeOf(fixed(5n), 1_000n)).toBe(5n)
    expect(chargeOf(fixed(5n), 1_000n, 3n)).toBe(15n)
    expect(chargeOf(share(9_700n), 100_000n)).toBe(97_000n)
    expect(chargeOf(share(9_700n), 100_000n, 3n)).toBe(97_000n)
  })

  it('the cheapest wins, and the first of equal ones', () => {
    const costs = [
      { provider: 'alpha', cost: fixed(98_000n) },
      { provider: 'beta', cost: share(9_700n) },
      { provider: 'gamma', cost: fixed(97_000n) },
    ]
    expect(cheapest(costs, 100_000n)).toEqual({ provider: 'beta', amount: 97_000n })
    expect(cheapest(costs, 100_000n, 2n)).toEqual({ provider: 'beta', amount: 97_000n })
    expect(cheapest([], 100_000n)).toBeUndefined()
  })
})

describe('a cost that moves', () => {
  const moved = (old: RouteCost | null, now: RouteCost | null) =>
    movedCosts(
      marketOf([routeTo('NOVA', 'beta', fixed(1n)), routeTo('NOVA', 'alpha', old)]),
      marketOf([routeTo('NOVA', 'beta', fixed(1n)), routeTo('NOVA', 'alpha', now)]),
      10,
    )

  it('is found when it moved by more than the percentage, in either direction', () => {
    expect(moved(fixed(10_000n), fixed(11_000n))).toEqual([])
    expect(moved(fixed(10_000n), fixed(9_000n))).toEqual([])
    expect(moved(fixed(10_000n), fixed(11_001n))).toEqual([
      {
        kind: 'cost_moved',
        product: 'NOVA',
        level: null,
        provider: 'alpha',
        sample: 'cost',
        before: '1.00',
        after: '1.1001',
        cost: null,
        loss: 0n,
      },
    ])
    expect(moved(fixed(10_000n), fixed(8_999n))).toHaveLength(1)
  })

  it('is found when its kind changes, or when it is no longer known', () => {
    expect(moved(fixed(9_700n), share(9_700n))).toMatchObject([{ before: '0.97', after: '97.00%' }])
    expect(moved(share(9_700n), null)).toMatchObject([{ before: '97.00%', after: null }])
  })

  it('a cost that was not known before moves nothing', () => {
    expect(moved(null, fixed(10_000n))).toEqual([])
    expect(movedCosts(marketOf([]), marketOf([routeTo('NOVA', 'alpha', fixed(1n))]), 10)).toEqual([])
  })
})

describe('a removed route', () => {
  const route = routeTo('NOVA', 'alpha', fixed(10_000n))
  const other = routeTo('NOVA', 'beta', null)

  it('is found when a product that is sold has no known cost afterwards', () => {
    expect(lostCosts(marketOf([route, other]), marketOf([other]))).toEqual([
      {
        kind: 'cost_moved',
        product: 'NOVA',
        level: null,
        provider: 'alpha',
        sample: 'cost',
        before: '1.00',
        after: null,
        cost: null,
        loss: 0n,
      },
    ])
  })

  it('is found when the product is sold at one level of several', () => {
    const { levels, ...rest } = marketOf([])
    const bare: PriceLevel = { code: 'BARE', name: 'Bare', prices: new Map() }
    const after = { ...rest, levels: new Map([...levels, ['BARE', bare]]) }
    expect(lostCosts(marketOf([route]), after)).toMatchObject([{ product: 'NOVA', provider: 'alpha' }])
  })

  it('is nobody’s concern while it stays, had no cost, another cost is left, or nobody can buy', () => {
    expect(lostCosts(marketOf([route]), marketOf([route]))).toEqual([])
    expect(lostCosts(marketOf([other]), marketOf([]))).toEqual([])
    expect(lostCosts(marketOf([route]), marketOf([routeTo('NOVA', 'beta', fixed(1n))]))).toEqual([])
    expect(lostCosts(marketOf([route]), marketOf([routeTo('*', 'beta', fixed(1n))]))).toEqual([])
    expect(lostCosts(marketOf([route]), marketOf([], []))).toEqual([])
    expect(lostCosts(marketOf([route]), marketOf([], ['OTHER']))).toEqual([])
  })

  it('a general route counts as sold', () => {
    expect(lostCosts(marketOf([routeTo('*', 'alpha', fixed(1n))]), marketOf([], []))).toHaveLength(1)
  })
})

it('a distance has no sign, and far is more than the percentage of the old value', () => {
  expect([distance(3n, 5n), distance(5n, 3n), distance(-1n, 1n)]).toEqual([2n, 2n, 2n])
  expect(isFar(100n, 110n, 10)).toBe(false)
  expect(isFar(100n, 111n, 10)).toBe(true)
  expect(isFar(-100n, -111n, 10)).toBe(true)
  expect(isFar(0n, 1n, 10)).toBe(true)
})

describe('an estimate of earnings', () => {
  const suppliers = {
    routes: [routeTo('NOVA', 'alpha', fixed(10n)), routeTo('STAR', 'alpha', share(5_000n))],
    enabled: new Set(['alpha']),
  }
  const told = { payments: 0n, faceValue: 0n, charged: 0n, supplierCost: 0n }
  const sold = (productCode: string) => ({ productCode, payments: 3n, faceValue: 100n, charged: 70n, told })

  it('is what resellers paid without what the cheapest route charges', () => {
    const nova = { margin: 40n, listed: 40n, covered: 100n, told: 0n }
    expect(earningsOf(suppliers, [sold('NOVA')])).toEqual(nova)
    const both = { margin: 60n, listed: 60n, covered: 200n, told: 0n }
    expect(earningsOf(suppliers, [sold('NOVA'), sold('STAR')])).toEqual(both)
  })

  it('leaves out products whose cost is not known', () => {
    expect(earningsOf(suppliers, [sold('OTHER'), sold('NOVA')])).toMatchObject({ margin: 40n, covered: 100n })
    expect(earningsOf(suppliers, [sold('OTHER')])).toMatchObject({ margin: null, covered: 0n })
  })

  it('takes what suppliers said where they did, and the price list for the rest', () => {
    const two = { payments: 2n, faceValue: 60n, charged: 45n, supplierCost: 33n }
    expect(earningsOf(suppliers, [{ ...sold('NOVA'), told: two }])).toEqual({
      margin: 45n - 33n + (25n - 10n),
      listed: 40n,
      covered: 100n,
      told: 60n,
    })
    const all = { payments: 3n, faceValue: 100n, charged: 70n, supplierCost: 71n }
    expect(earningsOf(suppliers, [{ ...sold('OTHER'), told: all }])).toEqual({
      margin: -1n,
      listed: null,
      covered: 100n,
      told: 100n,
    })
  })
})
