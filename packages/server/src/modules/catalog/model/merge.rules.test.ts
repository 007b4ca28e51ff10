import { expect, it } from 'vitest'
import { isSame } from '../../../lib/input/same.ts'
import { overlayProduct, sampleOverlay } from '../../../testing/catalog/catalog-samples.ts'
import { mergeOverlay, removalOf } from './merge.rules.ts'

it.each([
  [{ a: 1, b: [1n, { c: null }] }, { b: [1n, { c: null }], a: 1 }, true],
  [{ a: 1, b: undefined }, { a: 1 }, true],
  [{ a: null }, {}, false],
  [{ a: 1n }, { a: 1 }, false],
  [['x', 'y'], ['y', 'x'], false],
  [[], {}, false],
  [['x'], ['x', 'y'], false],
  [null, {}, false],
  [new Date(0).getTime(), 0, true],
])('%o and %o are the same: %s', (one, other, expected) => {
  expect(isSame(one, other)).toBe(expected)
  expect(isSame(other, one)).toBe(expected)
})

it('an entry that is both taken away and put in place is put in place', () => {
  const present = sampleOverlay({ products: [overlayProduct({ displayName: 'Old' })] })
  const wanted = overlayProduct({ displayName: 'New' })
  const { overlayProducts } = mergeOverlay(1n, present, {
    products: [wanted],
    removed: { products: ['NOVA'] },
  })
  expect(overlayProducts).toEqual([{ resellerId: 1n, before: present.products[0], after: wanted }])
})

it('taking away what is not there, or putting what is, touches nothing', () => {
  const present = sampleOverlay({ products: [overlayProduct()] })
  const { overlayProducts, overlayGroups } = mergeOverlay(1n, present, {
    products: [overlayProduct()],
    removed: { products: ['GHOST'], groups: ['GHOST'] },
  })
  expect([...overlayProducts, ...overlayGroups]).toEqual([])
})

it('the removal of a customisation takes away each of its entries', () => {
  const option = { productCode: 'NOVA', fieldId: 'amount', code: 'N10', isEnabled: false, rrp: null }
  const present = sampleOverlay({
    groups: [{ code: 'MINE', isOwn: true, name: 'Mine', iconUrl: null, displayOrder: null }],
    products: [overlayProduct()],
    options: [option],
  })
  const touched = mergeOverlay(1n, present, removalOf(present))
  const gone = [...touched.overlayGroups, ...touched.overlayProducts, ...touched.overlayOptions]
  expect(gone.map(({ after }) => after)).toEqual([null, null, null])
})
