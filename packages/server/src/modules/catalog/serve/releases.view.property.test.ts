import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RATE_ONE } from '../../../lib/rates.ts'
import {
  overlayProduct,
  RINGGIT,
  sampleBase,
  sampleLevel,
  sampleOption,
  sampleOverlay,
  sampleProduct,
  sampleView,
} from '../../../testing/catalog/catalog-samples.ts'
import { runs } from '../../../testing/runs.ts'
import { readPaymentRequest } from '../../payments/core/request.rules.ts'
import type { Judgement } from '../../payments/core/types.ts'
import { judge } from '../../payments/take/judge.rules.ts'
import { compileLevel, compileSnapshot } from '../model/compile.rules.ts'
import type { EffectiveProduct, Product, Snapshot, WholesalePrice } from '../model/types.ts'
import { listOptions, listProducts } from '../model/visibility.rules.ts'
import { optionItem, optionsView } from './options.view.ts'
import type { Release } from './releases.rules.ts'
import { catalogFor, optionsFor } from './releases.view.ts'
import type { MappingWire, OptionItemWire } from './schemas.ts'
import { catalogView } from './view.ts'

// ── Catalogues of one product, with few values, so that prices meet denominations and each other ──

const values = fc.constantFrom(5n, 10n, 20n, 40n).map((ringgit) => ringgit * RINGGIT)
const rarely = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ arbitrary: fc.constant(null), weight: 5 }, { arbitrary, weight: 1 })
const rates = fc.constantFrom(RATE_ONE / 2n, RATE_ONE, 2n * RATE_ONE)
const mostlyOne = fc.oneof({ arbitrary: fc.constant(RATE_ONE), weight: 3 }, { arbitrary: rates, weight: 1 })

const wholesale: fc.Arbitrary<WholesalePrice> = fc.constantFrom(
  { discountType: 'percentage', unitPrice: 97_000_000n, currency: 'MYR' },
  { discountType: 'percentage', unitPrice: 110_000_000n, currency: 'MYR' },
  { discountType: 'fixed', unitPrice: -50_000_000n, currency: 'MYR' },
)
const adjustments = fc.oneof(
  rates.map((value) => ({ type: 'percentage' as const, value })),
  fc.constantFrom(0n, 5n).map((ringgit) => ({ type: 'fixed' as const, value: ringgit * RINGGIT })),
)
const planCode = { subproduct_code: { fromField: 'amount', path: 'code' } }

const products = fc
  .record({
    kind: fc.constantFrom('reload' as const, 'mobile_data' as const, 'game' as const, 'esim' as const),
    denominationUnitPrice: mostlyOne,
    hasPlanCode: fc.boolean(),
  })
  .map(({ hasPlanCode, ...change }): Product => {
    const product = sampleProduct({ ...change, code: 'NOVA' })
    return hasPlanCode ? { ...product, fulfillment: { ...product.fulfillment, extras: planCode } } : product
  })

const options = fc
  .array(fc.record({ denomination: values, rrp: rarely(values), isOn: fc.boolean() }), {
    minLength: 1,
    maxLength: 5,
  })
  .map((drafts) => drafts.map((draft, index) => ({ ...draft, code: `O${index}` })))

const snapshots = fc
  .record({
    product: products,
    options,
    wholesale,
    adjustment: rarely(adjustments),
    minAmount: rarely(values),
    maxAmount: rarely(values),
  })
  .map(({ product, options: drafts, wholesale: price, ...own }) => {
    const list = drafts.map(({ isOn: _, ...draft }) => sampleOption({ productCode: 'NOVA', ...draft }))
    const base = sampleBase({ products: [product], listed: list })
    const off = drafts.filter((draft) => !draft.isOn).slice(1)
    const overlay = sampleOverlay({
      products: [overlayProduct(own)],
      options: off.map(({ code }) => ({
        productCode: 'NOVA',
        fieldId: 'amount',
        code,
        isEnabled: false,
        rrp: null,
      })),
    })
    const level = compileLevel(base, sampleLevel({ NOVA: price }), { base: '1', level: '1' })
    return compileSnapshot(level, sampleView({ overlay }))
  })

// ── A client that follows the catalogue to the letter ──

type Form = {
  readonly amount: MappingWire
  readonly planCode?: MappingWire
  readonly items: OptionItemWire[]
}

function formOf(snapshot: Snapshot, release: Release): Form {
  const newest = catalogView(snapshot, listProducts(snapshot, { isActive: true, includeInactive: true }))
  const { amount, extras } = catalogFor(release, newest, snapshot.products).products.NOVA?.fulfillment ?? {}
  if (amount === undefined) throw new Error('the product is listed')
  const product = novaIn(snapshot)
  const field = product.product.fields.find((each) => each.id === 'amount')
  if (field === undefined) throw new Error('the product has an amount')
  const items = listOptions(product, field.id).map((each) => optionItem(product, field, each))
  const page = { productCode: 'NOVA', fieldId: field.id, page: 1, perPage: 100, total: items.length }
  const shown = optionsFor(release, optionsView({ ...page, items }), product).items
  const mapping = extras?.subproduct_code
  return { amount, items: shown, ...(mapping !== undefined && { planCode: mapping }) }
}

function novaIn(snapshot: Snapshot): EffectiveProduct {
  const product = snapshot.products.get('NOVA')
  if (product === undefined) throw new Error('the product exists')
  return product
}

function valueAt(item: OptionItemWire, { path = '' }: MappingWire): unknown {
  return path
    .split('.')
    .reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], item)
}

function pay(snapshot: Snapshot, form: Form, index: number): Judgement {
  const item = form.items[index]
  if (item === undefined) throw new Error('the option is listed in both forms')
  const code = form.planCode && valueAt(item, form.planCode)
  const body = {
    refid: 'R-1',
    product: 'NOVA',
    account: '60123456789',
    amount: valueAt(item, form.amount),
    ...(code !== undefined && { extras: { subproduct_code: code } }),
  }
  const read = readPaymentRequest(body)
  if (read.kind !== 'request') throw new Error('the request is readable')
  return judge({
    request: read.request,
    reseller: { status: 'active', access: 0 },
    product: novaIn(snapshot),
    dynamicOptions: undefined,
    isStaging: false,
  })
}

// ── Properties ──

describe('a client that follows a form of the catalogue to the letter', () => {
  it('pays for the same thing in both forms: product, plan, amount, face value and cost', () => {
    fc.assert(
      fc.property(snapshots, (snapshot) => {
        const newest = formOf(snapshot, '2026-09-16')
        const older = formOf(snapshot, '2024-01-01')
        expect(older.items.map((item) => item.code)).toEqual(newest.items.map((item) => item.code))
        for (const [index, item] of newest.items.entries()) {
          const judgement = pay(snapshot, newest, index)
          expect(pay(snapshot, older, index)).toEqual(judgement)
          if (judgement.kind === 'accepted') {
            expect(judgement.decision.planCode).toBe(item.code)
            expect(Number(judgement.decision.amount) / Number(RINGGIT)).toBe(item.denomination)
          } else {
            // These options cannot be told apart: the product has no plan code in either form.
            expect(newest.planCode).toBeUndefined()
            expect(judgement.rejection.code).toBe(44)
          }
        }
      }),
      { numRuns: runs(1_000) },
    )
  })

  it('gets the older form wherever that buys what was chosen, and no more of the newer one than it needs', () => {
    fc.assert(
      fc.property(snapshots, (snapshot) => {
        const newest = formOf(snapshot, '2026-09-16')
        const older = formOf(snapshot, '2024-01-01')
        const isPriceEnough = newest.items.every((item) => Number(item.price?.amount) === item.denomination)
        expect(older.amount.path).toBe(isPriceEnough ? 'price.amount' : 'denomination')
        for (const item of older.items) expect(Object.hasOwn(item, 'denomination')).toBe(!isPriceEnough)
        const amounts = newest.items.map((item) => item.denomination)
        const isCodeNeeded =
          new Set(amounts).size < amounts.length || novaIn(snapshot).product.kind === 'mobile_data'
        expect(older.planCode).toEqual(isCodeNeeded ? newest.planCode : undefined)
      }),
      { numRuns: runs(1_000) },
    )
  })
})
