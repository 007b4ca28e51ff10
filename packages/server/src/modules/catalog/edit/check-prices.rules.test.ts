import { describe, expect, it } from 'vitest'
import { RATE_ONE } from '../../../lib/rates.ts'
import {
  moneyField,
  moneyProduct,
  overlayProduct,
  PERCENTAGE,
  RINGGIT,
  sampleBase,
  sampleLevel,
  sampleOption,
  sampleOverlay,
  sampleProduct,
  sampleView,
  textField,
} from '../../../testing/catalog/catalog-samples.ts'
import { compileLevel, compileSnapshot } from '../model/compile.rules.ts'
import { mergeOverlay } from '../model/merge.rules.ts'
import type { Overlay, OverlayOption, OverlayProduct, PriceAdjustment } from '../model/types.ts'
import { checkPrices } from './check-prices.rules.ts'

const base = sampleBase({
  products: [
    sampleProduct(),
    moneyProduct(),
    moneyProduct({ code: 'OPEN', fields: [textField(), moneyField({ validation: {} })] }),
  ],
  listed: [5n, 10n, 30n].map((ringgit) => {
    const displayOrder = Number(ringgit)
    return sampleOption({
      code: `N${ringgit}`,
      label: `RM ${ringgit}`,
      displayOrder,
      denomination: ringgit * RINGGIT,
    })
  }),
})
const level = compileLevel(base, sampleLevel({ NOVA: PERCENTAGE, KITA: PERCENTAGE, OPEN: PERCENTAGE }), {
  base: '1',
  level: '1',
})

type Rows = { readonly products?: readonly OverlayProduct[]; readonly options?: readonly OverlayOption[] }

/** Returns the problems of a change as `PRODUCT field: text`. */
function problemsOf(change: Rows, present?: Rows): string[] {
  const before = present && sampleOverlay(present)
  const touched = mergeOverlay(1n, before, change)
  const after = sampleOverlay({
    products: replaced(before?.products, change.products, ({ code }) => code),
    options: replaced(before?.options, change.options, ({ code }) => code),
  })
  const viewOf = (overlay: Overlay | undefined) => compileSnapshot(level, sampleView({ overlay }))
  return checkPrices(viewOf(before), viewOf(after), touched).map(
    ({ resource, id, field, text }) => `${resource}.${id}.${field} ${text}`,
  )
}

function replaced<T>(present: readonly T[] = [], change: readonly T[] = [], codeOf: (row: T) => string): T[] {
  const codes = new Set(change.map(codeOf))
  return [...present.filter((row) => !codes.has(codeOf(row))), ...change]
}

const fixed = (ringgit: number): PriceAdjustment => ({ type: 'fixed', value: BigInt(ringgit * 10_000) })
const off = (code: string): OverlayOption => ({
  productCode: 'NOVA',
  fieldId: 'amount',
  code,
  isEnabled: false,
  rrp: null,
})

describe('prices that an overlay leaves', () => {
  it('a price below zero names its product and its denomination', () => {
    expect(problemsOf({ products: [overlayProduct({ adjustment: fixed(-99) })] })).toEqual([
      'products.NOVA.adjustment.value must leave a price greater than 0: RM 5 would be MYR -94.00 (and 2 more)',
    ])
  })

  it('a price of zero is refused, and one just above it is not', () => {
    expect(problemsOf({ products: [overlayProduct({ adjustment: fixed(-5) })] })).toHaveLength(1)
    expect(problemsOf({ products: [overlayProduct({ adjustment: fixed(-4.9999) })] })).toEqual([])
  })

  it('a factor that rounds a price to zero is refused', () => {
    const tiny: PriceAdjustment = { type: 'percentage', value: 1n }
    expect(problemsOf({ products: [overlayProduct({ adjustment: tiny })] })).toHaveLength(1)
    const half: PriceAdjustment = { type: 'percentage', value: RATE_ONE / 2n }
    expect(problemsOf({ products: [overlayProduct({ adjustment: half })] })).toEqual([])
  })

  it('a switched-off product is held to it too, since switching it on shows the price', () => {
    const product = overlayProduct({ adjustment: fixed(-99), isEnabled: false })
    expect(problemsOf({ products: [product] })).toHaveLength(1)
  })

  it('a denomination that the reseller switched off or priced itself does not count', () => {
    const products = [overlayProduct({ adjustment: fixed(-6) })]
    expect(problemsOf({ products, options: [off('N5')] })).toEqual([])
    expect(problemsOf({ products, options: [{ ...off('N5'), isEnabled: true, rrp: 2n * RINGGIT }] })).toEqual(
      [],
    )
    const present = { products, options: [off('N5')] }
    expect(problemsOf({ options: [{ ...off('N5'), isEnabled: true }] }, present)).toHaveLength(1)
  })
})

describe('amounts that are chosen freely', () => {
  const kita = (change: Partial<OverlayProduct>) => overlayProduct({ code: 'KITA', ...change })

  it('the smallest amount decides, with the limits of the reseller', () => {
    expect(problemsOf({ products: [kita({ adjustment: fixed(-5) })] })).toEqual([
      'products.KITA.adjustment.value must leave a price greater than 0: MYR 5.00 would be MYR 0.00',
    ])
    expect(problemsOf({ products: [kita({ adjustment: fixed(-5), minAmount: 6n * RINGGIT })] })).toEqual([])
  })

  it('a smallest amount that is taken away again is checked with the adjustment', () => {
    const present = { products: [kita({ adjustment: fixed(-5), minAmount: 6n * RINGGIT })] }
    expect(problemsOf({ products: [kita({ adjustment: fixed(-5) })] }, present)).toHaveLength(1)
  })

  it('an amount without a lower limit takes no discount in ringgit', () => {
    const open = (adjustment: PriceAdjustment) => overlayProduct({ code: 'OPEN', adjustment })
    expect(problemsOf({ products: [open(fixed(-0.5))] })).toHaveLength(1)
    expect(problemsOf({ products: [open(fixed(0.5))] })).toEqual([])
  })
})

describe('a price of zero or less that was stored before', () => {
  const stored = overlayProduct({ adjustment: fixed(-99) })

  it('the product can be renamed and switched off, but not switched on', () => {
    const present = { products: [stored] }
    expect(problemsOf({ products: [{ ...stored, displayName: 'Other' }] }, present)).toEqual([])
    const disabled = { ...stored, isEnabled: false }
    expect(problemsOf({ products: [disabled] }, present)).toEqual([])
    expect(problemsOf({ products: [stored] }, { products: [disabled] })).toHaveLength(1)
  })

  it('other products can be changed, and the adjustment can be taken back', () => {
    const present = { products: [stored] }
    expect(
      problemsOf({ products: [overlayProduct({ code: 'KITA', adjustment: fixed(1) })] }, present),
    ).toEqual([])
    expect(problemsOf({ products: [overlayProduct()] }, present)).toEqual([])
    expect(problemsOf({ products: [overlayProduct({ adjustment: fixed(-98) })] }, present)).toHaveLength(1)
  })
})
