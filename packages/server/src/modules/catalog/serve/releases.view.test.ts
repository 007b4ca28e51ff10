import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { accountViews, bases, levels } from '../../../testing/catalog/catalog-samples.ts'
import { compileLevel, compileSnapshot } from '../model/compile.rules.ts'
import { listProducts } from '../model/visibility.rules.ts'
import { optionItem, optionsView } from './options.view.ts'
import { catalogFor, optionsFor } from './releases.view.ts'
import type { CatalogWire, OptionItemWire } from './schemas.ts'
import { catalogView } from './view.ts'

// Tests of what each form buys are in releases.view.property.test.ts.

const snapshots = fc
  .tuple(bases, levels, accountViews)
  .map(([base, level, view]) => compileSnapshot(compileLevel(base, level, { base: '1', level: '1' }), view))
const catalogs = snapshots.map((snapshot) => ({
  products: snapshot.products,
  newest: catalogView(snapshot, listProducts(snapshot, { isActive: true, includeInactive: true })),
}))
const pages = snapshots.map((snapshot) =>
  [...snapshot.products.values()].flatMap((product) =>
    product.product.fields.map((field) => {
      const items = product.options(field.id).map((each) => optionItem(product, field, each))
      const { code: productCode } = product.product
      const page = { productCode, fieldId: field.id, page: 1, perPage: 100, total: items.length }
      return { product, newest: optionsView({ ...page, items }) }
    }),
  ),
)

/** Removes exactly the differences that the contract names, so that both forms can be compared. */
function withoutDatedParts(catalog: CatalogWire) {
  return {
    ...catalog,
    products: Object.entries(catalog.products).map(([code, product]) => {
      const { amount, extras = {}, ...fulfillment } = product.fulfillment
      const { path, ...mapping } = amount
      const { subproduct_code: _, ...others } = extras
      const isFromOption = path === 'denomination' || path === 'price.amount'
      return [code, { ...product, fulfillment, mapping, path: isFromOption ? 'dated' : path, others }]
    }),
  }
}

describe('the catalogue before 2026-09-16', () => {
  it('differs in the mapping of the amount and of the plan code alone, and has no empty extras', () => {
    fc.assert(
      fc.property(catalogs, ({ newest, products }) => {
        const before = structuredClone(newest)
        const older = catalogFor('2024-01-01', newest, products)
        expect(newest).toEqual(before)
        expect(withoutDatedParts(older)).toEqual(withoutDatedParts(newest))
        expect(catalogFor('2024-01-01', older, products)).toEqual(older)
        for (const { fulfillment } of Object.values(older.products))
          expect(fulfillment.extras).not.toEqual({})
      }),
      { numRuns: 100 },
    )
  })
})

describe('options before 2026-09-16', () => {
  it('differ in the denomination alone, which all items of a page carry or none', () => {
    fc.assert(
      fc.property(pages, (all) => {
        for (const { product, newest } of all) {
          const before = structuredClone(newest)
          const older = optionsFor('2024-01-01', newest, product)
          expect(newest).toEqual(before)
          const stripped = { ...newest, items: newest.items.map((item) => without(item)) }
          expect([newest, stripped]).toContainEqual(older)
          expect(optionsFor('2024-01-01', older, product)).toEqual(older)
        }
      }),
      { numRuns: 100 },
    )
  })
})

function without(item: OptionItemWire) {
  const copy = { ...item }
  delete copy.denomination
  return copy
}

it('the newest release is the newest form itself', () => {
  fc.assert(
    fc.property(catalogs, pages, ({ newest, products }, [page]) => {
      expect(catalogFor('2026-09-16', newest, products)).toBe(newest)
      if (page !== undefined) expect(optionsFor('2026-09-16', page.newest, page.product)).toBe(page.newest)
    }),
    { numRuns: 20 },
  )
})
