import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { claimLeased } from '../../../db/leases.ts'
import { PERCENTAGE } from '../../../testing/catalog/catalog-samples.ts'
import type { OrdersBench, OrdersNode } from '../../../testing/orders.ts'
import { expectSoundOrders, itemOf, newOrder, openOrdersBench } from '../../../testing/orders.ts'
import { until } from '../../../testing/payments/payments.ts'
import { createAlerts, listAlerts } from '../../alerts/core/service.ts'
import type { PayInput } from '../../payments/take/service.ts'
import type { NewOrder } from '../core/fields.rules.ts'
import { isFinal } from '../core/states.rules.ts'
import type { Order, OrderKey } from '../core/types.ts'
import { startFulfilling } from './jobs.ts'
import { seeTo, termOf } from './service.ts'
import { watchOrders } from './stuck.jobs.ts'
import { readStuckOrders } from './stuck.sql.ts'
import { claimOrders } from './work.sql.ts'

let bench: OrdersBench
let node: OrdersNode

beforeAll(async () => {
  bench = await openOrdersBench()
  node = bench.openNode2()
})
afterEach(() => bench.setCatalog())
afterAll(() => bench.closeOrders())

const DEPOSIT = 10_000_000n
const COST = 98_500n
/** Costs more than its price, which is the face value. */
const DEAR = { ...PERCENTAGE, unitPrice: 101_000_000n }

async function makeOrder(change: Partial<NewOrder> = {}, balance = DEPOSIT): Promise<Order> {
  const reseller = bench.accountOf(await bench.newReseller(balance))
  return (await node.resellers.create(reseller, newOrder(change))).order
}

async function read({ resellerId, code }: Order): Promise<Order> {
  return (await node.resellers.get(resellerId, code)).order
}

async function finish(order: Order): Promise<Order> {
  return until('the order is final', async () => {
    await bench.makeDue(order)
    await node.fulfilling.runOnce()
    const now = await read(order)
    return isFinal(now.state) ? now : undefined
  })
}

/** Claims the work of an order for a node that the test moves by hand. */
async function claim(order: Order) {
  await bench.makeDue(order)
  const leased = await claimLeased(node.fulfil, 100, (terms) => claimOrders(node.database, terms))
  const work = leased.work.find(({ id }) => id === order.id)
  if (work === undefined) throw new Error('the order was not claimed')
  return { work, term: termOf(node.fulfil, leased) }
}

function gate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, opened }
}

async function breakInput({ resellerId, id }: OrderKey, line: number): Promise<() => Promise<unknown>> {
  const where = 'where reseller_id = $1 and order_id = $2 and line = $3'
  const key = [resellerId, id, line]
  const { rows } = await bench.database.query<{ sealed_input: Buffer }>(
    `select sealed_input from order_lines ${where}`,
    key,
  )
  const set = (input: Buffer | undefined) =>
    bench.database.query(`update order_lines set sealed_input = $4 ${where}`, [...key, input])
  const sealed = rows[0]?.sealed_input
  await set(Buffer.concat([sealed ?? Buffer.alloc(0), Buffer.from([0])]))
  return () => set(sealed)
}

// ── Two nodes with one order ──

it('a node whose claim ended with the confirmation cannot pay for a unit that another node gave up', async () => {
  const order = await makeOrder()
  const { work, term } = await claim(order)
  expect(await bench.confirmQuietly(order, [COST])).toBe('confirmed')
  const [entered, released] = [gate(), gate()]
  const payments = {
    async pay(input: PayInput) {
      entered.open()
      await released.opened
      return node.payments.pay(input)
    },
  }
  const slow = seeTo({ ...node.fulfil, payments }, work, term)
  await entered.opened
  bench.setCatalog({ isActive: false })
  expect(await finish(order)).toMatchObject({ state: 'failed', refund: 100_000n })
  bench.setCatalog()
  released.open()
  await slow
  expect(await bench.refidsOf(order.resellerId)).toEqual([])
  await expectSoundOrders(bench, order.resellerId, DEPOSIT)
})

it('nothing is paid in the last quarter of a lease, which is for writing down', async () => {
  const order = await makeOrder()
  expect(await bench.confirmQuietly(order, [COST])).toBe('confirmed')
  const { work } = await claim(order)
  const leaseEndsMs = performance.now() + node.fulfil.leaseMs * 0.2
  await seeTo(node.fulfil, work, termOf(node.fulfil, { leaseEndsMs }))
  expect(await bench.refidsOf(order.resellerId)).toEqual([])
  expect(await finish(order)).toMatchObject({ state: 'completed' })
})

// ── Costs and balance ──

it('a cost that rises after the confirmation fails the unit, unless the account accepts the loss', async () => {
  const [refused, accepted] = [await makeOrder(), await makeOrder()]
  for (const order of [refused, accepted]) await bench.confirmQuietly(order, [COST])
  const settings = await node.settings.settingsOf(accepted.resellerId)
  await node.settings.save(accepted.resellerId, { ...settings, acceptsLoss: true })
  bench.setCatalog({ wholesale: DEAR })
  expect(await finish(refused)).toMatchObject({
    state: 'failed',
    refund: 100_000n,
    units: [{ error: 'Cost_Above_Price' }],
  })
  expect(await bench.refidsOf(refused.resellerId)).toEqual([])
  expect(await finish(accepted)).toMatchObject({ state: 'completed', refund: 0n })
})

it('several of the same in one basket are meant, also where the reseller refuses the same payment again', async () => {
  const order = await makeOrder({ items: [itemOf({ quantity: 2 })] })
  expect(await bench.confirmQuietly(order, [COST, COST])).toBe('confirmed')
  await payRefusingRepeats(order)
  expect(await finish(order)).toMatchObject({ state: 'completed' })
  expect(await bench.refidsOf(order.resellerId)).toHaveLength(2)
})

/** Pays an order of a reseller that refuses the same payment again. */
async function payRefusingRepeats(order: Order): Promise<void> {
  const findReseller = (id: bigint) => ({ ...bench.accountOf(id), duplicateWindowSeconds: 600 })
  const { work, term } = await claim(order)
  await seeTo({ ...node.fulfil, directory: { findReseller } }, work, term)
}

it('an order that repeats a payment is paid where its customer was asked, and refused elsewhere', async () => {
  const first = await makeOrder()
  await bench.confirmQuietly(first, [COST])
  expect(await finish(first)).toMatchObject({ state: 'completed' })
  const reseller = bench.accountOf(first.resellerId)
  const asked = newOrder({ items: [itemOf({ account: null })] })
  const { order } = await node.resellers.create(reseller, asked)
  await node.customers.replaceItems(order, { version: 1, items: [itemOf()] })
  await expect(node.customers.submit(order, 2)).rejects.toMatchObject({
    code: 'possible_duplicate',
    extra: { repeats: [{ line: 1 }] },
  })
  await node.customers.submit(order, 2, true)
  await bench.confirmQuietly(order, [COST])
  await payRefusingRepeats(order)
  expect(await finish(order)).toMatchObject({ state: 'completed' })
  const unasked = (await node.resellers.create(reseller, newOrder())).order
  await bench.confirmQuietly(unasked, [COST])
  await payRefusingRepeats(unasked)
  expect(await finish(unasked)).toMatchObject({ state: 'failed', units: [{ error: 'Possible_Duplicate' }] })
})

it('units wait for a deposit, and while they do one of them is tried at each look', async () => {
  const order = await makeOrder({ items: [itemOf({ quantity: 3 })] }, COST - 1n)
  // The costs were lower when it was confirmed.
  expect(await bench.confirmQuietly(order, [1n])).toBe('confirmed')
  const asked: string[] = []
  const payments = {
    pay(input: PayInput) {
      asked.push(input.request.refid)
      return node.payments.pay(input)
    },
  }
  const look = async () => {
    const { work, term } = await claim(order)
    await seeTo({ ...node.fulfil, payments }, work, term)
    return asked.splice(0).length
  }
  expect(await look()).toBe(3)
  expect(await read(order)).toMatchObject({
    state: 'confirmed',
    units: Array.from({ length: 3 }, () => ({ state: 'waiting', error: 'Insufficient_Balance' })),
  })
  expect(await look()).toBe(1)
  await bench.deposit(order.resellerId, 1_000_000n)
  expect(await finish(order)).toMatchObject({ state: 'completed' })
  await expectSoundOrders(bench, order.resellerId, 1_000_000n + COST - 1n)
})

// ── Orders that cannot be read, and orders that are stuck ──

it('an open order whose line cannot be opened is listed, and times out', async () => {
  const order = await makeOrder()
  const reseller = bench.accountOf(order.resellerId)
  const other = await node.resellers.create(reseller, newOrder())
  await breakInput(order, 1)
  const filter = { state: null, reference: null, userId: null, fromMs: null, untilMs: null, before: null }
  const { orders } = await node.resellers.list(reseller.id, { ...filter, limit: 10 })
  expect(orders.map((each) => [each.order.code, each.order.lines[0]?.account])).toEqual([
    [other.order.code, itemOf().account],
    [order.code, null],
  ])
  await bench.expire(order)
  await node.fulfilling.runOnce()
  expect(await read(order)).toMatchObject({ state: 'timeout' })
})

/** Alerts about an order that are open after another turn of the watch. */
async function alertsAbout({ code }: Order) {
  const { database } = bench
  await watchOrders({ database, alerts: createAlerts({ database, onRaised: () => {} }) })
  const open = await listAlerts(database, { limit: 1_000, withCleared: false })
  return open.filter(({ subject }) => subject === code).map(({ kind, text }) => ({ kind, text }))
}

it('a line that cannot be opened holds up its own units only, and operators are told after a while', async () => {
  const order = await makeOrder({ items: [itemOf(), itemOf({ amount: 50_000n })] })
  await bench.confirmQuietly(order, [COST, COST / 2n])
  const mend = await breakInput(order, 2)
  await until('the other line is paid', async () => {
    await bench.makeDue(order)
    await node.fulfilling.runOnce()
    return (await read(order)).units[0]?.state === 'succeeded'
  })
  expect((await read(order)).units[1]).toMatchObject({ state: 'waiting' })
  expect(await alertsAbout(order)).toEqual([])
  await bench.database.query(
    `update orders set created_at = created_at - interval '1 hour', confirmed_at = confirmed_at - interval '16 minutes'
      where reseller_id = $1 and id = $2`,
    [order.resellerId, order.id],
  )
  expect(await alertsAbout(order)).toMatchObject([{ kind: 'order_stuck' }])
  expect(await readStuckOrders(bench.database)).toMatchObject({ count: 1, oldestSeconds: expect.any(Number) })
  await mend()
  expect(await finish(order)).toMatchObject({ state: 'completed' })
  expect(await alertsAbout(order)).toEqual([])
})

it('an order whose looks fail one after the other is stuck until one does not', async () => {
  const order = await makeOrder()
  await bench.confirmQuietly(order, [COST])
  const failpoint = () => {
    throw new Error('the look fails')
  }
  const failing = startFulfilling({ ...node.fulfil, failpoint, everyMs: 86_400_000 })
  await bench.makeDue(order)
  await until('a look has failed', async () => {
    await failing.runOnce()
    const { rows } = await bench.database.query(
      `update order_work set failing_since = failing_since - interval '6 minutes'
        where reseller_id = $1 and order_id = $2 and failing_since is not null returning 1`,
      [order.resellerId, order.id],
    )
    return rows.length > 0
  })
  await failing.stop()
  expect(await alertsAbout(order)).toMatchObject([{ kind: 'order_stuck' }])
  await finish(order)
  expect(await alertsAbout(order)).toEqual([])
})
