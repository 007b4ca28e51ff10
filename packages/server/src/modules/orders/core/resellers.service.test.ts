import { afterAll, beforeAll, expect, it } from 'vitest'
import { UncertainCommitError } from '../../../db/database.ts'
import { withBreakableDatabase } from '../../../testing/network/breakable-line.ts'
import type { OrdersBench, OrdersNode } from '../../../testing/orders.ts'
import {
  ACCOUNTS,
  CONTEXT,
  confirmation,
  itemOf,
  newOrder,
  openOrdersBench,
} from '../../../testing/orders.ts'
import { until } from '../../../testing/payments/payments.ts'
import type { NewOrder } from './fields.rules.ts'
import { forgetOldInputs } from './retention.service.ts'
import { isFinal } from './states.rules.ts'
import { readEndedOrders } from './transactions.service.ts'
import type { OrderState } from './types.ts'
import { orderEventView } from './view.ts'

let bench: OrdersBench
let node: OrdersNode

beforeAll(async () => {
  bench = await openOrdersBench()
  node = bench.openNode2()
})
afterAll(() => bench.closeOrders())

async function makeOrder(change: Partial<NewOrder> = {}, balance = 10_000_000n) {
  const reseller = bench.accountOf(await bench.newReseller(balance))
  const made = await node.resellers.create(reseller, newOrder(change))
  return { reseller, ...made, key: made.order, code: made.order.code }
}

const refusal = (code: string, more: object = {}) => ({ code, ...more })

/** Filter of a list that leaves nothing out. */
const ANY = {
  state: null,
  reference: null,
  userId: null,
  fromMs: null,
  untilMs: null,
  before: null,
  limit: 100,
}

async function finish(resellerId: bigint, code: string) {
  return until('the order is final', async () => {
    await node.fulfilling.runOnce()
    const { order } = await node.resellers.get(resellerId, code)
    if (isFinal(order.state)) return order
    await bench.makeDue(order)
    return undefined
  })
}

it('unknown products are refused by name, whatever their place in the request', async () => {
  const reseller = bench.accountOf(await bench.newReseller())
  const given = newOrder({ items: null, products: ['KITA', 'NONE'] })
  await expect(node.resellers.create(reseller, given)).rejects.toMatchObject(
    refusal('invalid_items', { fields: { products: ['There is no such product: NONE'] } }),
  )
})

it('a list shows an order past its expiry as timed out, and only in the list of that state', async () => {
  const { reseller, code, key } = await makeOrder()
  const open = await node.resellers.create(reseller, newOrder())
  await bench.expire(key)
  const statesOf = async (state: OrderState | null) =>
    new Map(
      (await node.resellers.list(reseller.id, { ...ANY, state })).orders.map(({ order, token }) => [
        order.code,
        { state: order.state, token },
      ]),
    )
  const still = [open.order.code, { state: 'awaiting_payment', token: open.token }] as const
  const ended = [code, { state: 'timeout', token: null }] as const
  expect(await statesOf('awaiting_payment')).toEqual(new Map([still]))
  expect(await statesOf(null)).toEqual(new Map<string, unknown>([still, ended]))
  expect(await statesOf('timeout')).toEqual(new Map([ended]))
})

it('the reason of a cancelled order is kept with it', async () => {
  const { reseller, code } = await makeOrder()
  const { order } = await node.resellers.cancel(reseller.id, code, 'no stock')
  expect(order).toMatchObject({ state: 'cancelled', cancelReason: 'no stock' })
})

it('the test clock brings the end of a confirmed order nearer', async () => {
  const { reseller, code } = await makeOrder({ items: [itemOf({ account: ACCOUNTS.pending })] })
  const { order } = await node.resellers.confirm(reseller, code, confirmation(), CONTEXT)
  await bench.database.query('select advance_orders($1, 86400)', [reseller.id])
  const later = await node.resellers.get(reseller.id, code)
  expect(Number(order.confirmedAt) - Number(later.order.confirmedAt)).toBe(86_400_000)
})

it('an event tells of a success as it was, also after the payment was voided', async () => {
  const { reseller, code, key } = await makeOrder()
  await node.resellers.confirm(reseller, code, confirmation(), CONTEXT)
  const { units } = await finish(reseller.id, code)
  const tell = async () => {
    const [paid] = await readEndedOrders(bench.database, bench.vault, [key])
    return paid && orderEventView(paid)
  }
  const before = await tell()
  expect(before?.items[0]?.transactions).toMatchObject([{ status_code: 20, sn: 'SN1' }])
  const { resolver } = bench.openNode()
  const paymentId = units[0]?.paymentId as bigint
  const voided = {
    resellerId: reseller.id,
    id: paymentId,
    outcome: { kind: 'voided' },
    nextMs: 60_000,
  } as const
  expect(await resolver.submit(voided)).toBe(true)
  const { payments } = await node.resellers.get(reseller.id, code)
  expect(payments.get(paymentId)?.code).not.toBe(20)
  expect(await tell()).toEqual(before)
})

it('30 days after the end an order has no token, account or extras, and its reference is judged as before', async () => {
  const given = newOrder()
  const old = await makeOrder(given)
  await node.resellers.confirm(old.reseller, old.code, confirmation(), CONTEXT)
  const ended = await finish(old.reseller.id, old.code)
  const fresh = await node.resellers.create(old.reseller, newOrder())
  await node.resellers.cancel(old.reseller.id, fresh.order.code, '')
  const open = await node.resellers.create(old.reseller, newOrder())
  await bench.database.query(
    `update orders set created_at = created_at - interval '31 days',
                       completed_at = completed_at - case when id = $2 then interval '31 days' else '29 days' end
      where reseller_id = $1`,
    [old.reseller.id, old.key.id],
  )
  await forgetOldInputs(bench.database)

  const { rows } = await bench.database.query<{ id: bigint; has_token: boolean; has_inputs: boolean }>(
    `select o.id, o.sealed_token is not null as has_token, bool_or(l.sealed_input is not null) as has_inputs
       from orders o join order_lines l on l.reseller_id = o.reseller_id and l.order_id = o.id
      where o.reseller_id = $1 group by o.id, o.sealed_token order by o.id`,
    [old.reseller.id],
  )
  expect(rows).toEqual([
    { id: old.key.id, has_token: false, has_inputs: false },
    { id: fresh.order.id, has_token: true, has_inputs: true },
    { id: open.order.id, has_token: true, has_inputs: true },
  ])
  const again = await node.resellers.create(old.reseller, given)
  expect(again).toMatchObject({ isNew: false, token: null, order: { code: old.code, state: 'completed' } })
  expect(again.order.lines).toMatchObject([{ account: null, unitPrice: 100_000n }])
  expect(again.order.units).toEqual(ended.units)
  const other = { ...given, items: [itemOf({ account: ACCOUNTS.fails })] }
  await expect(node.resellers.create(old.reseller, other)).rejects.toMatchObject(
    refusal('reference_conflict', { fields: { items: [expect.any(String)] } }),
  )
})

it.each<[string, (own: OrdersNode, made: Awaited<ReturnType<typeof makeOrder>>) => Promise<unknown>]>([
  ['created', (own, { reseller }) => own.resellers.create(reseller, newOrder())],
  ['confirmed', (own, { reseller, code }) => own.resellers.confirm(reseller, code, confirmation(), CONTEXT)],
  ['cancelled', (own, { reseller, code }) => own.resellers.cancel(reseller.id, code, 'no stock')],
])('an order that is %s while the database is lost is uncertain, because it may be done', async (_, act) => {
  const made = await makeOrder()
  await withBreakableDatabase(bench.connection, async (database, line) => {
    const own = bench.openNode2({ database })
    await own.fulfilling.runOnce()
    // The commit that is broken is the one of the act.
    await own.fulfilling.stop()
    line.breakCommit('answered')
    await expect(act(own, made)).rejects.toBeInstanceOf(UncertainCommitError)
  })
  const { orders } = await node.resellers.list(made.reseller.id, ANY)
  expect(orders.map(({ order }) => order.state)).not.toEqual(['awaiting_payment'])
})
