import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import type { OrdersBench, OrdersNode } from '../../../testing/orders.ts'
import { CONTEXT, confirmation, itemOf, newOrder, openOrdersBench } from '../../../testing/orders.ts'
import { LATER, NO_EXTRAS, until } from '../../../testing/payments/payments.ts'
import type { NewOrder } from './fields.rules.ts'
import { requestOf } from './items.rules.ts'
import { sealLines } from './service.ts'
import { confirmOrder, replaceBasket, submitOrder } from './sql.ts'
import type { Order } from './types.ts'

let bench: OrdersBench
let node: OrdersNode

beforeAll(async () => {
  bench = await openOrdersBench()
  node = bench.openNode2()
})
afterEach(() => bench.setCatalog())
afterAll(() => bench.closeOrders())

const COST = 98_500n

async function makeOrder(change: Partial<NewOrder> = {}, balance = 10_000_000n): Promise<Order> {
  const reseller = bench.accountOf(await bench.newReseller(balance))
  return (await node.resellers.create(reseller, newOrder(change))).order
}

function confirm({ resellerId, code }: Order) {
  return node.resellers.confirm(bench.accountOf(resellerId), code, confirmation(), CONTEXT)
}

// ── Prices ──

it('a line of before gives its price to one equal line, and not to a second one', async () => {
  const order = await makeOrder({ items: null })
  await node.customers.replaceItems(order, { version: 1, items: [itemOf()] })
  await bench.database.query('update order_lines set unit_price = 90000 where order_id = $1', [order.id])
  const { order: now } = await node.customers.replaceItems(order, { version: 2, items: [itemOf(), itemOf()] })
  expect(now.lines.map(({ unitPrice }) => unitPrice)).toEqual([90_000n, 100_000n])
})

it('a line keeps its price when its quantity changes', async () => {
  const order = await makeOrder({ items: null })
  await node.customers.replaceItems(order, { version: 1, items: [itemOf()] })
  await bench.database.query('update order_lines set unit_price = 90000 where order_id = $1', [order.id])
  const more = await node.customers.replaceItems(order, { version: 2, items: [itemOf({ quantity: 3 })] })
  expect(more.order).toMatchObject({ total: 270_000n, lines: [{ unitPrice: 90_000n, quantity: 3 }] })
  const fewer = await node.customers.replaceItems(order, { version: 3, items: [itemOf({ quantity: 2 })] })
  expect(fewer.order.total).toBe(180_000n)
})

it('an unchanged line keeps its price, not that of a line with another quantity', async () => {
  const order = await makeOrder({ items: null })
  const items = [itemOf({ quantity: 2 }), itemOf()]
  await node.customers.replaceItems(order, { version: 1, items })
  await bench.database.query('update order_lines set unit_price = 90000 - line * 10000 where order_id = $1', [
    order.id,
  ])
  const changed = [itemOf({ quantity: 5 }), itemOf()]
  const { order: now } = await node.customers.replaceItems(order, { version: 2, items: changed })
  expect(now.lines.map(({ unitPrice }) => unitPrice)).toEqual([80_000n, 70_000n])
})

it.each([-100_000n, -200_000n])(
  'a price that an adjustment of %s leaves at nothing is refused',
  async (value) => {
    bench.setCatalog({ adjustment: { type: 'fixed', value } })
    await expect(makeOrder()).rejects.toMatchObject({
      code: 'invalid_items',
      status: 422,
      fields: { 'items.0.amount': [expect.any(String)] },
    })
  },
)

// ── Values that are missing ──

const BILL = itemOf({
  productCode: 'BILL',
  extras: { ...NO_EXTRAS, billerCode: 'WATER', icNumber: '900101015555' },
})

it('a line that lacks a value which its biller asks for by now cannot be confirmed', async () => {
  const order = await makeOrder({ items: [BILL] })
  expect(order).toMatchObject({ state: 'awaiting_payment', lines: [{ openFields: ['ref2'] }] })
  bench.setCatalog({ needsRef2: true })
  await expect(confirm(order)).rejects.toMatchObject({
    code: 'item_unavailable',
    status: 409,
    fields: { 'items.0.extras.ref2': [expect.any(String)] },
  })
  bench.setCatalog()
  expect((await confirm(order)).order.confirmedAt).not.toBeNull()
})

it('a fixed line of an unknown product is refused for its product, with or without an account', async () => {
  for (const account of ['60123456789', null]) {
    await expect(makeOrder({ items: [itemOf({ productCode: 'NONE', account })] })).rejects.toMatchObject({
      code: 'invalid_items',
      fields: { 'items.0.product_code': ['There is no such product.'] },
    })
  }
})

it('a line without an account is refused, also where the product accepts any account', async () => {
  const order = await makeOrder({ items: null })
  await expect(
    node.customers.replaceItems(order, { version: 1, items: [{ ...BILL, account: null }] }),
  ).rejects.toMatchObject({ code: 'invalid_items', fields: { 'items.0.account': [expect.any(String)] } })
})

it('a basket that changes while it is submitted is not submitted without a judgement', async () => {
  const order = await makeOrder({ items: [itemOf({ account: null })] })
  await bench.database.transaction(async (tx) => {
    // The basket is the same, and still lacks its account.
    await replaceBasket(tx, order, 1, sealLines(bench.vault, order, order.lines))
    await expect(node.customers.submit(order, 2)).rejects.toMatchObject({ code: 'order_changed' })
  })
  await expect(node.customers.submit(order, 2)).rejects.toMatchObject({ code: 'invalid_items' })
  const submitUnjudged = () =>
    bench.database.transaction((tx) => submitOrder(tx, order, { version: 2, isJudged: false }))
  expect(await submitUnjudged()).toBe('unjudged')
})

it('an empty basket is a verdict, and no error of the database', async () => {
  const order = await makeOrder({ items: null })
  await expect(node.customers.submit(order, 1)).rejects.toMatchObject({ code: 'invalid_items' })
  const given = { version: 1, isJudged: true }
  expect(await bench.database.transaction((tx) => submitOrder(tx, order, given))).toBe('empty')
})

// ── Balance ──

/** Makes two orders of one account whose balance is `more` than the cost of one. */
async function makeTwo(more: bigint): Promise<[Order, Order]> {
  const first = await makeOrder({}, COST + more)
  const second = await node.resellers.create(bench.accountOf(first.resellerId), newOrder())
  return [first, second.order]
}

it('money that a confirmed order still needs is not there for another one', async () => {
  const [first, second] = await makeTwo(COST - 1n)
  expect(await bench.confirmQuietly(first, [COST])).toBe('confirmed')
  await expect(confirm(second)).rejects.toMatchObject({
    code: 'insufficient_balance',
    extra: expect.objectContaining({ needed: '9.85', balance: '9.8499' }),
  })
  await bench.deposit(first.resellerId, 1n)
  expect((await confirm(second)).order.confirmedAt).not.toBeNull()
})

it('two orders that are confirmed at once on the money for one are not both confirmed', async () => {
  const [first, second] = await makeTwo(COST - 1n)
  const given = { paymentReference: 'bank-1', sender: CONTEXT.sender, costs: [COST] }
  const { verdict } = await bench.database.transaction(async (tx) => {
    expect((await confirmOrder(tx, first, given)).verdict).toBe('confirmed')
    const other = bench.confirmQuietly(second, [COST])
    await Promise.race([other, until('the second one waits for the first', isWaiting)])
    return { verdict: other }
  })
  expect(await verdict).toBe('insufficient')
})

async function isWaiting(): Promise<boolean> {
  const { rows } = await bench.database.query(
    `select 1 from pg_locks where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())`,
  )
  return rows.length > 0
}

it('a unit that is paid and not written down yet does not count twice', async () => {
  const [first, second] = await makeTwo(COST)
  await bench.confirmQuietly(first, [COST])
  const paid = await node.payments.pay({
    caller: {
      reseller: bench.accountOf(first.resellerId),
      kind: 'user',
      memberId: first.code,
      scopes: new Set(['pay']),
    },
    request: requestOf(itemOf(), `${first.code}-1-1`),
    sender: CONTEXT.sender,
    deadlineMs: LATER,
  })
  expect(paid.kind).toBe('payment')
  expect(await bench.confirmQuietly(second, [COST])).toBe('confirmed')
})

it('an order that has lost its row of work gets one when it is confirmed', async () => {
  const order = await makeOrder()
  const { resellerId, id } = order
  await bench.database.query('delete from order_work where reseller_id = $1 and order_id = $2', [
    resellerId,
    id,
  ])
  await bench.confirmQuietly(order, [COST])
  await node.fulfilling.runOnce()
  expect((await node.resellers.get(resellerId, order.code)).order.state).not.toBe('awaiting_payment')
  expect(await bench.refidsOf(resellerId)).toHaveLength(1)
})
