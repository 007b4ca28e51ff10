import { describe, expect, it } from 'vitest'
import { parseMoney } from '../../../lib/money.ts'
import {
  moneyField,
  moneyProduct,
  PERCENTAGE,
  RINGGIT,
  sampleBase,
  sampleLevel,
  sampleOption,
  sampleProduct,
  selectField,
  textField,
} from '../../../testing/catalog/catalog-samples.ts'
import type { Body } from '../../../testing/payments/judging.ts'
import {
  BILL,
  bodiesOf,
  compileAccount,
  decisionOf,
  FIRST,
  productOf,
  rejectionOf,
  SECOND,
  SELLABLE,
  verdictOf,
} from '../../../testing/payments/judging.ts'
import { cost, faceValue } from '../../catalog/model/pricing.rules.ts'
import type { JudgeInput } from './judge.rules.ts'

describe('every product of the demo', () => {
  it.each(SELLABLE)(
    '$code is paid with the bodies that its form describes, by reseller $reseller',
    async (each) => {
      const { account, product } = each
      const bodies = await bodiesOf(product)
      expect(bodies.length).toBeGreaterThan(0)
      for (const body of bodies) {
        const decision = await decisionOf(account, body)
        const amount = parseMoney(String(body.amount)) ?? 0n
        expect(decision).toMatchObject({ productCode: each.code, productName: product.name, amount })
        expect(decision.faceValue).toBe(faceValue(amount, product.product.denominationUnitPrice))
        const { wholesale } = product
        if (wholesale === null) throw new Error('no price')
        const { denominationUnitPrice } = product.product
        expect(decision.cost).toBe(cost(amount, { denominationUnitPrice, wholesale }))
        expect(decision.cost).toBeGreaterThan(0n)
        const field = product.product.fields.find(({ role }) => role === 'pricing')
        const option = product
          .options(field?.id ?? '')
          .find(({ option: { code, denomination }, isActive }) => {
            const isNamed = decision.planCode === null || decision.planCode === code
            return isActive && isNamed && denomination === amount
          })
        if (field?.type === 'select' && field.dataSource?.type === 'reference') {
          expect(decision.cost).toBe(option?.money?.cost)
          expect(decision.planCode).toBe(option?.option.code)
        }
      }
    },
  )

  it('is there in the shapes that matter', () => {
    const codes = new Set(SELLABLE.map(({ code }) => code))
    for (const code of [
      ...['NOVA', 'KITA', 'NOVAD', 'NOVAMY', 'PARKGO', 'BILLPAY', 'EDULOAN', 'VOLT', 'GEMS', 'STORE'],
      ...['PINTEN', 'ESIMGO', 'FD', 'FP'],
    ]) {
      expect(codes).toContain(code)
    }
    expect(codes).not.toContain('OLDONE')
  })
})

it.each([
  ['NOVA', 10, '10', '9.7', 900],
  ['GEMS', 60, '3', '2.9', 900],
  ['STORE', 500, '14.8', '14.282', 900],
  ['PARKGO', 3, '1.95', '1.8915', 900],
  ['PINTEN', 10, '10', '9.6', 900],
  ['VOLT', 100, '100', '99.75', 900],
  ['SAWIT', 100, '100', '99.75', 172_800],
  ['ILMUFEE', 100, '100', '99.5', 432_000],
  ['FD', 100, '100', '100.2', 900],
])('%s of %d is worth %s and costs %s, due after %d seconds', async (code, amount, face, cost, due) => {
  const [template] = await bodiesOf(productOf(FIRST, code))
  expect(await decisionOf(FIRST, { ...template, amount, extras: null })).toMatchObject({
    faceValue: parseMoney(face),
    cost: parseMoney(cost),
    dueAfterSeconds: due,
  })
})

it('the second account pays its own prices, under its own names', async () => {
  const body = { product: 'RIMBA', amount: 10 }
  expect(await decisionOf(SECOND, body)).toMatchObject({
    productName: 'Rimba Sabah & Sarawak',
    cost: parseMoney('9.55'),
  })
  expect(await decisionOf(FIRST, body)).toMatchObject({ productName: 'Rimba Prepaid', cost: 96_250n })
})

describe('the first thing that is wrong is the one that is said', () => {
  type Mistake = {
    readonly says: string
    readonly body?: Body
    readonly extras?: Body
    readonly input?: Partial<JudgeInput>
  }
  const MISTAKES: readonly Mistake[] = [
    { says: '44 Invalid_Format', body: { remarks: 7 } },
    { says: '41 Account_Suspended', input: { reseller: { status: 'suspended', access: 0 } } },
    { says: '41 Key_Product_Not_Allowed', input: { isOutsideKey: true } },
    { says: '44 Invalid_Product', input: { product: undefined } },
    { says: '52 Invalid_Account', body: { account: '#' } },
    { says: '58 Invalid_Denomination', body: { amount: 30_001 } },
    { says: '44 Biller_Code_Required', extras: { biller_code: null } },
    { says: '44 IC_Number_Required', extras: { ic_number: null } },
    { says: '44 Ref2_Required', extras: { ref2: null } },
  ]

  const bodyWith = (mistakes: readonly Mistake[]): Body => ({
    ...BILL,
    ...Object.assign({}, ...mistakes.map(({ body }) => body)),
    extras: Object.assign({ ...BILL.extras }, ...mistakes.map(({ extras }) => extras)),
  })
  const verdictWith = (mistakes: readonly Mistake[]) =>
    verdictOf(FIRST, bodyWith(mistakes), Object.assign({}, ...mistakes.map(({ input }) => input)))

  it('a request without mistakes gets no rejection', async () => {
    expect(await verdictWith([])).toBe('accepted')
  })

  it.each(MISTAKES)('$says alone', async (mistake) => {
    expect(await verdictWith([mistake])).toBe(mistake.says)
  })

  const pairs = MISTAKES.flatMap((first, index) =>
    MISTAKES.slice(index + 1).map((second) => ({ first, second, one: first.says, other: second.says })),
  )

  it.each(pairs)('$one before $other', async ({ first, second }) => {
    // The biller's code is needed to know whether a second reference is required, so the missing code is reported.
    expect(await verdictWith([first, second])).toBe(first.says)
  })

  it('a request with all mistakes at once is told them one by one, down to the last one', async () => {
    for (const [index, mistake] of MISTAKES.entries()) {
      expect(await verdictWith(MISTAKES.slice(index))).toBe(mistake.says)
    }
  })

  it('a biller that does not exist is said after the amount, and before the identity number', async () => {
    const extras = { ...BILL.extras, biller_code: 'none', ic_number: null }
    expect(await verdictOf(FIRST, { ...BILL, extras, amount: 0.5 })).toBe('58 Invalid_Denomination')
    expect(await verdictOf(FIRST, { ...BILL, extras })).toBe('44 Invalid_Biller_Code')
  })
})

describe('format', () => {
  it.each([
    [{ amount: 0 }, 'amount'],
    [{ amount: '1e2' }, 'amount'],
    [{ account: '' }, 'account'],
    [{ product: 5 }, 'product'],
    [{ extras: 'x' }, 'extras'],
    [{ extras: { ref2: 5 } }, 'extras.ref2'],
  ])('%j is 44, with errors by name', async (change, name) => {
    const rejection = await rejectionOf(FIRST, { product: 'NOVA', amount: 10, ...change })
    expect(rejection).toMatchObject({ code: 44, remarks: 'Invalid_Format' })
    expect(Object.keys(rejection.errors)).toEqual([name])
  })
})

describe('the reseller', () => {
  it.each([
    { status: 'suspended', access: 0 } as const,
    { status: 'active', access: 50 } as const,
    { status: 'suspended', access: 50 } as const,
  ])('the reseller that is $status with access $access does not pay', async (reseller) => {
    expect(await verdictOf(FIRST, { product: 'NOVA', amount: 10 }, { reseller })).toBe('41 Account_Suspended')
  })
})

describe('the product', () => {
  it.each([
    ['that does not exist is unknown', FIRST, 'NOPE', '44 Invalid_Product'],
    ['is named exactly', FIRST, 'nova', '44 Invalid_Product'],
    ['that the account may not buy is unknown to it', SECOND, 'FD', '44 Invalid_Product'],
    ['that is hidden can be paid by those who may buy it', FIRST, 'FD', 'accepted'],
    ['that is off for everybody is unavailable', FIRST, 'OLDONE', '44 Product_Unavailable'],
    ['that the reseller switched off is unavailable', SECOND, 'KOPIKU', '44 Product_Unavailable'],
    ['that another reseller switched off is not', FIRST, 'KOPIKU', 'accepted KOPIKU10'],
  ])('%s', async (_, account, product, expected) => {
    expect(await verdictOf(account, { product, amount: 10 })).toBe(expected)
  })

  it('a product that a notice stops is unavailable for every account, and a product of others stays unknown', async () => {
    const stopped = { isStopped: true }
    expect(await verdictOf(FIRST, { product: 'NOVA', amount: 10 }, stopped)).toBe('44 Product_Unavailable')
    expect(await verdictOf(FIRST, { product: 'NOVA', account: 'x', amount: 10 }, stopped)).toBe(
      '44 Product_Unavailable',
    )
    expect(await verdictOf(SECOND, { product: 'FD', amount: 10 }, stopped)).toBe('44 Invalid_Product')
  })

  it('a product that the account may not buy stays unknown when it is off, too', async () => {
    const product = sampleProduct({ isRestricted: true, isActive: false })
    const account = compileAccount(sampleBase({ products: [product] }), sampleLevel())
    expect(await verdictOf(account, { product: 'NOVA', amount: 10 })).toBe('44 Invalid_Product')
  })

  it('a product without a price at the account’s level is unknown', async () => {
    const account = compileAccount(sampleBase(), sampleLevel({}))
    expect(await verdictOf(account, { product: 'NOVA', amount: 10 })).toBe('44 Invalid_Product')
  })
})

describe('the account', () => {
  it.each([
    ['NOVA', 10, '60123456789', 'accepted NOVA10'],
    ['NOVA', 10, '0123456789', 'accepted NOVA10'],
    ['NOVA', 10, '12345', '52 Invalid_Account'],
    ['NOVA', 10, ' 012-345 6789 ', 'accepted NOVA10'],
    ['NOVA', 10, '+60 (0)12-3456789', 'accepted NOVA10'],
    ['NOVA', 10, '0312345678', '52 Invalid_Account'],
    ['NOVA', 10, '+6591234567', '52 Invalid_Account'],
    ['NOVA', 10, '٠١٢٣٤٥٦٧٨٩', '52 Invalid_Account'],
    ['NOVA', 10, '1'.repeat(40), '52 Invalid_Account'],
    ['NOVA', 10, 'x'.repeat(100), '52 Invalid_Account'],
    ['STORE', 500, 'name@example.com', 'accepted STORE500'],
    ['STORE', 500, '60123456789', '52 Invalid_Account'],
    ['GEMS', 60, '1000', 'accepted GEMS60'],
    ['GEMS', 60, '0999', '52 Invalid_Account'],
    ['GEMS', 60, 'abcd', '52 Invalid_Account'],
    ['PINTEN', 10, 'whoever', 'accepted PINTEN10'],
  ])('the account of %s %d, %j: %s', async (product, amount, account, expected) => {
    expect(await verdictOf(FIRST, { product, amount, account })).toBe(expected)
  })

  it('is refused in the words of the field', async () => {
    expect(await rejectionOf(FIRST, { product: 'NOVA', amount: 10, account: '1' })).toMatchObject({
      message: 'Enter a mobile number such as 60123456789',
      errors: { account: ['Enter a mobile number such as 60123456789'] },
    })
  })

  it('the account of a chosen option is not held against what the field asks of the choice', async () => {
    const chosen = selectField({ id: 'loan', role: 'account', validation: { pattern: '^[A-Z]$' } })
    const fulfillment = {
      account: { fromField: 'loan', path: 'account_number' },
      amount: { fromField: 'amount' },
    }
    const product = moneyProduct({ fields: [chosen, moneyField()], fulfillment })
    const account = compileAccount(sampleBase({ products: [product] }), sampleLevel({ KITA: PERCENTAGE }))
    expect(await verdictOf(account, { product: 'KITA', amount: 10, account: '0012345678' })).toBe('accepted')
  })

  it.each([
    ['number', {}, ['00-1', 'x'], []],
    ['number', { min: 1_000 }, ['1000', '01000', '9999'], ['999', '-1000', '1e9', '1000.5', '0x999']],
    ['number', { max: 2_000 }, ['0', '1', '2000'], ['2001', '-1', '1e1', 'x']],
    ['number', { min: 7, max: 7 }, ['7'], ['6', '8']],
    ['text', { min: 7, max: 7 }, ['6', 'x'], []],
  ] as const)(
    'the account of a %s field with %j may be one of %j and none of %j',
    async (type, validation, right, wrong) => {
      const product = sampleProduct({ fields: [textField({ type, validation }), selectField()] })
      const account = compileAccount(sampleBase({ products: [product] }), sampleLevel())
      const verdictFor = (each: string) => verdictOf(account, { product: 'NOVA', amount: 10, account: each })
      for (const each of right) expect(await verdictFor(each)).toBe('accepted N10')
      for (const each of wrong) expect(await verdictFor(each)).toBe('52 Invalid_Account')
    },
  )
})

describe('the amount', () => {
  it.each([
    ['NOVA', 10, 'accepted NOVA10'],
    ['NOVA', 7, '58 Invalid_Denomination'],
    ['NOVA', 10.01, '58 Invalid_Denomination'],
    ['KITA', 5, 'accepted'],
    ['KITA', 7.77, 'accepted'],
    ['KITA', 500, 'accepted'],
    ['KITA', 4.9999, '58 Invalid_Denomination'],
    ['KITA', 500.0001, '58 Invalid_Denomination'],
    ['KITA', '99999999999.9999', '58 Invalid_Denomination'],
    ['PARKGO', 1, 'accepted'],
    ['PARKGO', 100, 'accepted'],
    ['PARKGO', 1.5, '58 Invalid_Denomination'],
    ['PARKGO', 101, '58 Invalid_Denomination'],
    ['PARKGO', 0.5, '58 Invalid_Denomination'],
  ])('the amount of %s %s: %s', async (product, amount, expected) => {
    expect(
      await verdictOf(FIRST, { product, amount, account: product === 'PARKGO' ? 'QAA1234' : '60123456789' }),
    ).toBe(expected)
  })

  it('keeps to the limits that a reseller set for itself', async () => {
    for (const [amount, first, second] of [
      [9, 'accepted', '58 Invalid_Denomination'],
      [10, 'accepted', 'accepted'],
      [200, 'accepted', 'accepted'],
      [201, 'accepted', '58 Invalid_Denomination'],
    ]) {
      expect(await verdictOf(FIRST, { product: 'RIMBA', amount })).toBe(first)
      expect(await verdictOf(SECOND, { product: 'RIMBA', amount })).toBe(second)
    }
  })

  it('keeps to the limits of a product whose amounts are chosen, too', async () => {
    const options = [5n, 10n, 30n].map((value) =>
      sampleOption({ code: `N${value}`, denomination: value * RINGGIT }),
    )
    const product = sampleProduct({ minAmount: 10n * RINGGIT, maxAmount: 10n * RINGGIT })
    const account = compileAccount(sampleBase({ products: [product], listed: options }), sampleLevel())
    const verdicts = [5, 10, 30].map((amount) => verdictOf(account, { product: 'NOVA', amount }))
    expect(await Promise.all(verdicts)).toEqual([
      '58 Invalid_Denomination',
      'accepted N10',
      '58 Invalid_Denomination',
    ])
  })

  it('may be any of an option that the account has not switched off', async () => {
    expect(await verdictOf(FIRST, { product: 'BAYU', amount: 15 })).toBe('accepted BAYU15')
    expect(await verdictOf(SECOND, { product: 'BAYU', amount: 15 })).toBe('58 Invalid_Denomination')
  })

  it('must lie within the limits of the biller', async () => {
    const biller = productOf(FIRST, 'BILLPAY')
      .options('biller')
      .find(
        ({ option }) =>
          option.minAmount === 20n * RINGGIT && option.maxAmount === null && !option.requiresRef2,
      )
    const extras = { biller_code: biller?.option.code, ic_number: null }
    expect(await verdictOf(FIRST, { ...BILL, extras, amount: 19.99 })).toBe('58 Invalid_Denomination')
    expect(await verdictOf(FIRST, { ...BILL, extras, amount: 20 })).toBe('44 IC_Number_Required')
    const capped = productOf(FIRST, 'BILLPAY')
      .options('biller')
      .find(({ option }) => option.maxAmount === 1_000n * RINGGIT)
    const capping = { biller_code: capped?.option.code, ic_number: null }
    expect(await verdictOf(FIRST, { ...BILL, extras: capping, amount: 1_000.01 })).toBe(
      '58 Invalid_Denomination',
    )
    expect(await verdictOf(FIRST, { ...BILL, extras: capping, amount: 1_000 })).toBe('44 IC_Number_Required')
  })

  it('is refused with the limit in words', async () => {
    const { message, errors } = await rejectionOf(FIRST, { product: 'KITA', amount: 4 })
    expect(message).toBe('The amount must be at least 5.00.')
    expect(errors).toEqual({ amount: [message] })
  })

  it.each([
    ['the cost would be zero', 'fixed', -100_000_000n, '1', '58 Invalid_Denomination'],
    ['the cost would be less', 'fixed', -500_000_000n, '1', '58 Invalid_Denomination'],
    ['the cost would round to zero', 'percentage', 10_000_000n, '0.0001', '58 Invalid_Denomination'],
    ['the cost is the smallest there is', 'percentage', 50_000_000n, '0.0001', 'accepted'],
  ] as const)('an amount where %s', async (_, discountType, unitPrice, amount, expected) => {
    const product = moneyProduct({ fields: [textField(), moneyField({ validation: {} })] })
    const wholesale = { discountType, unitPrice, currency: 'MYR' }
    const account = compileAccount(sampleBase({ products: [product] }), sampleLevel({ KITA: wholesale }))
    expect(await verdictOf(account, { product: 'KITA', amount })).toBe(expected)
  })

  it('must not come to more than the ledger can hold', async () => {
    const product = moneyProduct({
      fields: [textField(), moneyField({ validation: {} })],
      denominationUnitPrice: 1_000_000n * 100_000_000n,
    })
    const account = compileAccount(sampleBase({ products: [product] }), sampleLevel({ KITA: PERCENTAGE }))
    expect(await verdictOf(account, { product: 'KITA', amount: 100_000 })).toBe('accepted')
    expect(await verdictOf(account, { product: 'KITA', amount: 100_001 })).toBe('58 Invalid_Denomination')
    expect(await verdictOf(account, { product: 'KITA', amount: '99999999999' })).toBe(
      '58 Invalid_Denomination',
    )
    const level = sampleLevel({ KITA: { ...PERCENTAGE, unitPrice: 200_000_000n } })
    const dear = compileAccount(sampleBase({ products: [product] }), level)
    expect(await verdictOf(dear, { product: 'KITA', amount: 50_000 })).toBe('accepted')
    expect(await verdictOf(dear, { product: 'KITA', amount: 50_001 })).toBe('58 Invalid_Denomination')
  })

  it('must not be worth nothing, though it would cost something', async () => {
    const fields = [textField(), moneyField({ validation: {} })]
    const product = moneyProduct({ fields, denominationUnitPrice: 40_000_000n })
    const level = sampleLevel({ KITA: { ...PERCENTAGE, unitPrice: 200_000_000n } })
    const account = compileAccount(sampleBase({ products: [product] }), level)
    expect(await verdictOf(account, { product: 'KITA', amount: '0.0001' })).toBe('58 Invalid_Denomination')
    expect(await decisionOf(account, { product: 'KITA', amount: '0.0002' })).toMatchObject({
      faceValue: 1n,
      cost: 2n,
      planCode: null,
    })
  })
})
