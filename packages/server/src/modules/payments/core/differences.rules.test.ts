import { describe, expect, it } from 'vitest'
import { findDifferences } from './differences.rules.ts'
import { readPaymentRequest } from './request.rules.ts'
import type { Payment, PaymentRequest } from './types.ts'

const BODY = {
  refid: 'R-1',
  product: 'BILLPAY',
  account: '100200300',
  amount: '25.50',
  remarks: 'first',
  extras: { biller_code: '1000', ic_number: '900101145678', ref2: 'INV-1' },
}

function read(body: Record<string, unknown>): PaymentRequest {
  const result = readPaymentRequest(body)
  if (result.kind !== 'request') throw new Error('unreadable')
  return result.request
}

function paymentOf({ refid, product, account, amount, extras }: PaymentRequest): Payment {
  if (amount === null) throw new Error('no amount')
  return {
    resellerId: 1n,
    id: 1n,
    refid,
    productCode: product,
    productName: 'A name of its own',
    account,
    amount,
    faceValue: amount,
    cost: amount - 1n,
    balanceAfter: 0n,
    code: 48,
    extras,
    remarks: 'Provider_Rejected',
    output: { serialNumber: '', pin: '', expiry: '', voucherLink: '', note: '' },
    sender: '192.0.2.1',
    memberId: '1',
    createdAt: new Date(0),
    changedAt: new Date(0),
  }
}

const stored = paymentOf(read(BODY))
const differing = (change: Record<string, unknown>) =>
  Object.keys(findDifferences(stored, read({ ...BODY, ...change })))
const differingExtras = (change: Record<string, unknown>) =>
  differing({ extras: { ...BODY.extras, ...change } })

it('a difference names its field, and repeats no value', () => {
  expect(findDifferences(stored, read({ ...BODY, amount: 26 }))).toEqual({
    amount: ['amount differs from that of this payment.'],
  })
})

describe('a request with the same refid asks for the same payment', () => {
  it('when its account is another spelling of the same number', () => {
    const canonicalOf = (account: string) => account.replace(/^0/, '60')
    const spelled = { ...stored, account: '0123', canonicalAccount: '60123' }
    const differencesOf = (payment: Payment, account: string) =>
      Object.keys(findDifferences(payment, read({ ...BODY, account }), canonicalOf))
    for (const account of ['0123', '60123']) expect(differencesOf(spelled, account)).toEqual([])
    expect(differencesOf({ ...spelled, canonicalAccount: null }, '60123')).toEqual([])
    expect(differencesOf(spelled, '0124')).toEqual(['account'])
  })

  it('when it is sent again as it was', () => {
    expect(findDifferences(stored, read(BODY))).toEqual({})
  })

  it.each([[25.5], ['25.5'], ['25.5000'], ['025.50']])('when the amount is spelt %j', (amount) => {
    expect(differing({ amount })).toEqual([])
  })

  it.each([[undefined], [null], ['other'], ['x'.repeat(501)], [7]])(
    'the remarks do not matter: %j',
    (remarks) => {
      expect(differing({ remarks })).toEqual([])
    },
  )

  it('when unknown, null and empty extras come or go', () => {
    expect(differingExtras({ subproduct_code: '', email: 'a@b.example' })).toEqual([])
    expect(differingExtras({ subproduct_code: null })).toEqual([])
    const { extras: _, ...plain } = BODY
    const bare = paymentOf(read(plain))
    for (const extras of [undefined, null, {}, { ref2: '', unknown: 1 }]) {
      expect(findDifferences(bare, read({ ...plain, extras }))).toEqual({})
    }
  })

  it.each([[undefined], [null], [{}], [{ subproduct_code: null }], [{ subproduct_code: '' }]])(
    'when it leaves out the plan code that the payment was made with: %j',
    (extras) => {
      const body = { refid: 'R-3', product: 'NOVAD', account: '60123456789', amount: 5 }
      const paid = paymentOf(read({ ...body, extras: { subproduct_code: 'ND5' } }))
      expect(findDifferences(paid, read({ ...body, extras }))).toEqual({})
      const other = read({ ...body, extras: { subproduct_code: 'ND5W' } })
      expect(Object.keys(findDifferences(paid, other))).toEqual(['extras.subproduct_code'])
    },
  )

  it('when no plan code is sent again, though the service found one then', () => {
    const body = { refid: 'R-2', product: 'NOVAD', account: '60123456789', amount: 5 }
    expect(findDifferences(paymentOf(read(body)), read(body))).toEqual({})
  })
})

describe('a request with the same refid asks for something else', () => {
  it.each([
    ['product', { product: 'billpay' }],
    ['product', { product: 'BILLPAY ' }],
    ['product', { product: 7 }],
    ['account', { account: '100200301' }],
    ['account', { account: ' 100200300' }],
    ['account', { account: null }],
    ['amount', { amount: 25.51 }],
    ['amount', { amount: '25.50 ' }],
    ['amount', { amount: 0 }],
    ['amount', { amount: undefined }],
    ['extras', { extras: [] }],
    ['extras', { extras: 'biller_code=1000' }],
  ])('when its %s is another: %j', (name, change) => {
    expect(differing(change)).toEqual([name])
  })

  it.each([
    ['extras.biller_code', { biller_code: '1007' }],
    ['extras.biller_code', { biller_code: 1000 }],
    ['extras.biller_code', { biller_code: '' }],
    ['extras.ref2', { ref2: null }],
    ['extras.ref2', { ref2: 'inv-1' }],
    ['extras.ic_number', { ic_number: '900101145679' }],
    ['extras.ic_number', { ic_number: undefined }],
    ['extras.subproduct_code', { subproduct_code: 'K' }],
    ['extras.subproduct_code', { subproduct_code: 5 }],
  ])('when its %s is another: %j', (name, change) => {
    expect(differingExtras(change)).toEqual([name])
  })

  it('when all of it is, and every difference is named', () => {
    const request = read({ refid: 'R-1', product: 'NOVA', account: '60123456789', amount: 10 })
    expect(Object.keys(findDifferences(stored, request))).toEqual([
      'product',
      'account',
      'amount',
      'extras.biller_code',
      'extras.ref2',
      'extras.ic_number',
    ])
  })

  it('the answer tells neither of the two values', () => {
    const texts = JSON.stringify(
      findDifferences(stored, read({ ...BODY, extras: { ic_number: 'A7654321' } })),
    )
    expect(texts).not.toMatch(/900101145678|A7654321|1000|INV/)
  })
})
