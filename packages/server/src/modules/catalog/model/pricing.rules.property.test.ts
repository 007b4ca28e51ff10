import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Amount } from '../../../lib/money.ts'
import { RATE_ONE } from '../../../lib/rates.ts'
import { adjustments, RINGGIT, wholesalePrices } from '../../../testing/catalog/catalog-samples.ts'
import { runs } from '../../../testing/runs.ts'
import type { Terms } from './pricing.rules.ts'
import { cost, faceValue, losesWithin, optionMoney, price, rrp } from './pricing.rules.ts'

/** Factor between an amount and 10^-28 ringgit, the finest unit that an amount and three rates can give. */
const UNIT = 10n ** 24n
const RATE_UNIT = 10n ** 20n

const amounts = fc.bigInt({ min: 1n, max: 1_000_000n * RINGGIT })
const unitPrices = fc.oneof(fc.constant(RATE_ONE), fc.bigInt({ min: 1n, max: 1_000n * RATE_ONE }))
const terms: fc.Arbitrary<Terms> = fc.record({
  denominationUnitPrice: unitPrices,
  wholesale: wholesalePrices,
  adjustment: fc.option(adjustments, { nil: null }),
})

/** Computes the contract's formulas, unrounded, in 10^-28 ringgit. */
function exactly(denomination: Amount, { denominationUnitPrice, wholesale, adjustment }: Terms) {
  const face = denomination * denominationUnitPrice * 10n ** 16n
  const exactCost =
    wholesale.discountType === 'percentage'
      ? denomination * denominationUnitPrice * wholesale.unitPrice * 10n ** 8n
      : face + wholesale.unitPrice * RATE_UNIT
  const retail = exactCost > face ? exactCost : face
  if (adjustment === null) return { face, cost: exactCost, rrp: retail, price: retail }
  // Every retail value is a multiple of 10^8, so this division has no remainder.
  const adjusted =
    adjustment.type === 'percentage'
      ? (retail / 10n ** 8n) * adjustment.value
      : retail + adjustment.value * UNIT
  return { face, cost: exactCost, rrp: retail, price: adjusted }
}

it('every amount is the exact one rounded once: never off by more than half a unit, and up at the half', () => {
  fc.assert(
    fc.property(amounts, terms, (denomination, given) => {
      const exact = exactly(denomination, given)
      const rounded = {
        face: faceValue(denomination, given.denominationUnitPrice),
        cost: cost(denomination, given),
        rrp: rrp(denomination, given, null),
        price: price(denomination, given, null),
      }
      for (const name of ['face', 'cost', 'rrp', 'price'] as const) {
        const errorTwice = 2n * (rounded[name] * UNIT - exact[name])
        expect(errorTwice > -UNIT && errorTwice <= UNIT).toBe(true)
      }
    }),
    { numRuns: runs(1_000) },
  )
})

it('a larger denomination never costs less, nor sells for less', () => {
  fc.assert(
    fc.property(amounts, amounts, terms, (a, b, given) => {
      const [small, large] = a < b ? [a, b] : [b, a]
      expect(cost(large, given)).toBeGreaterThanOrEqual(cost(small, given))
      expect(rrp(large, given, null)).toBeGreaterThanOrEqual(rrp(small, given, null))
      expect(price(large, given, null)).toBeGreaterThanOrEqual(price(small, given, null))
      expect(faceValue(large, given.denominationUnitPrice)).toBeGreaterThanOrEqual(
        faceValue(small, given.denominationUnitPrice),
      )
    }),
  )
})

it('nothing sells below cost or face value without an adjustment', () => {
  fc.assert(
    fc.property(amounts, terms, (denomination, given) => {
      const money = optionMoney(denomination, { ...given, adjustment: null }, null)
      expect(money.price).toBe(money.rrp)
      expect(money.price).toBeGreaterThanOrEqual(money.cost)
      expect(money.rrp).toBeGreaterThanOrEqual(faceValue(denomination, given.denominationUnitPrice))
      expect(money.hasLossRisk).toBe(false)
    }),
  )
})

it('a configured retail price is the price, whatever the adjustment', () => {
  fc.assert(
    fc.property(amounts, terms, amounts, (denomination, given, configured) => {
      const money = optionMoney(denomination, given, configured)
      expect([money.price, money.rrp]).toEqual([configured, configured])
      expect(money.hasLossRisk).toBe(configured < money.cost)
    }),
  )
})

it('a range that is called safe holds no amount that sells below cost', () => {
  const ranges = fc.record({
    min: fc.option(fc.bigInt({ min: 1n, max: 100n * RINGGIT }), { nil: null }),
    max: fc.option(fc.bigInt({ min: 1n, max: 10_000n * RINGGIT }), { nil: null }),
  })
  fc.assert(
    fc.property(ranges, terms, fc.array(amounts, { minLength: 20 }), (range, given, tried) => {
      if (losesWithin(range, given)) return
      const [min, max] = [range.min ?? 1n, range.max]
      const inside = [min, ...(max === null ? [] : [max]), ...tried].filter(
        (amount) => amount >= min && (max === null || amount <= max),
      )
      for (const amount of inside) {
        expect(price(amount, given, null)).toBeGreaterThanOrEqual(cost(amount, given))
      }
    }),
    { numRuns: runs(1_000) },
  )
})

it('a range is called risky only where the exact price is below the exact cost at one of its amounts', () => {
  fc.assert(
    fc.property(amounts, amounts, terms, (a, b, given) => {
      const [min, max] = a < b ? [a, b] : [b, a]
      const loses = (amount: Amount) => exactly(amount, given).price < exactly(amount, given).cost
      expect(losesWithin({ min, max }, given)).toBe(loses(min) || loses(max))
    }),
  )
})
