import fc from 'fast-check'
import { expect, it } from 'vitest'
import { RATE_ONE } from '../../lib/rates.ts'
import {
  moneyField,
  moneyProduct,
  optionMap,
  sampleOption,
  sampleProduct,
} from '../../testing/catalog/catalog-samples.ts'
import { runs } from '../../testing/runs.ts'
import type { Option, Product, WholesalePrice } from '../catalog/model/types.ts'
import type { RouteCost } from '../providers/connections/routing.types.ts'
import { compareMarkets } from './rules.ts'
import type { Market } from './types.ts'

const prices: fc.Arbitrary<WholesalePrice> = fc.oneof(
  fc
    .bigInt({ min: 1_000n, max: 2n * RATE_ONE })
    .map((unitPrice) => ({ discountType: 'percentage' as const, unitPrice, currency: 'MYR' })),
  // Discounts are less than the smallest amount, or the catalogue itself would refuse them.
  fc
    .bigInt({ min: 1n, max: 499_000_000n })
    .map((value) => ({ discountType: 'fixed' as const, unitPrice: -value, currency: 'MYR' })),
)
const costs: fc.Arbitrary<RouteCost | null> = fc.oneof(
  fc.constant(null),
  fc.bigInt({ min: 1n, max: 15_000n }).map((value) => ({ kind: 'percentage' as const, value })),
  fc.bigInt({ min: 1n, max: 1_000_000n }).map((value) => ({ kind: 'fixed' as const, value })),
)
const denominations = fc.bigInt({ min: 50_000n, max: 5_000_000n })

const sides = fc.record({
  price: prices,
  costs: fc.array(costs, { maxLength: 4 }),
  denomination: denominations,
})
type Side = { price: WholesalePrice; costs: readonly (RouteCost | null)[]; denomination: bigint }

const UNIT_PRICES = [RATE_ONE, 25_000_000n, 4n * RATE_ONE]

function marketOf(side: Side, product: Product, isByOption: boolean): Market {
  const options: Option[] = isByOption
    ? [sampleOption({ productCode: product.code, denomination: side.denomination })]
    : []
  return {
    base: { products: [product], options: optionMap(options) },
    levels: new Map([['L', { code: 'L', name: 'L', prices: new Map([[product.code, side.price]]) }]]),
    suppliers: {
      enabled: new Set(['p0', 'p1', 'p2', 'p3']),
      routes: side.costs.map((cost, index) => ({
        productCode: product.code,
        provider: `p${index}`,
        priority: 1,
        weight: 1,
        cost,
        windows: [],
        isEnabled: true,
      })),
    },
  }
}

/** Computes the face value again from the definitions: ringgit as 1/10,000, rates as 1/100,000,000. */
function faceValueOf(denomination: bigint, unit: bigint): bigint {
  return (denomination * unit + RATE_ONE / 2n) / RATE_ONE
}

function paid({ discountType, unitPrice }: WholesalePrice, denomination: bigint, unit: bigint): bigint {
  const exact = denomination * unit
  if (discountType === 'percentage') return (exact * unitPrice + RATE_ONE ** 2n / 2n) / RATE_ONE ** 2n
  return (exact + unitPrice * 10_000n + RATE_ONE / 2n) / RATE_ONE
}

function charged(given: readonly (RouteCost | null)[], faceValue: bigint): bigint | undefined {
  const all = given.flatMap((cost) =>
    cost === null ? [] : [cost.kind === 'fixed' ? cost.value : (faceValue * cost.value) / 10_000n],
  )
  return all.length === 0 ? undefined : all.reduce((a, b) => (a < b ? a : b))
}

/** Tolerance: each comparison and rounding may lose half a unit; the smallest price compared is far above it. */
const ROUNDING = 2n

function expectSound(
  before: Side,
  after: Side,
  { old, now, unit, maxPercent }: { old: bigint; now: bigint; unit: bigint; maxPercent: number },
): void {
  const [was, is] = [paid(before.price, old, unit), paid(after.price, now, unit)]
  const cost = charged(after.costs, faceValueOf(now, unit))
  const costBefore = charged(before.costs, faceValueOf(old, unit))
  const isTouched = was !== is || cost !== costBefore
  if (isTouched && cost !== undefined) expect(is + ROUNDING).toBeGreaterThanOrEqual(cost)
  const moved = was < is ? is - was : was - is
  expect((moved - ROUNDING) * 100n).toBeLessThanOrEqual(BigInt(maxPercent) * was)
}

it('a price that one person may save alone is neither below cost nor moved by more than the share, at any amount', () => {
  const numRuns = runs(5_000)
  let passed = 0
  fc.assert(
    fc.property(
      sides,
      sides,
      fc.boolean(),
      fc.constantFrom(...UNIT_PRICES),
      fc.integer({ min: 0, max: 100 }),
      fc.array(denominations, { minLength: 5, maxLength: 5 }),
      (before, wanted, isByOption, unit, maxPercent, amounts) => {
        // Half of the changes are small, so that one person may make them.
        const after = maxPercent % 2 === 0 ? wanted : { ...before, costs: wanted.costs }
        const fields = isByOption ? {} : { fields: [moneyField({ validation: { min: 5, max: 500 } })] }
        const product = (isByOption ? sampleProduct : moneyProduct)({
          denominationUnitPrice: unit,
          ...fields,
        })
        // The catalogue refuses a price that gives something away.
        fc.pre([before, after].every(({ price }) => paid(price, 50_000n, unit) > 0n))
        const settings = { maxPercent, sales: new Map() }
        const { findings } = compareMarkets(
          marketOf(before, product, isByOption),
          marketOf(after, product, isByOption),
          settings,
        )
        if (findings.length > 0) return
        passed += 1
        const pairs = isByOption
          ? [[before.denomination, after.denomination] as const]
          : [50_000n, 5_000_000n, ...amounts].map((amount) => [amount, amount] as const)
        for (const [old, now] of pairs) expectSound(before, after, { old, now, unit, maxPercent })
      },
    ),
    { numRuns },
  )
  // A guard that refused everything would pass as well.
  expect(passed).toBeGreaterThan(numRuns / 25)
})

it('a change of one route reads the options of the products that it concerns, and of no other', () => {
  const read = new Set<string>()
  const products = Array.from({ length: 100 }, (_, index) => sampleProduct({ code: `P${index}` }))
  const options = products.map(({ code }) => ({
    ...sampleOption({ productCode: code }),
    get denomination() {
      read.add(code)
      return 100_000n
    },
  }))
  const price = { discountType: 'percentage', unitPrice: RATE_ONE, currency: 'MYR' } as const
  const market: Market = {
    base: { products, options: optionMap(options) },
    levels: new Map([
      ['L', { code: 'L', name: 'L', prices: new Map(products.map(({ code }) => [code, price])) }],
    ]),
    suppliers: {
      enabled: new Set(['alpha']),
      routes: products.map(({ code }) => routeOf(code, 9_000n)),
    },
  }
  const routes = products.map(({ code }) => routeOf(code, code === 'P7' ? 10_100n : 9_000n))
  const after = { ...market, suppliers: { ...market.suppliers, routes } }
  read.clear()
  const { findings } = compareMarkets(market, after, { maxPercent: 20, sales: new Map() })
  expect(findings).toMatchObject([{ kind: 'below_cost', product: 'P7' }])
  expect([...read]).toEqual(['P7'])
})

function routeOf(productCode: string, share: bigint) {
  const cost = { kind: 'percentage', value: share } as const
  return { productCode, provider: 'alpha', priority: 1, weight: 1, cost, windows: [], isEnabled: true }
}
