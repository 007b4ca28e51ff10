import { expect, it } from 'vitest'
import { createAwaitedPayments } from './awaited.service.ts'

const order = (id: bigint) => ({ resellerId: 1n, id })
const payment = (id: bigint) => ({ resellerId: 1n, id })

it('a payment finds the order that waits for it once', () => {
  const awaited = createAwaitedPayments(10)
  awaited.remember(order(1n), [11n, 12n])
  expect(awaited.take(payment(11n))).toEqual(order(1n))
  expect(awaited.take(payment(11n))).toBeUndefined()
  expect(awaited.take({ resellerId: 2n, id: 12n })).toBeUndefined()
  expect(awaited.take(payment(12n))).toEqual(order(1n))
})

it('a look at an order replaces the payments that it waited for before', () => {
  const awaited = createAwaitedPayments(10)
  awaited.remember(order(1n), [11n, 12n])
  awaited.remember(order(1n), [12n])
  expect(awaited.take(payment(11n))).toBeUndefined()
  awaited.remember(order(1n), [])
  expect(awaited.size).toBe(0)
})

it('a full memory forgets the orders that were looked at first, and takes new ones', () => {
  const awaited = createAwaitedPayments(4)
  awaited.remember(order(1n), [11n, 12n])
  awaited.remember(order(2n), [21n, 22n])
  awaited.remember(order(1n), [11n, 12n])
  awaited.remember(order(3n), [31n])
  expect(awaited.size).toBe(3)
  expect(awaited.take(payment(21n))).toBeUndefined()
  expect(awaited.take(payment(11n))).toEqual(order(1n))
  expect(awaited.take(payment(31n))).toEqual(order(3n))
})
