import { describe, expect, it } from 'vitest'
import { RATE_ONE } from '../../../lib/rates.ts'
import {
  moneyProduct,
  overlayProduct,
  PERCENTAGE,
  RINGGIT,
  sampleBase,
  sampleCategory,
  sampleGroup,
  sampleLevel,
  sampleOption,
  sampleOverlay,
  sampleProduct,
  sampleView,
  selectField,
} from '../../../testing/catalog/catalog-samples.ts'
import { compileLevel, compileSnapshot } from './compile.rules.ts'
import type { AccountView, BaseCatalog, Overlay, PriceLevel } from './types.ts'

const VERSIONS = { base: '7', level: '3' }
const biller = selectField({ id: 'biller', role: 'none' })

const base = sampleBase({
  products: [sampleProduct({ fields: [...sampleProduct().fields, biller] }), moneyProduct()],
  listed: [
    sampleOption({ code: 'N5', denomination: 5n * RINGGIT, displayOrder: 1 }),
    sampleOption({ code: 'N10', displayOrder: 2 }),
    sampleOption({ fieldId: 'biller', code: 'B1', denomination: null }),
    sampleOption({ fieldId: 'biller', code: 'B2', denomination: null }),
  ],
})
const level = sampleLevel({ NOVA: PERCENTAGE, KITA: PERCENTAGE })

function compile(overlay: Partial<Overlay>, change: Partial<AccountView> = {}, from = base, at = level) {
  return compileSnapshot(
    compileLevel(from, at, VERSIONS),
    sampleView({ overlay: sampleOverlay(overlay), ...change }),
  )
}

function product(snapshot: ReturnType<typeof compile>, code: string) {
  const found = snapshot.products.get(code)
  if (found === undefined) throw new Error(`no ${code}`)
  return found
}

describe('sharing', () => {
  it('accounts without anything of their own share every product, group and category of their level', () => {
    const shared = compileLevel(base, level, VERSIONS)
    const [one, two] = [compileSnapshot(shared, sampleView()), compileSnapshot(shared, sampleView())]
    expect(one.products).toBe(two.products)
    expect(one.groups).toBe(two.groups)
    expect(one.categories).toBe(two.categories)
    expect(one.fingerprint).toBe(two.fingerprint)
  })

  it('an adjusted price leaves other products, and lists it does not touch, where they are', () => {
    const shared = compileLevel(base, level, VERSIONS)
    const overlay = sampleOverlay({
      products: [overlayProduct({ adjustment: { type: 'percentage', value: 2n * RATE_ONE } })],
    })
    const mine = compileSnapshot(shared, sampleView({ overlay }))
    expect(mine.products.get('KITA')).toBe(shared.products.get('KITA'))
    expect(product(mine, 'NOVA')).not.toBe(shared.products.get('NOVA'))
    expect(product(mine, 'NOVA').options('biller')).toBe(shared.products.get('NOVA')?.options('biller'))
    expect(product(mine, 'NOVA').options('amount')).not.toBe(shared.products.get('NOVA')?.options('amount'))
  })

  it('one switched-off biller is the only new object in its list', () => {
    const shared = compileLevel(base, level, VERSIONS)
    const off = { productCode: 'NOVA', fieldId: 'biller', code: 'B1', isEnabled: false, rrp: null }
    const mine = compileSnapshot(shared, sampleView({ overlay: sampleOverlay({ options: [off] }) }))
    const [b1, b2] = product(mine, 'NOVA').options('biller')
    expect(b1?.isActive).toBe(false)
    expect(b2).toBe(shared.products.get('NOVA')?.options('biller')[1])
    expect(product(mine, 'NOVA').options('amount')).toBe(shared.products.get('NOVA')?.options('amount'))
  })

  it('lists that do not price are the same objects at every level and in a base that kept them', () => {
    const other = sampleLevel({ NOVA: { ...PERCENTAGE, unitPrice: 90_000_000n } })
    const renamed: BaseCatalog = { ...base, groups: [sampleGroup({ name: 'Phones' })] }
    const billers = [
      compileLevel(base, level, VERSIONS),
      compileLevel(base, other, VERSIONS),
      compileLevel(renamed, level, VERSIONS),
    ].map((each) => each.products.get('NOVA')?.options('biller'))
    expect(billers[1]).toBe(billers[0])
    expect(billers[2]).toBe(billers[0])
  })

  it('an overlay without effect makes no new objects', () => {
    const shared = compileLevel(base, level, VERSIONS)
    const of = { productCode: 'NOVA', isEnabled: true, rrp: RINGGIT }
    const overlay = sampleOverlay({
      products: [overlayProduct(), overlayProduct({ code: 'GONE', isEnabled: false })],
      options: [
        { ...of, fieldId: 'biller', code: 'B1' },
        { ...of, fieldId: 'amount', code: 'GONE' },
        { ...of, fieldId: 'gone', code: 'N10' },
      ],
    })
    expect(compileSnapshot(shared, sampleView({ overlay })).products).toBe(shared.products)
  })

  it('a list is made once', () => {
    const nova = compileLevel(base, level, VERSIONS).products.get('NOVA')
    expect(nova?.options('amount')).toBe(nova?.options('amount'))
    expect(nova?.options('amount')).toHaveLength(2)
  })
})

describe('the fingerprint', () => {
  const of = (view: Partial<AccountView>, from = base, at: PriceLevel = level, versions = VERSIONS) =>
    compileSnapshot(compileLevel(from, at, versions), sampleView(view)).fingerprint
  const plain = of({})

  it.each([
    ['another base', of({}, base, level, { base: '8', level: '3' })],
    ['another version of the level', of({}, base, level, { base: '7', level: '4' })],
    ['another level', of({ levelCode: 'GOLD' }, base, { ...level, code: 'GOLD' })],
    ['a denied product', of({ deniedProducts: new Set(['NOVA']) })],
    ['a later overlay', of({ overlay: sampleOverlay({ updatedAt: new Date('2027-01-01T00:00:00Z') }) })],
    ['an entry', of({ overlay: sampleOverlay({ products: [overlayProduct({ displayName: 'N' })] }) })],
  ])('%s changes it', (_, other) => expect(other).not.toBe(plain))

  it('every single thing an overlay can say changes it', () => {
    const labels = { code: 'X', isOwn: true, name: null, iconUrl: null, displayOrder: null }
    const place = { ...labels, groupCode: null }
    const option = { productCode: 'NOVA', fieldId: 'amount', code: 'N10', isEnabled: true, rrp: null }
    const said: Partial<Overlay>[] = [
      { groups: [{ ...labels, isOwn: true }] },
      { groups: [{ ...labels, name: 'A' }] },
      { groups: [{ ...labels, name: 'B' }] },
      { groups: [{ ...labels, iconUrl: 'A' }] },
      { groups: [{ ...labels, displayOrder: 1 }] },
      { categories: [{ ...place, isOwn: true }] },
      { categories: [{ ...place, name: 'A' }] },
      { categories: [{ ...place, iconUrl: 'A' }] },
      { categories: [{ ...place, displayOrder: 1 }] },
      { categories: [{ ...place, groupCode: 'A' }] },
      { products: [overlayProduct({ isEnabled: false })] },
      { products: [overlayProduct({ categoryCode: 'A' })] },
      { products: [overlayProduct({ displayName: 'A' })] },
      { products: [overlayProduct({ imageUrl: 'A' })] },
      { products: [overlayProduct({ displayOrder: 1 })] },
      { products: [overlayProduct({ adjustment: { type: 'fixed', value: 1n } })] },
      { products: [overlayProduct({ adjustment: { type: 'fixed', value: 2n } })] },
      { products: [overlayProduct({ adjustment: { type: 'percentage', value: 1n } })] },
      { products: [overlayProduct({ minAmount: 1n })] },
      { products: [overlayProduct({ maxAmount: 1n })] },
      { products: [overlayProduct({ code: 'KITA', maxAmount: 1n })] },
      { options: [{ ...option, isEnabled: false }] },
      { options: [{ ...option, rrp: 1n }] },
      { options: [{ ...option, code: 'N5', rrp: 1n }] },
      { options: [{ ...option, fieldId: 'biller', rrp: 1n }] },
      { options: [{ ...option, productCode: 'KITA', rrp: 1n }] },
    ]
    const prints = said.map((overlay) => of({ overlay: sampleOverlay(overlay) }))
    expect(new Set([plain, ...prints]).size).toBe(said.length + 1)
  })

  it('an overlay or permission without effect does not change it', () => {
    expect(of({ overlay: sampleOverlay() })).toBe(plain)
    expect(of({ overlay: sampleOverlay({ products: [overlayProduct()] }) })).toBe(plain)
    expect(of({ allowedProducts: new Set(['NOVA', 'GONE']) })).toBe(plain)
  })

  it('an access to a restricted product does', () => {
    const restricted = sampleBase({ products: [sampleProduct({ isRestricted: true })] })
    expect(of({ allowedProducts: new Set(['NOVA']) }, restricted)).not.toBe(of({}, restricted))
  })
})

describe('permission to buy', () => {
  const restricted = sampleBase({ products: [sampleProduct({ isRestricted: true })] })
  const nova = (view: Partial<AccountView>, from = base, at = level) =>
    product(compile({}, view, from, at), 'NOVA')

  it('everybody may buy at a level with a price', () => {
    expect(nova({})).toMatchObject({ isPurchasable: true, isActive: true })
    const unpriced = nova({}, base, sampleLevel({}))
    expect(unpriced).toMatchObject({ isPurchasable: false, isActive: false, wholesale: null })
    expect(unpriced.options('amount').map((each) => each.money)).toEqual([null, null])
  })

  it('a restricted product only with permission', () => {
    expect(nova({}, restricted).isPurchasable).toBe(false)
    expect(nova({ allowedProducts: new Set(['NOVA']) }, restricted).isPurchasable).toBe(true)
  })

  it('a denied account may not buy, with or without permission', () => {
    expect(nova({ deniedProducts: new Set(['NOVA']) }).isPurchasable).toBe(false)
    const both = { allowedProducts: new Set(['NOVA']), deniedProducts: new Set(['NOVA']) }
    expect(nova(both, restricted).isPurchasable).toBe(false)
  })
})

describe('places', () => {
  const own = {
    groups: [{ code: 'OWN', isOwn: true, name: 'Mine', iconUrl: null, displayOrder: 0 }],
    categories: [
      { code: 'MINE', isOwn: true, groupCode: 'OWN', name: 'My best', iconUrl: null, displayOrder: null },
    ],
    products: [overlayProduct({ categoryCode: 'MINE' })],
  }

  it('a product moves to a category of the own group, and the base stays where it is', () => {
    const snapshot = compile(own)
    expect(product(snapshot, 'NOVA').categoryCode).toBe('MINE')
    expect(product(snapshot, 'KITA').categoryCode).toBe('PREPAID')
    expect(snapshot.groups.map((group) => group.name)).toEqual(['Mine', 'Mobile'])
  })

  it.each([
    ['a category that is gone', { ...own, categories: [] }],
    ['a category whose group is gone', { ...own, groups: [] }],
    [
      'a category that says it is not its own',
      { ...own, categories: own.categories.map((each) => ({ ...each, isOwn: false })) },
    ],
  ])('a move to %s is no move', (_, overlay) => {
    expect(product(compile(overlay), 'NOVA').categoryCode).toBe('PREPAID')
  })

  it('a move to a category that was switched off is no move, and the product is still sold', () => {
    const closed = {
      ...base,
      categories: [sampleCategory(), sampleCategory({ code: 'OLD', isActive: false })],
    }
    const moved = product(
      compile({ products: [overlayProduct({ categoryCode: 'OLD' })] }, {}, closed),
      'NOVA',
    )
    expect(moved).toMatchObject({ categoryCode: 'PREPAID', isActive: true })
  })

  it.each([
    ['its category', { categories: [sampleCategory({ isActive: false })] }],
    ['its group', { groups: [sampleGroup({ isActive: false })] }],
  ])(
    'a product under a %s that is off in the base is off for everybody, wherever it was moved',
    (_, change) => {
      expect(product(compile(own, {}, { ...base, ...change }), 'NOVA')).toMatchObject({
        isOffered: false,
        isActive: false,
      })
    },
  )
})

describe('the overlay', () => {
  it('renames, reorders, limits and switches off', () => {
    const nova = product(
      compile({
        products: [
          overlayProduct({
            displayName: 'My Nova',
            imageUrl: 'https://img.example/mine.png',
            displayOrder: 9,
            isEnabled: false,
            minAmount: 6n * RINGGIT,
          }),
        ],
      }),
      'NOVA',
    )
    expect(nova).toMatchObject({
      name: 'My Nova',
      imageUrl: 'https://img.example/mine.png',
      displayOrder: 9,
      isPurchasable: true,
      isOffered: true,
      isActive: false,
      minAmount: 6n * RINGGIT,
    })
  })

  it("an option's own retail price beats the base's, which beats the adjustment", () => {
    const priced = sampleBase({
      listed: [
        sampleOption({ code: 'A', rrp: 12n * RINGGIT }),
        sampleOption({ code: 'B', rrp: 12n * RINGGIT }),
        sampleOption({ code: 'C' }),
      ],
    })
    const snapshot = compile(
      {
        products: [overlayProduct({ adjustment: { type: 'fixed', value: RINGGIT } })],
        options: [{ productCode: 'NOVA', fieldId: 'amount', code: 'A', isEnabled: true, rrp: 13n * RINGGIT }],
      },
      {},
      priced,
    )
    const prices = product(snapshot, 'NOVA')
      .options('amount')
      .map((each) => each.money?.price)
    expect(prices).toEqual([13n * RINGGIT, 12n * RINGGIT, 11n * RINGGIT])
  })

  it('a loss on an option that is switched off is no risk of the product', () => {
    const loss = { productCode: 'NOVA', fieldId: 'amount', code: 'N10', isEnabled: true, rrp: RINGGIT }
    expect(product(compile({ options: [loss] }), 'NOVA').hasLossRisk).toBe(true)
    expect(product(compile({ options: [{ ...loss, isEnabled: false }] }), 'NOVA').hasLossRisk).toBe(false)
  })

  it('a reseller narrows its way out of a loss', () => {
    const adjustment = { type: 'fixed', value: -1_000n } as const
    const at = (minAmount: bigint | null) =>
      product(compile({ products: [overlayProduct({ code: 'KITA', adjustment, minAmount })] }), 'KITA')
    expect(at(null).hasLossRisk).toBe(true)
    expect(at(10n * RINGGIT).hasLossRisk).toBe(false)
  })

  it('last_updated is the later of base and overlay', () => {
    const later = new Date('2026-06-01T00:00:00Z')
    expect(compile({}).lastUpdated).toEqual(base.updatedAt)
    expect(compile({ updatedAt: later }).lastUpdated).toEqual(later)
    expect(compile({ updatedAt: new Date('2020-01-01T00:00:00Z') }).lastUpdated).toEqual(base.updatedAt)
  })
})

it('an account is never compiled from a level that is not its own', () => {
  expect(() => compile({}, { levelCode: 'GOLD' })).toThrow()
})
