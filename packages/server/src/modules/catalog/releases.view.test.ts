import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { accountViews, bases, levels } from '../../testing/catalog-samples.ts'
import { compileLevel, compileSnapshot } from './compile.rules.ts'
import { optionItem, optionsView } from './options.view.ts'
import { catalogFor, optionsFor } from './releases.view.ts'
import type { CatalogWire, OptionsWire } from './schemas.ts'
import { catalogView } from './view.ts'
import { listProducts } from './visibility.rules.ts'

const snapshots = fc
  .tuple(bases, levels, accountViews)
  .map(([base, level, view]) => compileSnapshot(compileLevel(base, level, { base: '1', level: '1' }), view))
const catalogs = snapshots.map((snapshot) =>
  catalogView(snapshot, listProducts(snapshot, { isActive: true, includeInactive: true })),
)
const pages = snapshots.map((snapshot) =>
  [...snapshot.products.values()].flatMap((product) =>
    product.product.fields.map((field) => {
      const items = product.options(field.id).map((each) => optionItem(product, field, each))
      const { code: productCode } = product.product
      return optionsView({
        productCode,
        fieldId: field.id,
        items,
        page: 1,
        perPage: 100,
        total: items.length,
      })
    }),
  ),
)

/** The newer catalogue with exactly the differences that the contract names taken out of both. */
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
  it("sends a selected option's price as the amount, and no plan code", () => {
    fc.assert(
      fc.property(catalogs, (newest) => {
        for (const [code, { fulfillment }] of Object.entries(catalogFor('2024-01-01', newest).products)) {
          const isSelect = newest.products[code]?.fulfillment.amount.path === 'denomination'
          expect(fulfillment.amount.path).toBe(isSelect ? 'price.amount' : undefined)
          expect(fulfillment.extras ?? {}).not.toHaveProperty('subproduct_code')
          expect(fulfillment.extras).not.toEqual({})
        }
      }),
      { numRuns: 100 },
    )
  })

  it('is otherwise the same, leaves the newest untouched, and is not changed by being made twice', () => {
    fc.assert(
      fc.property(catalogs, (newest) => {
        const before = structuredClone(newest)
        const older = catalogFor('2024-01-01', newest)
        expect(newest).toEqual(before)
        expect(withoutDatedParts(older)).toEqual(withoutDatedParts(newest))
        expect(catalogFor('2024-01-01', older)).toEqual(older)
      }),
      { numRuns: 100 },
    )
  })

  it('keeps other extras', () => {
    const fulfillment = {
      account: { from_field: 'bill' },
      amount: { from_field: 'plan', path: 'denomination' },
      extras: {
        subproduct_code: { from_field: 'plan', path: 'code' },
        ic_number: { from_field: 'ic', omit_if_empty: true },
      },
    }
    const catalog = { products: { X: { fulfillment } } } as unknown as CatalogWire
    expect(catalogFor('2024-01-01', catalog).products.X?.fulfillment).toEqual({
      account: { from_field: 'bill' },
      amount: { from_field: 'plan', path: 'price.amount' },
      extras: { ic_number: { from_field: 'ic', omit_if_empty: true } },
    })
  })
})

describe('options before 2026-09-16', () => {
  it('carry no denomination, are otherwise the same, and are not changed by being made twice', () => {
    fc.assert(
      fc.property(pages, (newest) => {
        for (const page of newest) {
          const before = structuredClone(page)
          const older = optionsFor('2024-01-01', page)
          expect(page).toEqual(before)
          expect(older).toEqual({ ...page, items: page.items.map((item) => without(item)) })
          expect(optionsFor('2024-01-01', older)).toEqual(older)
        }
      }),
      { numRuns: 100 },
    )
  })
})

function without(item: OptionsWire['items'][number]) {
  const copy = { ...item }
  delete copy.denomination
  return copy
}

it('the newest release is the newest form itself', () => {
  fc.assert(
    fc.property(catalogs, pages, (catalog, [page]) => {
      expect(catalogFor('2026-09-16', catalog)).toBe(catalog)
      if (page !== undefined) expect(optionsFor('2026-09-16', page)).toBe(page)
    }),
    { numRuns: 20 },
  )
})
