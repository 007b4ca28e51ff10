import { describe, expect, it } from 'vitest'
import { RATE_ONE } from '../../../lib/rates.ts'
import {
  moneyField,
  moneyProduct,
  RINGGIT,
  sampleOption,
  sampleProduct,
  selectField,
  textField,
} from '../../../testing/catalog/catalog-samples.ts'
import {
  amountOf,
  cost,
  costCanBeNonPositive,
  discountText,
  isWithinLimits,
  narrowedLimits,
  payableRange,
} from './pricing.rules.ts'
import type { WholesalePrice } from './types.ts'

const percentage = (unitPrice: bigint): WholesalePrice => ({
  discountType: 'percentage',
  unitPrice,
  currency: 'MYR',
})
const fixed = (unitPrice: bigint): WholesalePrice => ({ discountType: 'fixed', unitPrice, currency: 'GEMS' })

describe('the discount for people', () => {
  it.each([
    [percentage(98_500_000n), '1.5%'],
    [percentage(96_000_000n), '4%'],
    [percentage(99_123_456n), '0.876544%'],
    [percentage(RATE_ONE), '0%'],
    [percentage(102_000_000n), '-2%'],
    [fixed(-50_000_000n), 'MYR 0.50'],
    [fixed(-12_500_000n), 'MYR 0.125'],
    [fixed(-10n * RATE_ONE), 'MYR 10.00'],
    [fixed(50_000_000n), 'MYR 0.50'],
  ])('%o is %s', (wholesale, text) => expect(discountText(wholesale)).toBe(text))
})

describe('a price that could give something away is found when it is saved', () => {
  const select = sampleProduct()
  const options = [
    sampleOption({ code: 'N5', denomination: 5n * RINGGIT, isActive: false }),
    sampleOption({ code: 'N10' }),
  ]

  it('when the discount takes all of one denomination, even of one that is switched off', () => {
    expect(costCanBeNonPositive(select, options, fixed(-5n * RATE_ONE))).toBe(true)
    expect(costCanBeNonPositive(select, options, fixed(-5n * RATE_ONE + 10_000n))).toBe(false)
  })

  it('when the cost rounds to nothing', () => {
    const tiny = [sampleOption({ denomination: 1n })]
    expect(costCanBeNonPositive(select, tiny, percentage(49_999_999n))).toBe(true)
    expect(costCanBeNonPositive(select, tiny, percentage(50_000_000n))).toBe(false)
  })

  it('options of other fields do not count', () => {
    const biller = sampleOption({ fieldId: 'biller', denomination: 1n })
    expect(costCanBeNonPositive(select, [biller], fixed(-RATE_ONE))).toBe(false)
  })

  it('a product without a pricing field, and an option without an amount, give nothing away', () => {
    expect(costCanBeNonPositive(sampleProduct({ fields: [textField()] }), options, fixed(-RATE_ONE))).toBe(
      false,
    )
    const open = sampleOption({ denomination: null })
    expect(costCanBeNonPositive(select, [open], fixed(-RATE_ONE))).toBe(false)
  })

  it('when the discount takes all of the smallest amount that can be entered', () => {
    expect(costCanBeNonPositive(moneyProduct(), [], fixed(-5n * RATE_ONE))).toBe(true)
    expect(costCanBeNonPositive(moneyProduct(), [], fixed(-4n * RATE_ONE))).toBe(false)
    const raised = moneyProduct({ minAmount: 6n * RINGGIT })
    expect(costCanBeNonPositive(raised, [], fixed(-5n * RATE_ONE))).toBe(false)
  })

  it('a fixed discount without a smallest amount always can, and so can a small foreign unit', () => {
    const open = moneyProduct({ fields: [moneyField({ validation: {} })] })
    expect(costCanBeNonPositive(open, [], fixed(-10_000n))).toBe(true)
    expect(costCanBeNonPositive(open, [], percentage(98_500_000n))).toBe(false)
    const foreign = { ...open, denominationUnitPrice: 4_300_000n }
    expect(costCanBeNonPositive(foreign, [], percentage(98_500_000n))).toBe(true)
  })
})

describe('the range that can be paid', () => {
  it("is the product's own, else the field's", () => {
    expect(payableRange(moneyProduct())).toEqual({ min: 5n * RINGGIT, max: 500n * RINGGIT })
    expect(payableRange(moneyProduct({ minAmount: 7n * RINGGIT }))).toEqual({
      min: 7n * RINGGIT,
      max: 500n * RINGGIT,
    })
    expect(payableRange(sampleProduct())).toEqual({ min: null, max: null })
    expect(payableRange(moneyProduct({ maxAmount: 9n * RINGGIT }))).toEqual({
      min: 5n * RINGGIT,
      max: 9n * RINGGIT,
    })
  })

  it('has no limits of a field that offers options, and none without a pricing field', () => {
    const select = sampleProduct({ fields: [selectField({ validation: { min: 1, max: 2 } })] })
    expect(payableRange(select)).toEqual({ min: null, max: null })
    expect(payableRange(sampleProduct({ fields: [] }))).toEqual({ min: null, max: null })
  })

  it('is narrowed by a reseller, never widened', () => {
    const product = moneyProduct()
    expect(narrowedLimits(product, { min: null, max: null })).toEqual({ min: null, max: null })
    expect(narrowedLimits(product, { min: 10n * RINGGIT, max: 50n * RINGGIT })).toEqual({
      min: 10n * RINGGIT,
      max: 50n * RINGGIT,
    })
    const open = moneyProduct({ fields: [moneyField({ validation: {} })] })
    expect(narrowedLimits(open, { min: RINGGIT, max: 900n * RINGGIT })).toEqual({
      min: RINGGIT,
      max: 900n * RINGGIT,
    })
    const limited = moneyProduct({ minAmount: 6n * RINGGIT, maxAmount: 90n * RINGGIT })
    expect(narrowedLimits(limited, { min: null, max: null })).toEqual({
      min: 6n * RINGGIT,
      max: 90n * RINGGIT,
    })
    expect(narrowedLimits(product, { min: RINGGIT, max: 900n * RINGGIT })).toEqual({
      min: 5n * RINGGIT,
      max: 500n * RINGGIT,
    })
  })
})

it.each([
  [5, 50_000n],
  [0.5, 5_000n],
  [0.0001, 1n],
  [0.00001, null],
  [1e21, null],
  [-1, null],
  [Number.NaN, null],
  [undefined, null],
])('the JSON number %s is the amount %s', (value, amount) => expect(amountOf(value)).toBe(amount))

describe('an option within the limits', () => {
  const isWithin = (denomination: bigint | null, minAmount: bigint | null, maxAmount: bigint | null) =>
    isWithinLimits({ minAmount, maxAmount }, { role: 'pricing' }, { denomination })

  it('is between them, both included', () => {
    expect([4n, 5n, 7n, 9n, 10n].map((each) => isWithin(each, 5n, 9n))).toEqual([
      false,
      true,
      true,
      true,
      false,
    ])
    expect([4n, 5n, 10n].map((each) => isWithin(each, 5n, null))).toEqual([false, true, true])
    expect([4n, 9n, 10n].map((each) => isWithin(each, null, 9n))).toEqual([true, true, false])
    expect(isWithin(4n, null, null)).toBe(true)
  })

  it('is any one without an amount, and any one of another field', () => {
    expect(isWithin(null, 5n, 9n)).toBe(true)
    expect(isWithinLimits({ minAmount: 5n, maxAmount: 9n }, { role: 'account' }, { denomination: 4n })).toBe(
      true,
    )
  })
})

it.each([
  [-140_000n, -1n],
  [-150_000n, -1n],
  [-160_000n, -2n],
  [-200_000n, -2n],
  [140_000n, 1n],
  [150_000n, 2n],
])('a cost of %s hundred-millionths of 1/10,000 is rounded to %s, half a unit up', (exact, rounded) => {
  const wholesale = fixed(-(RATE_ONE - exact / 10n))
  expect(cost(RINGGIT, { denominationUnitPrice: RATE_ONE, wholesale })).toBe(rounded)
})
