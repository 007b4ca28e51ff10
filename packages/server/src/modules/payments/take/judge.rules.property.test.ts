import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Amount } from '../../../lib/money.ts'
import { formatMoney } from '../../../lib/money.ts'
import { RATE_ONE } from '../../../lib/rates.ts'
import {
  moneyProduct,
  overlayProduct,
  RINGGIT,
  sampleBase,
  sampleLevel,
  sampleOption,
  sampleOverlay,
  sampleProduct,
  selectField,
  wholesalePrices,
} from '../../../testing/catalog/catalog-samples.ts'
import type { Body } from '../../../testing/payments/judging.ts'
import { compileAccount } from '../../../testing/payments/judging.ts'
import { runs } from '../../../testing/runs.ts'
import type { EffectiveOption, EffectiveProduct, Option, Product } from '../../catalog/model/types.ts'
import { readPaymentRequest } from '../core/request.rules.ts'
import type { PaymentRequest } from '../core/types.ts'
import { judge } from './judge.rules.ts'

const CODES = ['O1', 'O2', 'O3', 'x:y'] as const
const usuallyTrue = fc.integer({ min: 0, max: 9 }).map((draw) => draw > 0)
/** Few values, so that equal ones are drawn. */
const values = fc.constantFrom(5n, 10n, 30n, 499n).map((ringgit) => ringgit * RINGGIT)
const limits = fc.oneof({ arbitrary: fc.constant(null), weight: 4 }, { arbitrary: values, weight: 1 })
const unitPrices = fc.oneof(fc.constant(RATE_ONE), fc.bigInt({ min: 100_000n, max: 5n * RATE_ONE }))

const billerExtras = { extras: { biller_code: { fromField: 'biller', path: 'code' } } }

const products = fc
  .record({
    kind: fc.constantFrom('reload' as const, 'mobile_data' as const, 'bill_payment' as const),
    isTyped: fc.boolean(),
    isActive: usuallyTrue,
    isRestricted: usuallyTrue.map((value) => !value),
    denominationUnitPrice: unitPrices,
    minAmount: limits,
    maxAmount: limits,
  })
  .map(({ isTyped, ...change }): Product => {
    const product = isTyped ? moneyProduct(change) : sampleProduct(change)
    return {
      ...product,
      code: 'P',
      fields: [...product.fields, selectField({ id: 'biller', role: 'none', order: 3 })],
      fulfillment: {
        ...product.fulfillment,
        ...(product.kind === 'bill_payment' ? billerExtras : {}),
      },
    }
  })

function optionsOf(fieldId: 'amount' | 'biller'): fc.Arbitrary<Option[]> {
  const isBiller = fieldId === 'biller'
  const option = fc.record({
    productCode: fc.constant('P'),
    fieldId: fc.constant(fieldId),
    code: fc.constantFrom(...CODES),
    isActive: usuallyTrue,
    denomination: isBiller ? fc.constant(null) : values,
    minAmount: isBiller ? limits : fc.constant(null),
    maxAmount: isBiller ? limits : fc.constant(null),
    requiresRef2: isBiller ? fc.boolean() : fc.constant(false),
  })
  return fc.uniqueArray(option.map(sampleOption), { selector: ({ code }) => code, minLength: 1 })
}

const overlays = fc
  .record({
    isEnabled: usuallyTrue,
    minAmount: limits,
    maxAmount: limits,
    off: fc.uniqueArray(fc.tuple(fc.constantFrom('amount', 'biller'), fc.constantFrom(...CODES)), {
      maxLength: 2,
    }),
  })
  .map(({ off, ...change }) =>
    sampleOverlay({
      products: [overlayProduct({ code: 'P', ...change })],
      options: off.map(([fieldId, code]) => ({
        productCode: 'P',
        fieldId,
        code,
        isEnabled: false,
        rrp: null,
      })),
    }),
  )

/** Product as one account sees it, sound or not for sale. */
const accounts = fc
  .record({
    product: products,
    plans: optionsOf('amount'),
    billers: optionsOf('biller'),
    wholesale: wholesalePrices,
    overlay: fc.option(overlays, { nil: undefined }),
  })
  .map(({ product, plans, billers, wholesale, overlay }) => {
    const base = sampleBase({ products: [product], listed: [...plans, ...billers] })
    return compileAccount(base, sampleLevel({ P: wholesale }), { overlay })
  })

/** Draws every amount at which something changes, its neighbours, and a few others. */
function amountsAround(product: EffectiveProduct | undefined): fc.Arbitrary<Amount> {
  const options = ['amount', 'biller'].flatMap((field) => product?.options(field) ?? [])
  const edges = options.flatMap(({ option }) => [option.denomination, option.minAmount, option.maxAmount])
  const known = [
    ...edges,
    product?.minAmount ?? null,
    product?.maxAmount ?? null,
    5n * RINGGIT,
    500n * RINGGIT,
  ]
  const near = known
    .flatMap((edge) => (edge === null ? [] : [edge - 1n, edge, edge, edge, edge, edge + 1n]))
    .filter((edge) => edge > 0n)
  return fc.oneof(
    { arbitrary: fc.constantFrom(...near), weight: 5 },
    { arbitrary: fc.bigInt({ min: 1n, max: 3_000n * RINGGIT }), weight: 1 },
  )
}

const codes = fc.constantFrom(null, null, ...CODES, ...CODES, 'o1')

const payments = accounts.chain((account) =>
  fc
    .record({
      product: fc.constantFrom(...'PPPPPPPPPG'),
      amount: amountsAround(account.products.get('P')).map(formatMoney),
      subproduct: codes,
      biller: codes,
      identity: fc.constantFrom(null, '900101145678', '900101145678', '900101145678', 'A-1'),
      ref2: fc.constantFrom(null, '', '7'),
    })
    .map(({ product, amount, subproduct, biller, identity, ref2 }) => ({
      account,
      body: {
        refid: 'R',
        product,
        amount,
        account: '60123456789',
        extras: { subproduct_code: subproduct, biller_code: biller, ic_number: identity, ref2 },
      } satisfies Body,
    })),
)

function readBody(body: Body): PaymentRequest {
  const result = readPaymentRequest(body)
  if (result.kind !== 'request') throw new Error('unreadable')
  return result.request
}

// ── The same rules, written once more without a thought for order, words or speed ──

function isWithin(amount: Amount, min: Amount | null, max: Amount | null): boolean {
  return (min === null || amount >= min) && (max === null || amount <= max)
}

function isPlanNamed(options: readonly EffectiveOption[], code: string | null, amount: Amount): boolean {
  const fitting = options.filter(({ isActive, option }) => isActive && option.denomination === amount)
  return code === null ? fitting.length === 1 : fitting.some(({ option }) => option.code === code)
}

function isBillSound(product: EffectiveProduct, amount: Amount, { extras }: PaymentRequest): boolean {
  const biller = product.options('biller').find(({ option }) => option.code === extras.billerCode)
  if (biller?.isActive !== true || extras.icNumber !== '900101145678') return false
  if (biller.option.requiresRef2 && extras.ref2 !== '7') return false
  return isWithin(amount, biller.option.minAmount, biller.option.maxAmount)
}

function isPayable(product: EffectiveProduct | undefined, amount: Amount, request: PaymentRequest): boolean {
  if (product === undefined || !product.isActive) return false
  const isTyped = product.product.fields.some((field) => field.type === 'money')
  const least = product.minAmount ?? (isTyped ? 5n * RINGGIT : null)
  const most = product.maxAmount ?? (isTyped ? 500n * RINGGIT : null)
  if (!isWithin(amount, least, most) || costOf(product, amount) <= 0n || faceValueOf(product, amount) <= 0n)
    return false
  if (!isTyped && !isPlanNamed(product.options('amount'), request.extras.subproductCode, amount)) return false
  return product.product.kind !== 'bill_payment' || isBillSound(product, amount, request)
}

/** Rounds `numerator` / 10^16, half up. */
function rounded(numerator: bigint): Amount {
  const doubled = 2n * numerator + 10n ** 16n
  const rest = ((doubled % (2n * 10n ** 16n)) + 2n * 10n ** 16n) % (2n * 10n ** 16n)
  return (doubled - rest) / (2n * 10n ** 16n)
}

function faceValueOf({ product }: EffectiveProduct, amount: Amount): Amount {
  return rounded(amount * product.denominationUnitPrice * 10n ** 8n)
}

function costOf({ product, wholesale }: EffectiveProduct, amount: Amount): Amount {
  if (wholesale === null) throw new Error('no price')
  const face = amount * product.denominationUnitPrice
  return wholesale.discountType === 'percentage'
    ? rounded(face * wholesale.unitPrice)
    : rounded(face * 10n ** 8n + wholesale.unitPrice * 10n ** 12n)
}

it('a payment is accepted exactly when the catalogue sells it, at the price by the contract’s formula', () => {
  const numRuns = runs(3_000)
  const seen = { accepted: 0, rejected: 0 }
  fc.assert(
    fc.property(payments, ({ account, body }) => {
      const request = readBody(body)
      const { amount } = request
      if (amount === null) throw new Error('no amount')
      const product = account.products.get(request.product)
      const reseller = { status: 'active', access: 0 } as const
      const judgement = judge({ request, reseller, product, dynamicOptions: undefined, isStaging: false })
      seen[judgement.kind] += 1
      expect(judgement.kind).toBe(isPayable(product, amount, request) ? 'accepted' : 'rejected')
      if (judgement.kind === 'rejected' || product === undefined) return
      const { decision } = judgement
      expect(decision).toMatchObject({ productCode: request.product, amount })
      expect(decision.faceValue).toBe(faceValueOf(product, amount))
      expect(decision.cost).toBe(costOf(product, amount))
      expect(decision.cost).toBeGreaterThan(0n)
      const plan = product.findOption('amount', decision.planCode ?? '')
      const isChosen = product.product.fields.some(
        (field) => field.id === 'amount' && field.type === 'select',
      )
      expect(plan?.money?.cost).toBe(isChosen ? decision.cost : undefined)
    }),
    { numRuns },
  )
  // The test would prove nothing if both sides agreed only because nothing is ever accepted.
  expect(seen.accepted).toBeGreaterThan(numRuns / 30)
  expect(seen.rejected).toBeGreaterThan(numRuns / 30)
})

const anything = fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<unknown>

it('no request makes the judgement throw, in staging or in production', () => {
  const loose = fc.record({
    refid: fc.constant('R'),
    product: fc.oneof(fc.constantFrom('P', 'P', '__proto__'), anything),
    account: fc.oneof(fc.constantFrom('60123456789', '60123450043', '60123450062'), anything),
    amount: fc.oneof(fc.constantFrom('5', '10', '99999999999.9999', '0.0001'), anything),
    remarks: anything,
    extras: fc.oneof(fc.record({ subproduct_code: anything, biller_code: anything }), anything),
  })
  const resellers = fc.record({
    status: fc.constantFrom('active' as const, 'active' as const, 'suspended' as const),
    access: fc.constantFrom(0 as const, 0 as const, 50 as const),
  })
  fc.assert(
    fc.property(accounts, loose, resellers, fc.boolean(), (account, body, reseller, isStaging) => {
      const request = readBody(body)
      const product = account.products.get(request.product)
      const input = { request, reseller, product, dynamicOptions: undefined, isStaging }
      const judgement = judge(input)
      if (judgement.kind === 'accepted') {
        expect(reseller).toEqual({ status: 'active', access: 0 })
        expect(request.problems).toEqual({})
      } else expect(judgement.rejection.remarks).not.toBe('')
    }),
    { numRuns: runs(1_000) },
  )
})
