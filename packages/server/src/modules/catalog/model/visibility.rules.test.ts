import { describe, expect, it } from 'vitest'
import {
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
} from '../../../testing/catalog/catalog-samples.ts'
import { compileLevel, compileSnapshot } from './compile.rules.ts'
import type { CatalogFilter } from './visibility.rules.ts'
import { findResolvable, listOptions, listPricedOptions, listProducts, treeOf } from './visibility.rules.ts'

const product = (code: string, change: Parameters<typeof sampleProduct>[0] = {}) =>
  sampleProduct({ code, ...change })

const base = sampleBase({
  groups: [sampleGroup(), sampleGroup({ code: 'CLOSED', isActive: false }), sampleGroup({ code: 'EMPTY' })],
  categories: [
    sampleCategory(),
    sampleCategory({ code: 'OLD', isActive: false }),
    sampleCategory({ code: 'SHUT', groupCode: 'CLOSED' }),
    sampleCategory({ code: 'BARE' }),
    sampleCategory({ code: 'ALONE', groupCode: 'EMPTY' }),
  ],
  products: [
    product('SOLD', { displayOrder: 2 }),
    product('FIRST', { displayOrder: 1 }),
    product('OFF', { categoryCode: 'ALONE' }),
    product('OLDONE', { isActive: false }),
    product('INOLD', { categoryCode: 'OLD' }),
    product('INSHUT', { categoryCode: 'SHUT' }),
    product('UNPRICED'),
    product('FOREIGN', { isRestricted: true }),
    product('DENIED'),
    product('HIDDEN', { isHidden: true }),
    product('FD', { isHidden: true, isRestricted: true }),
  ],
  listed: ['A', 'B', 'C'].map((code) => sampleOption({ productCode: 'SOLD', code, isActive: code !== 'C' })),
})
const prices = base.products.filter(({ code }) => code !== 'UNPRICED').map(({ code }) => [code, PERCENTAGE])
const level = compileLevel(base, sampleLevel(Object.fromEntries(prices)), { base: '1', level: '1' })
const snapshot = compileSnapshot(
  level,
  sampleView({
    allowedProducts: new Set(['FD']),
    deniedProducts: new Set(['DENIED']),
    overlay: sampleOverlay({
      products: [overlayProduct({ code: 'OFF', isEnabled: false })],
      options: [{ productCode: 'SOLD', fieldId: 'amount', code: 'B', isEnabled: false, rrp: null }],
    }),
  }),
)
const stranger = compileSnapshot(level, sampleView())

describe('the catalogue lists', () => {
  const list = (filter: Partial<CatalogFilter>, of = snapshot) =>
    listProducts(of, { isActive: true, includeInactive: false, ...filter }).map((each) => each.product.code)

  it('the catalogue lists the products that the account sells, in display order, and the hidden FD for accounts with access', () =>
    expect(list({})).toEqual(['FD', 'FIRST', 'SOLD']))

  it('only what the account switched off, when asked for inactive ones', () =>
    expect(list({ isActive: false })).toEqual(['OFF']))

  it.each([true, false])('both when asked for both, whatever is_active says (%s)', (isActive) =>
    expect(list({ isActive, includeInactive: true })).toEqual(['FD', 'FIRST', 'OFF', 'SOLD']),
  )

  it('no FD to those without access', () =>
    expect(list({}, stranger)).toEqual(['DENIED', 'FIRST', 'OFF', 'SOLD']))

  it.each(['OLDONE', 'INOLD', 'INSHUT', 'UNPRICED', 'FOREIGN', 'DENIED', 'HIDDEN', 'GONE'])(
    '%s under no filter',
    (productCode) => {
      for (const isActive of [true, false]) {
        for (const includeInactive of [true, false]) {
          expect(list({ productCode, isActive, includeInactive })).toEqual([])
        }
      }
    },
  )

  it('one product by its code, where the filter lets it through', () => {
    expect(list({ productCode: 'SOLD' })).toEqual(['SOLD'])
    expect(list({ productCode: 'OFF' })).toEqual([])
    expect(list({ productCode: 'OFF', isActive: false })).toEqual(['OFF'])
  })
})

describe('options are resolved', () => {
  const resolve = (code: string, filter: { includeHidden?: boolean; includeInactive?: boolean } = {}) =>
    findResolvable(snapshot, code, { includeHidden: false, includeInactive: false, ...filter })?.product.code

  it.each(['SOLD', 'OFF', 'FD'])('options are resolved for %s', (code) => expect(resolve(code)).toBe(code))

  it('options are resolved for a hidden product when asked for hidden ones', () => {
    expect(resolve('HIDDEN')).toBeUndefined()
    expect(resolve('HIDDEN', { includeHidden: true })).toBe('HIDDEN')
  })

  it.each(['OLDONE', 'INOLD', 'INSHUT'])(
    'options are resolved for %s when asked for inactive ones',
    (code) => {
      expect(resolve(code)).toBeUndefined()
      expect(resolve(code, { includeInactive: true })).toBe(code)
    },
  )

  it.each(['UNPRICED', 'FOREIGN', 'DENIED', 'GONE'])('never for %s, which the account may not buy', (code) =>
    expect(resolve(code, { includeHidden: true, includeInactive: true })).toBeUndefined(),
  )
})

describe('the options of a field', () => {
  const [sold] = listProducts(snapshot, { productCode: 'SOLD', isActive: true, includeInactive: false })
  const codes = (isActive?: boolean) =>
    sold === undefined ? [] : listOptions(sold, 'amount', isActive).map((each) => each.option.code)

  it('options on sale are shown', () => expect(codes()).toEqual(['A']))
  it('options that the account switched off are shown when they are asked for', () =>
    expect(codes(false)).toEqual(['B']))
  it('options that a stored adjustment leaves without a price are not offered to customers', () => {
    const adjustment = { type: 'fixed', value: -10n * RINGGIT } as const
    const overlay = sampleOverlay({ products: [overlayProduct({ code: 'SOLD', adjustment })] })
    const rows = ['A', 'B'].map((code, index) =>
      sampleOption({ productCode: 'SOLD', code, denomination: BigInt(10 + index) * RINGGIT }),
    )
    const priced = compileLevel(
      { ...base, options: sampleBase({ listed: rows }).options },
      sampleLevel({ SOLD: PERCENTAGE }),
      { base: '2', level: '2' },
    )
    const found = compileSnapshot(priced, sampleView({ overlay })).products.get('SOLD')
    const codesOf = (list: typeof listOptions) =>
      found === undefined ? [] : list(found, 'amount').map(({ option }) => option.code)
    expect(codesOf(listOptions)).toEqual(['A', 'B'])
    expect(codesOf(listPricedOptions)).toEqual(['B'])
  })
  it('a list that is shown whole is not copied', () => {
    const [first] = listProducts(stranger, { productCode: 'FIRST', isActive: true, includeInactive: false })
    expect(first && listOptions(first, 'amount')).toBe(first?.options('amount'))
  })
})

describe('the tree', () => {
  const tree = (isActive: boolean, productCode?: string) => {
    const filter = { isActive, includeInactive: false, ...(productCode !== undefined && { productCode }) }
    return treeOf(snapshot, listProducts(snapshot, filter)).map(({ group, categories }) => [
      group.code,
      categories.map(({ category, productCodes }) => [category.code, productCodes]),
    ])
  }

  it('has no empty group and no empty category', () =>
    expect(tree(true)).toEqual([['MOBILE', [['PREPAID', ['FD', 'FIRST', 'SOLD']]]]]))
  it('has the place of what is listed and nothing else', () =>
    expect(tree(false)).toEqual([['EMPTY', [['ALONE', ['OFF']]]]]))
  it('is empty when nothing matches', () => expect(tree(true, 'GONE')).toEqual([]))
})
