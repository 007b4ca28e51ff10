import { describe, expect, it } from 'vitest'
import {
  moneyProduct,
  optionMap,
  RINGGIT,
  sampleOption,
  sampleProduct,
} from '../../testing/catalog/catalog-samples.ts'
import type { Option, Product, WholesalePrice } from '../catalog/model/types.ts'
import type { Route, RouteCost } from '../providers/connections/routing.types.ts'
import { compareMarkets, salesKey } from './rules.ts'
import type { EarlierPrice, Market, Sales } from './types.ts'

const percentage = (unitPrice: bigint): WholesalePrice => ({
  discountType: 'percentage',
  unitPrice,
  currency: 'MYR',
})
const off = (unitPrice: bigint): WholesalePrice => ({
  discountType: 'fixed',
  unitPrice: -unitPrice,
  currency: 'MYR',
})

function routeTo(provider: string, cost: RouteCost | null, change: Partial<Route> = {}): Route {
  return {
    productCode: 'NOVA',
    provider,
    priority: 1,
    weight: 1,
    cost,
    windows: [],
    isEnabled: true,
    ...change,
  }
}

const share = (value: bigint): RouteCost => ({ kind: 'percentage', value })

type Parts = {
  price?: WholesalePrice | null
  withdrawn?: WholesalePrice
  routes?: readonly Route[]
  product?: Product
  options?: readonly Option[]
  enabled?: readonly string[]
}

const PRODUCT = sampleProduct()
const OPTIONS = [sampleOption(), sampleOption({ code: 'N30', denomination: 30n * RINGGIT })]

function market({ price = percentage(98_500_000n), withdrawn, ...parts }: Parts = {}): Market {
  const { product = PRODUCT, options = OPTIONS, routes = [], enabled = ['alpha', 'beta'] } = parts
  return {
    base: { products: [product], options: optionMap(options) },
    levels: new Map([
      [
        'STANDARD',
        {
          code: 'STANDARD',
          name: 'Standard',
          prices: new Map(price === null ? [] : [[product.code, price]]),
          withdrawn: new Map(withdrawn === undefined ? [] : [[product.code, withdrawn]]),
        },
      ],
    ]),
    suppliers: { routes, enabled: new Set(enabled) },
  }
}

/** Price of NOVA at STANDARD before a change. */
const earlier = (wholesale: WholesalePrice | null): EarlierPrice => ({
  productCode: 'NOVA',
  levelCode: 'STANDARD',
  wholesale,
  denominationUnitPrice: null,
})

/** Compares with a history of changes, newest first. */
function compareSince(steps: readonly EarlierPrice[], before: Parts, after: Parts, sales?: Sales) {
  const known = new Map(sales === undefined ? [] : [[salesKey('STANDARD', 'NOVA'), sales]])
  const settings = { maxPercent: 20, sales: known, history: new Map([['NOVA', steps]]) }
  return compareMarkets(market(before), market(after), settings)
}

function compare(before: Parts, after: Parts, sales?: Sales, maxPercent = 20) {
  const known = new Map(sales === undefined ? [] : [[salesKey('STANDARD', 'NOVA'), sales]])
  const settings = { maxPercent, sales: known }
  const { findings, loss } = compareMarkets(market(before), market(after), settings)
  return { kinds: findings.map(({ kind }) => kind), findings, loss }
}

describe('a price', () => {
  it('a mistyped price has moved too far', () => {
    const { kinds, findings } = compare({}, { price: percentage(10_000n) })
    expect(kinds).toEqual(['price_moved'])
    expect(findings[0]).toMatchObject({
      product: 'NOVA',
      level: 'STANDARD',
      sample: 'N30',
      before: '29.55',
      after: '0.003',
      provider: null,
      cost: null,
    })
  })

  it('may move by the share, to the last unit, and no further', () => {
    expect(compare({ price: percentage(100_000_000n) }, { price: percentage(80_000_000n) }).kinds).toEqual([])
    expect(compare({ price: percentage(100_000_000n) }, { price: percentage(79_990_000n) }).kinds).toEqual([
      'price_moved',
    ])
    expect(compare({ price: percentage(100_000_000n) }, { price: percentage(120_000_000n) }).kinds).toEqual(
      [],
    )
    expect(compare({ price: percentage(100_000_000n) }, { price: percentage(120_010_000n) }).kinds).toEqual([
      'price_moved',
    ])
  })

  it('is compared with the one that was taken away before it', () => {
    expect(
      compare({ price: null, withdrawn: percentage(98_500_000n) }, { price: percentage(10_000n) }).kinds,
    ).toEqual(['price_moved'])
    const half = percentage(50_000_000n)
    expect(compare({ price: null, withdrawn: half }, { price: percentage(45_000_000n) }).kinds).toEqual([])
  })

  it('the first price is compared with the cost, and with the face value where no cost is known', () => {
    const routes = [routeTo('alpha', share(4_000n))]
    expect(compare({ price: null }, { price: percentage(50_000_000n) }).kinds).toEqual(['price_moved'])
    expect(compare({ price: null, routes }, { price: percentage(50_000_000n), routes }).kinds).toEqual([])
    expect(compare({ price: null, routes }, { price: percentage(39_000_000n), routes }).kinds).toEqual([
      'below_cost',
    ])
  })

  it('below the cheapest route is found at the option that loses most', () => {
    const routes = [routeTo('alpha', share(9_900n)), routeTo('beta', share(9_750n))]
    const suppliers = market({ routes }).suppliers
    const settings = { maxPercent: 20, sales: new Map() }
    const before = { ...market(), suppliers }
    const { findings } = compareMarkets(
      before,
      { ...market({ price: percentage(97_000_000n) }), suppliers },
      settings,
    )
    expect(findings).toMatchObject([
      { kind: 'below_cost', provider: 'beta', sample: 'N30', after: '29.10', cost: 292_500n },
    ])
    const sound = compareMarkets(
      before,
      { ...market({ price: percentage(97_500_000n) }), suppliers },
      settings,
    )
    expect(sound.findings).toEqual([])
  })
})

describe('a route cost', () => {
  it('a route cost of 97.5 % beside a price of 50 % is found', () => {
    const half = percentage(50_000_000n)
    const { kinds } = compare({ price: half }, { price: half, routes: [routeTo('alpha', share(9_750n))] })
    expect(kinds).toEqual(['below_cost'])
  })

  it('a route cost of a route or a provider that takes no orders does not count', () => {
    const half = percentage(50_000_000n)
    const routes = [routeTo('alpha', share(9_750n), { isEnabled: false }), routeTo('gone', share(9_750n))]
    expect(compare({ price: half }, { price: half, routes }).kinds).toEqual([])
  })

  it('per order is above the price of small amounts alone, and found there', () => {
    const product = moneyProduct({ code: 'NOVA' })
    const routes = [routeTo('alpha', { kind: 'fixed', value: 60_000n })]
    const { findings } = compare({ product, options: [] }, { product, options: [], routes })
    expect(findings).toMatchObject([{ kind: 'below_cost', sample: '5.00', after: '4.925', cost: 60_000n }])
  })

  it('the cost of two routes is the cheaper one at every amount', () => {
    const product = moneyProduct({ code: 'NOVA' })
    const routes = [routeTo('alpha', { kind: 'fixed', value: 50_000n }), routeTo('beta', share(5_000n))]
    const price = off(480_000_000n)
    const { findings } = compare({ product, options: [], price }, { product, options: [], price, routes })
    expect(findings.map(({ kind }) => kind)).toEqual(['below_cost'])
  })

  it('a route cost above several prices is shown at the one that loses most, not at the highest', () => {
    const options = [sampleOption(), sampleOption({ code: 'N15', denomination: 15n * RINGGIT })]
    const routes = [routeTo('alpha', { kind: 'fixed', value: 20n * RINGGIT })]
    const { findings } = compare({ options }, { options, routes })
    expect(findings).toMatchObject([{ kind: 'below_cost', sample: 'N10', after: '9.85' }])
  })

  it('a route cost that moves too far, or is not known any more, is found itself', () => {
    const from = [routeTo('alpha', share(9_750n))]
    expect(compare({ routes: from }, { routes: [routeTo('alpha', share(975n))] }).kinds).toEqual([
      'cost_moved',
    ])
    expect(compare({ routes: from }, { routes: [routeTo('alpha', null)] }).kinds).toEqual(['cost_moved'])
    expect(compare({ routes: from }, { routes: [routeTo('alpha', share(9_700n))] }).kinds).toEqual([])
  })
})

describe('the figure of last month', () => {
  const sales = { payments: 40n, faceValue: 1_000n * RINGGIT }

  it('is the face value times the difference of the prices', () => {
    expect(compare({}, { price: percentage(50_000_000n) }, sales).loss).toBe(485n * RINGGIT)
    expect(compare({ price: off(50_000_000n) }, { price: off(300_000_000n) }, sales).loss).toBe(
      100n * RINGGIT,
    )
  })

  it('is what the supplier charges beyond the price where that is more', () => {
    const half = percentage(50_000_000n)
    const { loss } = compare(
      { price: half },
      { price: half, routes: [routeTo('alpha', share(9_750n))] },
      sales,
    )
    expect(loss).toBe(475n * RINGGIT)
  })

  it('is nothing for a price that rises', () => {
    expect(compare({}, { price: percentage(150_000_000n) }, sales)).toMatchObject({
      kinds: ['price_moved'],
      loss: 0n,
    })
  })

  it('follows an option that became another amount', () => {
    const options = [sampleOption({ denomination: 1n * RINGGIT }), OPTIONS[1] as Option]
    const { kinds, loss } = compare({}, { options }, sales)
    expect(kinds).toEqual(['price_moved'])
    expect(loss).toBeGreaterThan(0n)
    // The price of the smallest option doubles, and with it the sum of last month: above what the supplier charges.
    const [price, routes] = [percentage(100_000_000n), [routeTo('alpha', share(15_000n))]]
    const optionOf = (denomination: bigint) => ({ price, routes, options: [sampleOption({ denomination })] })
    expect(compare(optionOf(1n), optionOf(2n), sales)).toMatchObject({
      kinds: ['below_cost', 'price_moved'],
      loss: 0n,
    })
  })

  it('is nothing where nothing was sold, or where nothing is found', () => {
    const none = { payments: 0n, faceValue: 0n }
    expect(compare({}, { price: percentage(50_000_000n) }, none)).toMatchObject({
      kinds: ['price_moved'],
      loss: 0n,
    })
    expect(compare({}, { price: percentage(98_000_000n) }, sales)).toMatchObject({ kinds: [], loss: 0n })
  })
})

it('a loss that a change leaves as it was is not found again', () => {
  const routes = [routeTo('alpha', share(9_900n))]
  const { suppliers } = market({ routes })
  const base = { ...market({ price: percentage(50_000_000n) }), suppliers }
  const renamed = { ...base, base: { ...base.base, products: [{ ...PRODUCT, name: 'Nova!' }] } }
  const settings = { maxPercent: 20, sales: new Map() }
  expect(compareMarkets(base, renamed, settings).findings).toEqual([])
})

describe('prices that move in small steps', () => {
  const full = percentage(100_000_000n)

  it('are compared with the oldest one of the last days', () => {
    const sales = { payments: 40n, faceValue: 1_000n * RINGGIT }
    const after = { price: percentage(75_000_000n) }
    expect(compareSince([earlier(full)], { price: percentage(85_000_000n) }, after, sales)).toMatchObject({
      findings: [{ kind: 'price_drifted', sample: 'N30', before: '30.00', after: '22.50' }],
      loss: 250n * RINGGIT,
    })
    expect(compareSince([], { price: percentage(85_000_000n) }, after).findings).toEqual([])
  })

  it('count the steps of the unit price as well', () => {
    const unit = (denominationUnitPrice: bigint) => ({
      product: sampleProduct({ denominationUnitPrice }),
      price: full,
    })
    const step = { ...earlier(null), levelCode: null, denominationUnitPrice: 100_000_000n }
    expect(compareSince([step], unit(90_000_000n), unit(78_000_000n)).findings).toMatchObject([
      { kind: 'price_drifted', before: '30.00', after: '23.40' },
    ])
  })

  it('are not asked about when this change moves nothing, or when there was no price', () => {
    const low = { price: percentage(75_000_000n) }
    const renamed = { ...low, product: sampleProduct({ name: 'Nova!' }) }
    expect(compareSince([earlier(full)], low, renamed).findings).toEqual([])
    const same = { price: percentage(85_000_000n) }
    const options = [sampleOption({ denomination: 9n * RINGGIT }), OPTIONS[1] as Option]
    expect(compareSince([earlier(full)], same, { ...same, options }).findings).toEqual([])
    const none = { ...market(), base: { products: [], options: new Map() } }
    const history = new Map([['NOVA', [earlier(full)]]])
    const settings = { maxPercent: 20, sales: new Map(), history }
    expect(compareMarkets(none, market({ price: full }), settings).findings).toEqual([])
    const routes = [routeTo('alpha', share(4_000n))]
    expect(compareSince([earlier(full)], { price: null, routes }, { ...low, routes }).findings).toEqual([])
  })

  it('are not told beside a step that is too far by itself', () => {
    const steps = [earlier(full)]
    const { findings } = compareSince(
      steps,
      { price: percentage(85_000_000n) },
      { price: percentage(1_000_000n) },
    )
    expect(findings.map(({ kind }) => kind)).toEqual(['price_moved'])
  })

  it('are compared with the last step that a second person was asked about, for any option', () => {
    const free = off(0n)
    const before = { price: off(250_000_000n) }
    expect(compareSince([earlier(free)], before, { price: off(300_000_000n) }).findings).toEqual([])
  })
})

describe('the loss of last month', () => {
  const sales = { payments: 40n, faceValue: 1_000n * RINGGIT }

  it('a first price loses the difference from the face value', () => {
    expect(compare({ price: null }, { price: percentage(50_000_000n) }, sales).loss).toBe(500n * RINGGIT)
    const none = { ...market(), base: { products: [], options: new Map() } }
    const settings = { maxPercent: 20, sales: new Map([[salesKey('STANDARD', 'NOVA'), sales]]) }
    const half = market({ price: percentage(50_000_000n) })
    expect(compareMarkets(none, half, settings).loss).toBe(500n * RINGGIT)
    expect(compareMarkets({ ...market(), levels: new Map() }, half, settings).loss).toBe(500n * RINGGIT)
    const typed = { product: moneyProduct({ code: 'NOVA' }), options: [], price: percentage(50_000_000n) }
    expect(compareMarkets(none, market(typed), settings).loss).toBe(500n * RINGGIT)
  })

  it('another unit price follows the face value', () => {
    const unit = (denominationUnitPrice: bigint, price: WholesalePrice) => ({
      product: sampleProduct({ denominationUnitPrice }),
      price,
    })
    const [whole, half] = [100_000_000n, 50_000_000n]
    const rate = percentage(98_500_000n)
    expect(compare(unit(whole, rate), unit(half, rate), sales).loss).toBe((985n * RINGGIT) / 2n)
    const discount = off(50_000_000n)
    expect(compare(unit(whole, discount), unit(half, discount), sales).loss).toBe(500n * RINGGIT)
  })

  it('a discount is counted for each order, to the last unit', () => {
    const many = { payments: 10_000n, faceValue: 100_000n * RINGGIT }
    expect(compare({ price: percentage(100_000_000n) }, { price: off(300_000_000n) }, many).loss).toBe(
      30_000n * RINGGIT,
    )
  })

  it('a new option below its cost loses what the supplier charges beyond the price', () => {
    const routes = [routeTo('alpha', share(9_900n))]
    const { suppliers } = market({ routes })
    const options = [...OPTIONS, sampleOption({ code: 'N50', denomination: 50n * RINGGIT })]
    const settings = { maxPercent: 20, sales: new Map([[salesKey('STANDARD', 'NOVA'), sales]]) }
    const before = { ...market(), suppliers }
    const after = { ...market({ options }), suppliers }
    expect(compareMarkets(before, after, settings)).toMatchObject({
      findings: [{ kind: 'below_cost', sample: 'N50', before: null }],
      loss: 5n * RINGGIT,
    })
  })

  it('a level that never had a price taken away is compared as well', () => {
    const bare = market({ price: null })
    const levels = new Map([['STANDARD', { code: 'STANDARD', name: 'Standard', prices: new Map() }]])
    const settings = { maxPercent: 20, sales: new Map() }
    const { findings } = compareMarkets(
      { ...bare, levels },
      market({ price: percentage(50_000_000n) }),
      settings,
    )
    expect(findings).toMatchObject([{ kind: 'price_moved', before: '30.00' }])
  })
})

it('a price is found on an unchanged base, with the sales of its own level alone', () => {
  const base = market()
  const moved = { ...base, levels: market({ price: percentage(10_000n) }).levels }
  const sold = new Map([[salesKey('OTHER', 'NOVA'), { payments: 1n, faceValue: 1_000n * RINGGIT }]])
  const settings = { maxPercent: 20, sales: sold }
  const found = { findings: [{ kind: 'price_moved' }], loss: 0n }
  expect(compareMarkets(base, moved, settings)).toMatchObject(found)
  expect(compareMarkets({ ...base, levels: new Map() }, moved, settings)).toMatchObject(found)
  expect(compareMarkets(base, base, settings).findings).toEqual([])
})

it('a unit price that halves is found, though options, prices and routes stay as they are', () => {
  const before = market()
  const products = [sampleProduct({ denominationUnitPrice: 50_000_000n })]
  const after = { ...before, base: { ...before.base, products } }
  const { findings } = compareMarkets(before, after, { maxPercent: 20, sales: new Map() })
  expect(findings).toMatchObject([{ kind: 'price_moved', before: '29.55', after: '14.775' }])
})
