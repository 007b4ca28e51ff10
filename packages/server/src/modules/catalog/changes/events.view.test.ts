import { describe, expect, it } from 'vitest'
import {
  overlayProduct,
  PERCENTAGE,
  RINGGIT,
  sampleBase,
  sampleLevel,
  sampleOption,
  sampleOverlay,
  sampleProduct,
  sampleView,
  selectField,
} from '../../../testing/catalog/catalog-samples.ts'
import { compileLevel, compileSnapshot } from '../model/compile.rules.ts'
import type { Overlay, Product } from '../model/types.ts'
import { optionItem } from '../serve/options.view.ts'
import { fieldsView } from '../serve/view.ts'
import {
  categoryEventData,
  groupEventData,
  optionEventData,
  optionEventId,
  productEventData,
} from './events.view.ts'

const biller = selectField({ id: 'biller', role: 'none' })
const listed = [
  sampleOption({ label: 'Nova 10 GB 30 Days', validity: '30 Days' }),
  sampleOption({
    fieldId: 'biller',
    code: 'a:b:c',
    denomination: RINGGIT,
    minAmount: RINGGIT,
    displayOrder: 4,
  }),
]

function compile(
  change: Partial<Product> = {},
  overlay: Partial<Overlay> = {},
  prices = { NOVA: PERCENTAGE },
) {
  const product = sampleProduct({
    kind: 'mobile_data',
    fields: [...sampleProduct().fields, biller],
    ...change,
  })
  const level = compileLevel(sampleBase({ products: [product], listed }), sampleLevel(prices), {
    base: '1',
    level: '1',
  })
  const snapshot = compileSnapshot(level, sampleView({ overlay: sampleOverlay(overlay) }))
  const nova = snapshot.products.get('NOVA')
  if (nova === undefined) throw new Error('the base has a product')
  return { snapshot, nova }
}

describe('the data of a product event', () => {
  it('says of a product without an account field that no field gives the account', () => {
    const amount = { fromField: 'amount', path: 'denomination' }
    const { nova } = compile({ fulfillment: { amount } }, {})
    expect(productEventData(nova, '6010001').fulfillment).toEqual({
      account: { from_field: null },
      amount: { from_field: 'amount', path: 'denomination' },
    })
  })

  it('is the whole effective state', () => {
    const { nova } = compile(
      { isHidden: true },
      {
        products: [
          overlayProduct({
            displayName: 'Mine',
            displayOrder: 9,
            isEnabled: false,
            adjustment: { type: 'fixed', value: 5_000n },
            minAmount: 5n * RINGGIT,
          }),
        ],
      },
    )
    expect(productEventData(nova, '6010001')).toEqual({
      product_code: 'NOVA',
      product_category_code: 'PREPAID',
      name: 'Nova',
      display_name: 'Mine',
      note: null,
      image_url: 'https://img.example/nova.png',
      processing_time: 'instant',
      display_order: 9,
      fields: fieldsView(nova.product),
      fulfillment: {
        account: { from_field: 'phone' },
        amount: { from_field: 'amount', path: 'denomination' },
      },
      is_active: false,
      is_hidden: true,
      options_source_type: 'reference',
      denomination_currency: null,
      denomination_unit_price: 1,
      price_adjustment_type: 'fixed',
      price_adjustment_value: 0.5,
      reseller_code: '6010001',
      unit_price: '0.985',
      currency: 'MYR',
      discount: { type: 'percentage', value: '1.5%' },
      min_amount: { amount: '5.00', currency: 'MYR' },
      max_amount: null,
      is_refundable: false,
    })
  })

  it('a product that the account cannot buy is inactive and without a price', () => {
    const { nova } = compile({}, {}, {} as { NOVA: typeof PERCENTAGE })
    expect(productEventData(nova, '1')).toMatchObject({
      is_active: false,
      unit_price: null,
      currency: null,
      discount: null,
      price_adjustment_type: null,
      price_adjustment_value: null,
    })
  })

  it.each([
    [[selectField({ dataSource: { type: 'dynamic', dependsOn: [], params: {} } }), biller], 'dynamic'],
    [[biller], 'reference'],
    [[], null],
  ])('names the source of its options', (fields, type) => {
    expect(productEventData(compile({ fields }).nova, '1').options_source_type).toBe(type)
  })
})

describe('the data of an option event', () => {
  it('has the values of the options operation', () => {
    const { nova } = compile()
    const [each] = nova.options('amount')
    if (each === undefined) throw new Error('there is an option')
    const { price, cost, rrp, denomination, label } = optionItem(nova, selectField(), each)
    expect(optionEventData(nova, each)).toEqual({
      product_code: 'NOVA',
      field_id: 'amount',
      code: 'N10',
      label,
      description: null,
      display_order: 1,
      is_active: true,
      denomination,
      price,
      cost,
      rrp,
      min_amount: null,
      max_amount: null,
    })
    expect([label, denomination, cost?.amount]).toEqual(['Nova 10 GB', 10, '9.85'])
  })

  it('an option of a field that does not price has no denomination, no money and no limits', () => {
    const { nova } = compile()
    const [each] = nova.options('biller')
    if (each === undefined) throw new Error('there is a biller')
    expect(optionEventData(nova, each)).toMatchObject({
      field_id: 'biller',
      code: 'a:b:c',
      display_order: 4,
      denomination: null,
      price: null,
      cost: null,
      rrp: null,
      min_amount: null,
      max_amount: null,
    })
    expect(optionEventId(each.option)).toBe('NOVA:biller:a:b:c')
  })
})

it('the data of group and category events', () => {
  const { snapshot } = compile()
  expect(snapshot.groups.map(groupEventData)).toEqual([
    {
      product_group_code: 'MOBILE',
      name: 'Mobile',
      icon_url: 'https://img.example/mobile.svg',
      display_order: 1,
      is_active: true,
    },
  ])
  expect(snapshot.categories.map(categoryEventData)).toEqual([
    {
      product_category_code: 'PREPAID',
      product_group_code: 'MOBILE',
      name: 'Prepaid',
      icon_url: 'https://img.example/mobile.svg',
      display_order: 1,
      is_active: true,
    },
  ])
})
