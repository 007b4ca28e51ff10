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
import type { Option, Product } from '../model/types.ts'
import { dynamicOptionItem, optionItem, optionsView } from './options.view.ts'

const dynamic = {
  code: 'K',
  label: 'Conventional loan',
  description: null,
  accountNumber: '0123456789',
  denomination: null,
  validity: null,
  features: null,
}

function compile(change: Partial<Product>, listed: readonly Option[] = []) {
  const base = sampleBase({ products: [sampleProduct(change)], listed })
  const overlay = sampleOverlay({
    products: [overlayProduct({ adjustment: { type: 'fixed', value: 5_000n } })],
  })
  const level = compileLevel(base, sampleLevel({ NOVA: PERCENTAGE }), { base: '1', level: '1' })
  const product = compileSnapshot(level, sampleView({ overlay })).products.get('NOVA')
  if (product === undefined) throw new Error('the base has a product')
  return product
}

function itemOf(change: Partial<Product>, option: Option) {
  const product = compile(change, [option])
  const field = product.product.fields.find((each) => each.id === option.fieldId)
  const [each] = product.options(option.fieldId)
  if (field === undefined || each === undefined) throw new Error('the product has that option')
  return optionItem(product, field, each)
}

describe('an option on the wire', () => {
  it('an option on the wire of a pricing field has its denomination as a number and its money', () => {
    expect(itemOf({}, sampleOption({ denomination: 105_000n }))).toEqual({
      code: 'N10',
      label: 'RM 10',
      denomination: 10.5,
      price: { amount: '11.00', currency: 'MYR' },
      cost: { amount: '10.3425', currency: 'MYR' },
      rrp: { amount: '10.50', currency: 'MYR' },
      has_loss_risk: false,
    })
  })

  it('an option on the wire of a mobile data plan shows validity, features and description, and the validity no longer in its label', () => {
    const plan = sampleOption({
      label: 'Nova 10 GB 30 Days',
      validity: '30 Days',
      features: ['10 GB', 'Hotspot'],
      description: 'All hours',
    })
    expect(itemOf({ kind: 'mobile_data' }, plan)).toMatchObject({
      label: 'Nova 10 GB',
      validity: '30 Days',
      features: ['10 GB', 'Hotspot'],
      description: 'All hours',
    })
  })

  it('an option on the wire of a biller has limits, and neither a denomination nor money', () => {
    const fields = [selectField(), selectField({ id: 'biller', role: 'none' })]
    const biller = sampleOption({
      fieldId: 'biller',
      code: '1234:A',
      label: 'Water',
      denomination: 10n * RINGGIT,
      rrp: 10n * RINGGIT,
      minAmount: RINGGIT,
      maxAmount: 1_000n * RINGGIT,
    })
    expect(itemOf({ fields }, biller)).toEqual({
      code: '1234:A',
      label: 'Water',
      min_amount: { amount: '1.00', currency: 'MYR' },
      max_amount: { amount: '1000.00', currency: 'MYR' },
    })
  })
})

it.each([
  ['mobile_data', true],
  ['esim', true],
  ['voucher', false],
  ['reload', false],
] as const)('an option on the wire of %s shows validity and features: %s', (kind, isShown) => {
  const option = sampleOption({ validity: '30 Days', features: ['10 GB'] })
  const product = compile({ kind }, [option])
  const [each] = product.options('amount')
  const item = each && optionItem(product, selectField(), each)
  expect([item?.validity, item?.features]).toEqual(isShown ? ['30 Days', ['10 GB']] : [undefined, undefined])
})

it('a biller that needs a second reference says so, and the others say nothing', () => {
  const field = selectField({ id: 'biller', role: 'none' })
  for (const requiresRef2 of [true, false]) {
    const product = compile({ fields: [field] }, [sampleOption({ fieldId: 'biller', requiresRef2 })])
    const [each] = product.options('biller')
    expect(each && optionItem(product, field, each).ref2_required).toBe(requiresRef2 ? true : undefined)
  }
})

describe('an option from a provider on the wire', () => {
  it('has the account to pay', () => {
    const field = selectField({ role: 'account' })
    expect(dynamicOptionItem(compile({ fields: [field] }), field, dynamic)).toEqual({
      code: 'K',
      label: 'Conventional loan',
      account_number: '0123456789',
    })
  })

  it('is priced like one of ours', () => {
    const plan = { ...dynamic, accountNumber: null, denomination: 10n * RINGGIT, validity: '7 Days' }
    expect(dynamicOptionItem(compile({ kind: 'mobile_data' }), selectField(), plan)).toEqual({
      code: 'K',
      label: 'Conventional loan',
      denomination: 10,
      validity: '7 Days',
      price: { amount: '10.50', currency: 'MYR' },
      cost: { amount: '9.85', currency: 'MYR' },
      rrp: { amount: '10.00', currency: 'MYR' },
      has_loss_risk: false,
    })
  })
})

it.each([
  [0, 1],
  [1, 1],
  [100, 1],
  [101, 2],
  [21_500, 215],
])('%i options in pages of 100 have %i pages', (total, lastPage) => {
  const page = { productCode: 'NOVA', fieldId: 'amount', items: [], page: 7, perPage: 100, total }
  expect(optionsView(page)).toEqual({
    product_code: 'NOVA',
    field_id: 'amount',
    items: [],
    meta: { current_page: 7, last_page: lastPage, per_page: 100, total },
  })
})
