import { describe, expect, it } from 'vitest'
import {
  overlayProduct,
  PERCENTAGE,
  sampleBase,
  sampleLevel,
  sampleOption,
  sampleOverlay,
  sampleProduct,
  sampleView,
} from '../../../testing/catalog/catalog-samples.ts'
import { compileLevel, compileSnapshot } from '../model/compile.rules.ts'
import type { Product } from '../model/types.ts'
import { mayChoose } from './customers.service.ts'
import { customerCatalogView, customerOption, customerOptionsView } from './customers.view.ts'
import { formOptionItem } from './options.view.ts'

function compile(change: Partial<Product> = {}) {
  const base = sampleBase({
    products: [sampleProduct(change)],
    listed: [sampleOption({ denomination: 105_000n })],
  })
  const overlay = sampleOverlay({
    products: [overlayProduct({ adjustment: { type: 'fixed', value: 5_000n } })],
  })
  const level = compileLevel(base, sampleLevel({ NOVA: PERCENTAGE }), { base: '1', level: '1' })
  const snapshot = compileSnapshot(level, sampleView({ overlay }))
  const product = snapshot.products.get('NOVA')
  if (product === undefined) throw new Error('the base has a product')
  return { snapshot, product }
}

const WHOLESALE = /cost|discount|margin|rrp|loss|pricing|adjustment|unit_price|wholesale/i

describe('the catalogue of customers', () => {
  it('has the form of the product and no wholesale figure', () => {
    const { snapshot, product } = compile()
    const wire = customerCatalogView(snapshot, [product], [])
    expect(Object.keys(wire.products.NOVA ?? {}).sort()).toEqual([
      'code',
      'denomination_currency',
      'fields',
      'fulfillment',
      'image_url',
      'max_amount',
      'min_amount',
      'name',
      'note',
      'processing_time',
    ])
    // The role of the field that sets the amount is called pricing; it is no figure.
    expect(JSON.stringify(wire).replaceAll('"role":"pricing"', '')).not.toMatch(WHOLESALE)
  })

  it('shows of an option its price, and neither cost nor recommended price', () => {
    const { product } = compile()
    const field = product.product.fields.find(({ role }) => role === 'pricing')
    const [each] = field === undefined ? [] : product.options(field.id)
    if (field === undefined || each === undefined) throw new Error('the product has an option')
    const whole = formOptionItem(product, field, each)
    expect(whole).toMatchObject({ cost: expect.anything(), rrp: expect.anything(), has_loss_risk: false })
    expect(customerOption(whole)).toEqual({
      code: 'N10',
      label: 'RM 10',
      denomination: 10.5,
      price: { amount: '11.00', currency: 'MYR' },
    })
    const page = customerOptionsView({
      productCode: 'NOVA',
      fieldId: field.id,
      items: [whole],
      page: 1,
      perPage: 50,
      total: 1,
    })
    expect(JSON.stringify(page)).not.toMatch(WHOLESALE)
    expect(page.meta).toEqual({ current_page: 1, last_page: 1, per_page: 50, total: 1 })
  })
})

describe('the products that a customer may choose', () => {
  it('a hidden product is theirs only where the order names it', () => {
    const { product } = compile({ isHidden: true })
    expect(mayChoose(product, null)).toBe(false)
    expect(mayChoose(product, new Set(['NOVA']))).toBe(true)
  })

  it('an inactive product is never theirs, named or not', () => {
    const { product } = compile({ isActive: false })
    expect(mayChoose(product, null)).toBe(false)
    expect(mayChoose(product, new Set(['NOVA']))).toBe(false)
  })

  it('a product that the order does not name is not theirs', () => {
    const { product } = compile()
    expect(mayChoose(product, null)).toBe(true)
    expect(mayChoose(product, new Set(['OTHER']))).toBe(false)
  })
})
