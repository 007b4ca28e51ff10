import { describe, expect, it } from 'vitest'
import type { Order, OrderItem } from '../api/wire.ts'
import {
  isBasket,
  isComplete,
  isFull,
  pauseMs,
  quantityLimit,
  withFilled,
  withItem,
  withoutLine,
  withQuantity,
} from './order.ts'

const itemOf = (line: number, more: Partial<OrderItem> = {}): OrderItem => ({
  line,
  product_code: 'KITA',
  product_name: 'Kita',
  image_url: null,
  account: '60123456789',
  amount: '10.00',
  quantity: 1,
  unit_price: '10.60',
  price: '10.60',
  is_fixed: false,
  missing: [],
  status: 'pending',
  ...more,
})
const orderOf = (...items: OrderItem[]) => ({ items }) as unknown as Order
const NEW = { product_code: 'NAGA', account: '1', amount: '5', quantity: 2 }

describe('the basket', () => {
  it('names the lines that stay by their number, so that their secrets are not needed again', () => {
    const order = orderOf(itemOf(1), itemOf(2, { quantity: 3 }))
    expect(withItem(order, NEW)).toEqual([{ line: 1, quantity: 1 }, { line: 2, quantity: 3 }, NEW])
    expect(withoutLine(order, 1)).toEqual([{ line: 2, quantity: 3 }])
    expect(withQuantity(order, 2, 4)).toEqual([
      { line: 1, quantity: 1 },
      { line: 2, quantity: 4 },
    ])
  })

  it('has limits for a line, for its lines and for all its units', () => {
    expect(quantityLimit(orderOf(), undefined)).toBe(20)
    expect(quantityLimit(orderOf(itemOf(1, { quantity: 20 }), itemOf(2, { quantity: 20 })), undefined)).toBe(
      10,
    )
    expect(quantityLimit(orderOf(itemOf(1, { quantity: 20 }), itemOf(2, { quantity: 20 })), 2)).toBe(20)
    expect(isFull(orderOf(...Array.from({ length: 20 }, (_, at) => itemOf(at + 1))))).toBe(true)
    expect(isFull(orderOf(itemOf(1)))).toBe(false)
  })

  it('can be submitted when it has lines and nothing is missing', () => {
    expect(isComplete(orderOf())).toBe(false)
    expect(isComplete(orderOf(itemOf(1, { missing: ['account'] })))).toBe(false)
    expect(isComplete(orderOf(itemOf(1)))).toBe(true)
  })

  it('is recognised after an answer that got lost', () => {
    const before = orderOf(itemOf(1))
    const asked = withItem(before, NEW)
    const made = itemOf(2, { product_code: 'NAGA', amount: '5.00', quantity: 2, account: '1' })
    expect(isBasket(orderOf(itemOf(1), made), before, asked)).toBe(true)
    expect(isBasket(before, before, asked)).toBe(false)
    expect(isBasket(orderOf(itemOf(1), { ...made, quantity: 1 }), before, asked)).toBe(false)
    expect(isBasket(orderOf(itemOf(1), { ...made, product_code: 'OTHER' }), before, asked)).toBe(false)
  })
})

describe('reading the order again', () => {
  it('happens while somebody else may move it on, ever more slowly', () => {
    expect(pauseMs('draft', 0)).toBeUndefined()
    expect(pauseMs('completed', 0)).toBeUndefined()
    const pauses = Array.from({ length: 9 }, (_, at) => pauseMs('awaiting_payment', at) ?? 0)
    expect(pauses).toEqual([...pauses].sort((a, b) => a - b))
    expect(pauses[0]).toBeGreaterThanOrEqual(1_000)
    expect(pauseMs('confirmed', 1_000)).toBe(15_000)
  })
})

describe('a line that the shop chose', () => {
  const fixed = itemOf(1, { account: null, missing: ['account', 'ref2'], is_fixed: true })

  it('is given its missing values, and nothing else', () => {
    const filled = { account: '6012', extras: { ref2: '7', biller_code: '9' } }
    expect(withFilled(orderOf(fixed, itemOf(2)), fixed, filled)).toEqual([
      { line: 1, quantity: 1, account: '6012', extras: { ref2: '7' } },
      { line: 2, quantity: 1 },
    ])
    const known = { ...fixed, account: '6013', missing: ['ref2'] }
    expect(withFilled(orderOf(known), known, filled)).toEqual([
      { line: 1, quantity: 1, extras: { ref2: '7' } },
    ])
  })

  it('is recognised as filled after an answer that got lost', () => {
    const before = orderOf(fixed)
    const asked = withFilled(before, fixed, { account: '6012', extras: { ref2: '7' } })
    expect(isBasket(orderOf({ ...fixed, account: '6012', missing: [] }), before, asked)).toBe(true)
    expect(isBasket(before, before, asked)).toBe(false)
  })
})
