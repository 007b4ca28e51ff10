import { describe, expect, it } from 'vitest'
import {
  moneyField,
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
  textField,
} from '../../../testing/catalog/catalog-samples.ts'
import { compileLevel, compileSnapshot } from '../model/compile.rules.ts'
import type { Option, Overlay, Product } from '../model/types.ts'
import {
  billerItem,
  dynamicSubProductItem,
  hasSubProducts,
  productListItems,
  subProductItem,
} from './legacy.view.ts'

function compile(change: Partial<Product>, listed: readonly Option[] = [], overlay: Partial<Overlay> = {}) {
  const base = sampleBase({ products: [sampleProduct(change)], listed })
  const level = compileLevel(base, sampleLevel({ NOVA: PERCENTAGE }), { base: '1', level: '1' })
  const snapshot = compileSnapshot(level, sampleView({ overlay: sampleOverlay(overlay) }))
  const nova = snapshot.products.get('NOVA')
  if (nova === undefined) throw new Error('the base has a product')
  return { snapshot, nova }
}

it('a biller has limits as text, -1 where there is none, and nothing that does not apply', () => {
  const biller = sampleOption({
    fieldId: 'biller',
    code: '5678',
    label: 'Water',
    description: 'Water bills',
    denomination: null,
    minAmount: RINGGIT,
    additionalDescription: ['Bring your bill'],
  })
  expect(billerItem({ option: biller, isActive: true, money: null })).toEqual({
    biller_code: '5678',
    display_name: 'Water',
    denomination: null,
    face_value: null,
    validity: null,
    account_number: null,
    description: 'Water bills',
    additional_description: ['Bring your bill'],
    min: '1.00',
    max: '-1',
    suggested_category: null,
  })
  const bare = { ...biller, additionalDescription: null, suggestedCategory: 'Utilities' }
  expect(billerItem({ option: bare, isActive: true, money: null })).toMatchObject({
    additional_description: [],
    suggested_category: 'Utilities',
  })
})

describe('the product list', () => {
  it('has the old names, and places by their names', () => {
    const { snapshot, nova } = compile({ note: 'Any phone', isRefundable: true })
    expect(productListItems(snapshot, [nova])).toEqual([
      {
        status: 'Active',
        has_subproduct: false,
        product_code: 'NOVA',
        product_name: 'Nova',
        product_remarks: 'Any phone',
        account_label: 'Phone number',
        keyboard_type: 'numeric',
        denomination: '5,10,30',
        common_denominations: '5,10',
        denomination_data_type: 'Integer',
        denomination_currency: 'MYR',
        denomination_unit_price: 1,
        product_group: 'Mobile',
        category: 'Prepaid',
        image_url: 'https://img.example/nova.png',
        account_type: 'phone_number',
        is_refundable: true,
      },
    ])
  })

  it('calls what the reseller switched off inactive', () => {
    const off = { products: [overlayProduct({ isEnabled: false })] }
    const { snapshot, nova } = compile({}, [], off)
    expect(productListItems(snapshot, [nova])[0]?.status).toBe('Inactive')
  })

  it('says which products have sub-products: those whose payment names one', () => {
    const amount = { fromField: 'amount', path: 'denomination' }
    const extras = { subproduct_code: { fromField: 'amount', path: 'code' } }
    expect(hasSubProducts(sampleProduct({ fulfillment: { amount, extras } }))).toBe(true)
    expect(hasSubProducts(sampleProduct({ fulfillment: { amount, extras: {} } }))).toBe(false)
  })
})

describe('a sub-product', () => {
  it('a sub-product of a plan has its price and no limits', () => {
    const plan = sampleOption({
      label: 'Nova 10 GB 30 Days',
      denomination: 25n * RINGGIT,
      validity: '30 Days',
      features: ['10 GB'],
    })
    const { nova } = compile({ kind: 'mobile_data', denominationUnitPrice: 21_431_000n }, [plan])
    const [each] = nova.options('amount')
    expect(each && subProductItem(nova, selectField(), each)).toEqual({
      subproduct_code: 'N10',
      display_name: 'Nova 10 GB 30 Days',
      denomination: '25.00',
      face_value: '5.3578',
      validity: '30 Days',
      description: null,
      account_number: null,
      additional_description: ['10 GB'],
      min: null,
      max: null,
    })
  })

  it('a sub-product of a loan account has the account, and the limits of the amount', () => {
    const account = selectField({ id: 'loan_account', role: 'account' })
    const loan = {
      code: 'K',
      label: 'Conventional loan',
      description: null,
      accountNumber: '0123456789',
      denomination: null,
      validity: null,
      features: null,
    }
    const item = (validation: { min?: number; max?: number }) => {
      const fields = [textField(), account, moneyField({ validation })]
      return dynamicSubProductItem(compile({ fields }).nova, account, loan)
    }
    expect(item({ min: 10 })).toEqual({
      subproduct_code: 'K',
      display_name: 'Conventional loan',
      denomination: null,
      face_value: null,
      validity: null,
      description: null,
      account_number: '0123456789',
      additional_description: null,
      min: '10.00',
      max: '-1',
    })
    expect(item({ max: 5_000 })).toMatchObject({ min: '-1', max: '5000.00' })
  })
})
