import { describe, expect, it } from 'vitest'
import type { CustomerOrder, Order, OrderState } from '../orders/core/types.ts'
import { THEME_AT_FIRST } from '../orders/settings/rules.ts'
import { checkoutOrderView, continueUrl } from './view.ts'

const ORDER: Order = {
  resellerId: 77_001n,
  id: 88_002n,
  code: 'ord_0123456789abcdefghjkmnpq',
  reference: 'cart-1001',
  userId: 'user-of-the-shop',
  state: 'draft',
  returnUrl: 'https://shop.example/return',
  products: ['NOVA'],
  isFixed: false,
  language: 'ms',
  showsResults: true,
  allowsRepeats: false,
  version: 3,
  total: 212_000n,
  refund: 0n,
  paymentReference: null,
  cancelReason: '',
  createdAt: new Date(0),
  expiresAt: new Date(1_800_000),
  confirmedAt: null,
  completedAt: null,
  lines: [
    {
      line: 1,
      productCode: 'NOVA',
      productName: 'Nova',
      account: null,
      amount: 100_000n,
      quantity: 2,
      unitPrice: 106_000n,
      openFields: ['account', 'ic_number'],
      extras: { subproductCode: 'PLAN-7', billerCode: null, ref2: null, icNumber: '900101145678' },
    },
  ],
  units: [],
}

function viewOf(change: Partial<Order> = {}, displayName = 'Kedai Ali') {
  const read: CustomerOrder = {
    order: { ...ORDER, ...change },
    missing: new Map([[1, ['account']]]),
    readAt: new Date(60_000),
  }
  return checkoutOrderView(read, {
    reseller: { name: 'Ali Trading' },
    settings: { displayName, theme: THEME_AT_FIRST },
    snapshot: { products: new Map() },
    addressOf: (url) => url,
  })
}

describe('an order as its customer sees it', () => {
  it('has the prices, the missing values and the time of the server', () => {
    expect(viewOf()).toMatchObject({
      order_id: ORDER.code,
      status: 'draft',
      merchant: { name: 'Kedai Ali' },
      language: 'ms',
      total_amount: '21.20',
      server_time: '1970-01-01T00:01:00.000Z',
      version: 3,
      continue_url: null,
      items: [
        {
          unit_price: '10.60',
          price: '21.20',
          quantity: 2,
          account: null,
          missing: ['account'],
          status: 'pending',
        },
      ],
    })
    expect(viewOf({}, '').merchant.name).toBe('Ali Trading')
  })

  it('shows no extras, and nothing of the account and its own books', () => {
    const text = JSON.stringify(viewOf())
    for (const secret of ['900101145678', 'PLAN-7', '77001', '88002', 'cart-1001', 'user-of-the-shop']) {
      expect(text).not.toContain(secret)
    }
  })

  it.each<[readonly ('waiting' | 'sent' | 'succeeded' | 'failed')[], string]>([
    [['waiting', 'succeeded'], 'processing'],
    [['sent', 'failed'], 'processing'],
    [['succeeded', 'succeeded'], 'succeeded'],
    [['succeeded', 'failed'], 'partially_succeeded'],
    [['failed', 'failed'], 'failed'],
  ])('a line of units %j is %s', (states, status) => {
    const units = states.map((state, index) => ({
      line: 1,
      number: index + 1,
      refid: `r${index}`,
      state,
      price: 106_000n,
      paymentId: 1n,
      error: '',
    }))
    expect(viewOf({ state: 'confirmed', units }).items[0]?.status).toBe(status)
  })
})

describe('the address to which a customer goes on', () => {
  const at = (returnUrl: string, state: OrderState = 'completed') =>
    continueUrl({ returnUrl, state, code: ORDER.code })

  it.each([
    ['https://shop.example/return', `https://shop.example/return?order_id=${ORDER.code}&status=completed`],
    [
      'https://shop.example/?a=1%202+3',
      `https://shop.example/?a=1%202+3&order_id=${ORDER.code}&status=completed`,
    ],
    ['https://shop.example/?', `https://shop.example/?order_id=${ORDER.code}&status=completed`],
  ])('%s stays as it is, with the order behind it', (returnUrl, expected) => {
    expect(at(returnUrl)).toBe(expected)
  })

  it('is there once the basket is submitted, and says how the order stands', () => {
    expect(viewOf({ state: 'awaiting_payment' }).continue_url).toMatch(/status=awaiting_payment$/)
    expect(viewOf({ state: 'cancelled' }).continue_url).toMatch(/status=cancelled$/)
  })
})
