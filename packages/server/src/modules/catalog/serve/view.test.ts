import { describe, expect, it } from 'vitest'
import { RATE_ONE } from '../../../lib/rates.ts'
import {
  moneyField,
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
  textField,
} from '../../../testing/catalog/catalog-samples.ts'
import { compileLevel, compileSnapshot } from '../model/compile.rules.ts'
import type { AccountView, BaseCatalog, PriceLevel } from '../model/types.ts'
import { listProducts } from '../model/visibility.rules.ts'
import { catalogView, productView } from './view.ts'

function compile(base: BaseCatalog, level: PriceLevel, change: Partial<AccountView> = {}) {
  return compileSnapshot(compileLevel(base, level, { base: '1', level: '1' }), sampleView(change))
}

function viewOf(base: BaseCatalog, level: PriceLevel, change: Partial<AccountView> = {}) {
  const snapshot = compile(base, level, change)
  return catalogView(snapshot, listProducts(snapshot, { isActive: true, includeInactive: true }))
}

describe('the catalogue on the wire', () => {
  it('is the contract to the letter', () => {
    const base = sampleBase({
      products: [
        sampleProduct({
          code: 'NOVAD',
          kind: 'mobile_data',
          name: 'Nova Data',
          note: 'Plans',
          fields: [
            selectField({
              id: 'plan',
              order: 2,
              dataSource: {
                type: 'dynamic',
                dependsOn: ['phone'],
                params: {
                  product_code: { static: 'NOVAD' },
                  account_number: { fromField: 'phone' },
                },
              },
            }),
            textField(),
          ],
          fulfillment: {
            account: { fromField: 'phone' },
            amount: { fromField: 'plan', path: 'denomination' },
            extras: { subproduct_code: { fromField: 'plan', path: 'code', omitIfEmpty: true } },
          },
        }),
      ],
      listed: [],
    })
    const overlay = sampleOverlay({
      updatedAt: new Date('2026-02-03T04:05:06.789Z'),
      products: [
        overlayProduct({
          code: 'NOVAD',
          displayName: 'My data',
          adjustment: { type: 'percentage', value: 105_000_000n },
        }),
      ],
    })
    expect(viewOf(base, sampleLevel({ NOVAD: PERCENTAGE }), { overlay })).toEqual({
      last_updated: '2026-02-03T04:05:06.789Z',
      tree: {
        groups: [
          {
            id: 'MOBILE',
            name: 'Mobile',
            icon_url: 'https://img.example/mobile.svg',
            categories: [{ id: 'PREPAID', name: 'Prepaid', product_codes: ['NOVAD'] }],
          },
        ],
      },
      products: {
        NOVAD: {
          code: 'NOVAD',
          name: 'My data',
          note: 'Plans',
          image_url: 'https://img.example/nova.png',
          processing_time: 'instant',
          is_active: true,
          denomination: '5,10,30',
          denomination_currency: null,
          denomination_unit_price: 1,
          fields: [
            {
              id: 'phone',
              type: 'text',
              input_mode: 'tel',
              label: 'Phone number',
              placeholder: '0123456789',
              required: true,
              order: 1,
              role: 'account',
              validation: { pattern: '^6?01\\d{8,9}$', message: 'Enter a phone number' },
            },
            {
              id: 'plan',
              type: 'select',
              input_mode: 'text',
              label: 'Amount',
              placeholder: 'Choose',
              required: true,
              order: 2,
              role: 'pricing',
              validation: {},
              data_source: {
                type: 'dynamic',
                depends_on: ['phone'],
                endpoint: '/options',
                params: {
                  product_code: { static: 'NOVAD' },
                  account_number: { from_field: 'phone' },
                },
              },
            },
          ],
          fulfillment: {
            account: { from_field: 'phone' },
            amount: { from_field: 'plan', path: 'denomination' },
            extras: { subproduct_code: { from_field: 'plan', path: 'code', omit_if_empty: true } },
          },
          pricing: {
            unit_price: '0.985',
            currency: 'MYR',
            discount: { type: 'percentage', value: '1.5%' },
            price_adjustment: { type: 'percentage', value: 1.05 },
            has_loss_risk: false,
          },
          min_amount: null,
          max_amount: null,
          is_refundable: false,
        },
      },
    })
  })

  it('is an empty map and an empty tree when nothing matches', () => {
    const snapshot = compile(sampleBase(), sampleLevel())
    expect(catalogView(snapshot, [])).toMatchObject({ tree: { groups: [] }, products: {} })
  })

  it('shows groups, categories and products each in their order, then by code', () => {
    const at = (code: string, displayOrder: number) => ({ code, displayOrder })
    const base = sampleBase({
      groups: [sampleGroup(at('G2', 1)), sampleGroup(at('G1', 1)), sampleGroup(at('G0', 2))],
      categories: [
        sampleCategory({ ...at('B', 1), groupCode: 'G1' }),
        sampleCategory({ ...at('A', 1), groupCode: 'G1' }),
        sampleCategory({ ...at('C', 0), groupCode: 'G0' }),
        sampleCategory({ ...at('D', 0), groupCode: 'G2' }),
      ],
      products: [
        sampleProduct({ ...at('P3', 1), categoryCode: 'A' }),
        sampleProduct({ ...at('P10', 1), categoryCode: 'A' }),
        sampleProduct({ ...at('P1', 0), categoryCode: 'B' }),
        sampleProduct({ ...at('P2', 5), categoryCode: 'C' }),
        sampleProduct({ ...at('P0', 9), categoryCode: 'A' }),
      ],
      listed: [],
    })
    const prices = Object.fromEntries(base.products.map(({ code }) => [code, PERCENTAGE]))
    const { tree } = viewOf(base, sampleLevel(prices))
    expect(
      tree.groups.map(({ id, categories }) => [id, categories.map((each) => [each.id, each.product_codes])]),
    ).toEqual([
      [
        'G1',
        [
          ['A', ['P10', 'P3', 'P0']],
          ['B', ['P1']],
        ],
      ],
      ['G0', [['C', ['P2']]]],
    ])
  })
})

describe('a product on the wire', () => {
  const product = (base: BaseCatalog, level: PriceLevel, overlay = sampleOverlay()) => {
    const [each] = compile(base, level, { overlay }).products.values()
    if (each === undefined) throw new Error('the base has a product')
    return productView(each)
  }

  it('a money field has a currency, and no path leads into it', () => {
    const { currency: _, ...field } = moneyField()
    const shown = product(
      sampleBase({ products: [moneyProduct({ fields: [field] })] }),
      sampleLevel({ KITA: PERCENTAGE }),
    )
    expect(shown.fields[0]).toMatchObject({ currency: 'MYR', validation: { min: 5, max: 500 } })
    expect(shown.fulfillment).toEqual({ account: { from_field: 'phone' }, amount: { from_field: 'amount' } })
  })

  it('a product without an account field says that no field gives the account', () => {
    const pin = sampleProduct({
      fields: [selectField()],
      fulfillment: { amount: { fromField: 'amount', path: 'denomination' } },
    })
    const shown = product(sampleBase({ products: [pin] }), sampleLevel())
    expect(shown.fulfillment).toEqual({
      account: { from_field: null },
      amount: { from_field: 'amount', path: 'denomination' },
    })
    expect(shown.fields[0]?.data_source).toEqual({
      type: 'reference',
      endpoint: '/options',
      params: { product_code: { static: 'NOVA' } },
    })
  })

  it('a fixed discount and a fixed adjustment carry their currency, and limits the unit that is paid in', () => {
    const gems = sampleProduct({ denominationCurrency: 'GEMS', denominationUnitPrice: 7_850_000n })
    const level = sampleLevel({
      NOVA: { discountType: 'fixed', unitPrice: -RATE_ONE / 2n, currency: 'GEMS' },
    })
    const overlay = sampleOverlay({
      products: [
        overlayProduct({
          adjustment: { type: 'fixed', value: -25_000n },
          minAmount: 60n * RINGGIT,
          maxAmount: 12_345_678n,
        }),
      ],
    })
    const listed = [sampleOption({ denomination: 60n * RINGGIT })]
    expect(product(sampleBase({ products: [gems], listed }), level, overlay)).toMatchObject({
      denomination_currency: 'GEMS',
      denomination_unit_price: 0.0785,
      pricing: {
        unit_price: '-0.5',
        currency: 'GEMS',
        discount: { type: 'fixed', value: 'MYR 0.50' },
        price_adjustment: { type: 'fixed', value: -2.5, currency: 'MYR' },
        has_loss_risk: true,
      },
      min_amount: { amount: '60.00', currency: 'GEMS' },
      max_amount: { amount: '1234.5678', currency: 'GEMS' },
    })
  })

  it('one without a price is never shown', () => {
    expect(() => product(sampleBase(), sampleLevel({}))).toThrow()
  })
})
