import { describe, expect, it } from 'vitest'
import {
  moneyField,
  moneyProduct,
  PERCENTAGE,
  sampleBase,
  sampleLevel,
  textField,
} from '../../../testing/catalog/catalog-samples.ts'
import type { Account } from '../../../testing/payments/judging.ts'
import {
  BILL,
  billerWhere,
  compileAccount,
  FIRST,
  productOf,
  SECOND,
} from '../../../testing/payments/judging.ts'
import type { Enquiry } from './enquiry.rules.ts'
import { judgeEnquiry } from './enquiry.rules.ts'

const PLAIN_BILLER = billerWhere(({ requiresRef2 }) => !requiresRef2)

function ask(
  product: string,
  enquiry: Partial<Enquiry>,
  { account = FIRST, isStaging = false }: { account?: Account; isStaging?: boolean } = {},
) {
  const asked = { account: '220011223344', billerCode: null, ref2: null, amount: null, ...enquiry }
  return judgeEnquiry({ enquiry: asked, product: productOf(account, product), isStaging })
}

function refusalOf(...args: Parameters<typeof ask>): string {
  const judgement = ask(...args)
  return judgement.kind === 'refused' ? judgement.field : judgement.kind
}

const bill = { account: BILL.account, billerCode: BILL.extras.biller_code, ref2: 'X' }

it('a request that could be paid is accepted, with the amount as money', () => {
  expect(ask('VOLT', { amount: '84.5' })).toMatchObject({
    kind: 'accepted',
    billerCode: null,
    ref2: null,
    amount: 845_000n,
  })
  expect(ask('BILLPAY', bill)).toMatchObject({
    kind: 'accepted',
    billerCode: bill.billerCode,
    ref2: 'X',
    amount: null,
  })
})

describe('the account', () => {
  it.each(['', 'abc', '2200112233440000000000000', '22001122334\n', 'x'.repeat(101)])(
    '%j is refused where the product’s form refuses it',
    (account) => {
      expect(refusalOf('VOLT', { account })).toBe('account')
    },
  )

  it('an account that no payment may carry is refused, though the product’s form would take any', () => {
    for (const account of ['', 'x'.repeat(101)]) expect(refusalOf('PINTEN', { account })).toBe('account')
    expect(refusalOf('PINTEN', { account: 'x'.repeat(100) })).toBe('accepted')
  })

  it('a test account of staging is taken by every product, and refused where it stands for that', () => {
    const staging = { isStaging: true }
    expect(refusalOf('VOLT', { account: '60123450052' }, staging)).toBe('account')
    for (const account of ['60123450048', '60123451030', '60123453003']) {
      expect(refusalOf('SERICOUNCIL', { account }, staging)).toBe('accepted')
    }
  })
})

describe('the biller', () => {
  it.each([null, '', 'NOBODY', '__proto__', 'x'.repeat(101)])('%j is refused', (billerCode) => {
    expect(refusalOf('BILLPAY', { ...bill, billerCode })).toBe('biller_code')
  })

  it('is judged after the account and before everything else', () => {
    const wrong = { billerCode: 'NOBODY', ref2: null, amount: '0' }
    expect(refusalOf('BILLPAY', { ...wrong, account: '' })).toBe('account')
    expect(refusalOf('BILLPAY', { ...wrong, account: bill.account })).toBe('biller_code')
  })

  it('means nothing to a product that has none', () => {
    expect(ask('VOLT', { billerCode: 'NOBODY', ref2: 'x'.repeat(200) })).toMatchObject({
      kind: 'accepted',
      billerCode: null,
      ref2: null,
      amount: null,
    })
  })
})

describe('the second reference', () => {
  it('is refused when the biller requires one and there is none, or none that can be read', () => {
    for (const ref2 of [null, '', 'x'.repeat(101), 'a\nb']) {
      expect(refusalOf('BILLPAY', { ...bill, ref2, amount: '0' })).toBe('ref2')
    }
  })

  it('may be missing where the biller requires none', () => {
    expect(refusalOf('BILLPAY', { ...bill, billerCode: PLAIN_BILLER, ref2: null })).toBe('accepted')
  })

  it('a second reference that no payment could carry is refused for every biller', () => {
    const named = { ...bill, billerCode: PLAIN_BILLER }
    expect(refusalOf('BILLPAY', { ...named, ref2: 'x'.repeat(101) })).toBe('ref2')
  })
})

describe('the amount', () => {
  it.each(['0', '-1', '1e3', ' 5', '1,000', '5.12345', 'abc', '5\n6', '5001', '0.99'])(
    '%j is refused where a payment would be',
    (amount) => {
      expect(refusalOf('VOLT', { amount })).toBe('amount')
    },
  )

  it('is held to the limits of the biller', () => {
    const limited = productOf(FIRST, 'BILLPAY')
      .options('biller')
      .find(({ option }) => (option.minAmount ?? 0n) >= 50_000n && option.maxAmount !== null)?.option
    if (limited?.minAmount == null || limited.maxAmount === null) throw new Error('no biller with limits')
    const named = { ...bill, billerCode: limited.code }
    const ringgit = (units: bigint) => String(Number(units) / 10_000)
    expect(refusalOf('BILLPAY', { ...named, amount: ringgit(limited.minAmount - 1n) })).toBe('amount')
    expect(refusalOf('BILLPAY', { ...named, amount: ringgit(limited.maxAmount + 1n) })).toBe('amount')
    expect(refusalOf('BILLPAY', { ...named, amount: ringgit(limited.minAmount) })).toBe('accepted')
    expect(refusalOf('BILLPAY', { ...named, amount: ringgit(limited.maxAmount) })).toBe('accepted')
  })

  it('an amount that cannot be read is refused, though the product has no limits', () => {
    const product = moneyProduct({ fields: [textField(), moneyField({ validation: {} })] })
    const account = compileAccount(sampleBase({ products: [product] }), sampleLevel({ KITA: PERCENTAGE }))
    const asked = { account: '60123456789' }
    expect(refusalOf('KITA', { ...asked, amount: 'ten' }, { account })).toBe('amount')
    expect(refusalOf('KITA', { ...asked, amount: '10' }, { account })).toBe('accepted')
  })

  it('the amount of the second reseller is held to its own limits', () => {
    expect(refusalOf('BILLPAY', { ...bill, amount: '30' }, { account: SECOND })).toBe('accepted')
    expect(refusalOf('BILLPAY', { ...bill, amount: '30001' }, { account: SECOND })).toBe('amount')
  })
})

it('a bill payment with an account or an amount that no payment may have is refused', () => {
  expect(refusalOf('BILLPAY', { ...bill, account: '1'.repeat(101) })).toBe('account')
  expect(refusalOf('BILLPAY', { ...bill, amount: 'ten' })).toBe('amount')
})
