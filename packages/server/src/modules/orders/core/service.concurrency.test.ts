import { afterAll, beforeAll, expect, it } from 'vitest'
import type { OrdersBench, OrdersNode } from '../../../testing/orders.ts'
import {
  CONTEXT,
  confirmation,
  expectSoundOrders,
  itemOf,
  newOrder,
  openOrdersBench,
} from '../../../testing/orders.ts'
import { expectSoundMoney, until } from '../../../testing/payments/payments.ts'
import { isFinal } from './states.rules.ts'

let bench: OrdersBench
let nodes: readonly [OrdersNode, OrdersNode]

beforeAll(async () => {
  bench = await openOrdersBench()
  nodes = [bench.openNode2(), bench.openNode2()]
})
afterAll(() => bench.closeOrders())

const DEPOSIT = 100_000_000n

async function newAccount() {
  const id = await bench.newReseller(DEPOSIT)
  return bench.accountOf(id)
}

/** Runs the jobs of both nodes until the order is final. */
async function finish(reseller: { id: bigint }, code: string) {
  return until('the order is final', async () => {
    await Promise.all(nodes.map(({ fulfilling }) => fulfilling.runOnce()))
    const { order } = await nodes[0].resellers.get(reseller.id, code)
    if (isFinal(order.state)) return order
    await bench.makeDue(order)
    return undefined
  })
}

const at = (index: number) => nodes[index % 2] as OrdersNode

it('one reference that is used fifty times at once on two nodes makes one order', async () => {
  const reseller = await newAccount()
  const given = newOrder()
  const made = await Promise.all(
    Array.from({ length: 50 }, (_, index) => at(index).resellers.create(reseller, given)),
  )
  expect(new Set(made.map(({ order }) => order.code)).size).toBe(1)
  expect(new Set(made.map(({ token }) => token)).size).toBe(1)
  expect(made.filter(({ isNew }) => isNew)).toHaveLength(1)
})

it('one payment reference that confirms fifty times at once on two nodes pays each unit once', async () => {
  const reseller = await newAccount()
  const { order } = await nodes[0].resellers.create(reseller, newOrder({ items: [itemOf({ quantity: 3 })] }))
  const confirmed = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      at(index).resellers.confirm(reseller, order.code, confirmation(), CONTEXT),
    ),
  )
  expect(confirmed.every((each) => each.order.paymentReference === 'bank-1')).toBe(true)
  expect(await finish(reseller, order.code)).toMatchObject({ state: 'completed', refund: 0n })
  expect(await bench.refidsOf(reseller.id)).toHaveLength(3)
  await expectSoundOrders(bench, reseller.id, DEPOSIT)
  await expectSoundMoney(bench.database)
})

it('exactly one of confirm, cancel and timeout at the same instant wins', async () => {
  const reseller = await newAccount()
  const orders = await Promise.all(
    Array.from({ length: 12 }, async () => (await nodes[0].resellers.create(reseller, newOrder())).order),
  )
  const outcomes = await Promise.all(
    orders.map((order) =>
      Promise.allSettled([
        nodes[0].resellers.confirm(reseller, order.code, confirmation('first'), CONTEXT),
        nodes[1].resellers.confirm(reseller, order.code, confirmation('second'), CONTEXT),
        nodes[1].resellers.cancel(reseller.id, order.code, ''),
        nodes[0].customers.cancelByCustomer(order),
        bench.expire(order).then(() => nodes[1].fulfilling.runOnce()),
      ]),
    ),
  )
  const ends = await Promise.all(orders.map(({ code }) => finish(reseller, code)))
  for (const [index, { state }] of ends.entries()) {
    const [first, second, cancelled] = (outcomes[index] ?? []).map(({ status }) => status === 'fulfilled')
    const confirms = [first, second].filter((each) => each === true).length
    expect({ state, confirms }).toEqual({ state, confirms: state === 'completed' ? 1 : 0 })
    if (cancelled === true) expect(state).toBe('cancelled')
  }
  await expectSoundOrders(bench, reseller.id, DEPOSIT)
  await expectSoundMoney(bench.database)
})

it('an order that two nodes see to again and again is paid once and ends once', async () => {
  const reseller = await newAccount()
  const { order } = await nodes[0].resellers.create(reseller, newOrder({ items: [itemOf({ quantity: 5 })] }))
  await nodes[0].resellers.confirm(reseller, order.code, confirmation(), CONTEXT)
  // The work is made due while nodes hold it, as if their leases had ended: several nodes pay at the same time.
  await Promise.all(
    Array.from({ length: 10 }, async (_, index) => {
      await bench.makeDue(order)
      await at(index).fulfilling.runOnce()
    }),
  )
  expect(await finish(reseller, order.code)).toMatchObject({ state: 'completed' })
  expect(await bench.refidsOf(reseller.id)).toHaveLength(5)
  await expectSoundOrders(bench, reseller.id, DEPOSIT)
  await expectSoundMoney(bench.database)
})
