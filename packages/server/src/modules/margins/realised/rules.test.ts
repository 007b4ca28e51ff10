import { describe, expect, it } from 'vitest'
import type { ToldCosts } from '../../payments/reports/sales.types.ts'
import type { RouteCost } from '../../providers/connections/routing.types.ts'
import { driftPercent, hasDrifted, realisedOf } from './rules.ts'

const TOLD: ToldCosts = {
  productCode: 'NOVA',
  provider: 'alpha',
  currency: 'USD',
  payments: 5n,
  faceValue: 500_000n,
  charged: 490_000n,
  cost: 102_000n,
  ringgit: 479_400n,
}

function realised(
  change: Partial<ToldCosts> = {},
  cost: RouteCost | null = { kind: 'percentage', value: 9_400n },
) {
  const usual = { priority: 1, weight: 1, windows: [], isEnabled: true }
  const routes = [
    { ...usual, productCode: 'NOVA', provider: 'beta', cost: null },
    { ...usual, productCode: 'NOVA', provider: 'alpha', cost },
  ]
  return realisedOf({ ...TOLD, ...change }, { routes })
}

describe('a realised margin', () => {
  it('is what resellers paid without what the supplier took, beside what its own route says', () => {
    expect(realised()).toMatchObject({ margin: 10_600n, listedCost: 470_000n, listedMargin: 20_000n })
    expect(realised({}, { kind: 'fixed', value: 95_000n })).toMatchObject({ listedCost: 475_000n })
  })

  it('is not known without a rate, and nothing is listed without a cost of the route', () => {
    expect(realised({ ringgit: null })).toMatchObject({ margin: null, listedMargin: 20_000n })
    expect(realised({}, null)).toMatchObject({ margin: 10_600n, listedCost: null, listedMargin: null })
    expect(realised({ provider: 'gamma' })).toMatchObject({ listedCost: null })
  })
})

describe('a drift', () => {
  it.each([
    [479_400n, 5n, false],
    [479_401n, 5n, true],
    [460_600n, 5n, false],
    [460_599n, 5n, true],
    [900_000n, 4n, false],
    [null, 5n, false],
  ])('%s ringgit for %s payments, where 470,000 are listed: %s', (ringgit, payments, expected) => {
    expect(hasDrifted({ ringgit, payments, listedCost: 470_000n }, 2)).toBe(expected)
  })

  it('is told in percent of the listed cost', () => {
    expect(driftPercent(realised())).toBe(2)
    expect(driftPercent({ ringgit: 460_600n, listedCost: 470_000n })).toBe(-2)
    expect(driftPercent({ ringgit: 1n, listedCost: 0n })).toBeNull()
    expect(hasDrifted({ ringgit: 1n, payments: 5n, listedCost: null }, 2)).toBe(false)
  })
})
