import { afterAll, beforeAll, expect, it } from 'vitest'
import { UncertainCommitError } from '../../../db/database.ts'
import { PERCENTAGE } from '../../../testing/catalog/catalog-samples.ts'
import { withBreakableDatabase } from '../../../testing/network/breakable-line.ts'
import type { OrdersBench, OrdersNode } from '../../../testing/orders.ts'
import {
  ACCOUNTS,
  CONTEXT,
  confirmation,
  expectSoundOrders,
  itemOf,
  newOrder,
  openOrdersBench,
} from '../../../testing/orders.ts'
import { until } from '../../../testing/payments/payments.ts'
import type { NewOrder } from './fields.rules.ts'
import { isFinal } from './states.rules.ts'
import type { OrderKey } from './types.ts'

let bench: OrdersBench
let node: OrdersNode

beforeAll(async () => {
  bench = await openOrdersBench()
  node = bench.openNode2()
})
afterAll(() => bench.closeOrders())

const DEPOSIT = 10_000_000n
/** Costs more than its price, which is the face value. */
const DEAR = { ...PERCENTAGE, unitPrice: 101_000_000n }

async function makeOrder(change: Partial<NewOrder> = {}, balance = DEPOSIT) {
  const reseller = bench.accountOf(await bench.newReseller(balance))
  const made = await node.resellers.create(reseller, newOrder(change))
  return { reseller, ...made, key: made.order, code: made.order.code }
}

const refusal = (code: string, more: object = {}) => ({ code, ...more })

async function finish(resellerId: bigint, code: string) {
  return until('the order is final', async () => {
    await node.fulfilling.runOnce()
    const { order } = await node.resellers.get(resellerId, code)
    if (isFinal(order.state)) return order
    await bench.makeDue(order)
    return undefined
  })
}

// ── Creation ──

it('the same request again is the same order with the same token', async () => {
  const given = newOrder()
  const { reseller, code, token } = await makeOrder(given)
  const again = await node.resellers.create(reseller, given)
  expect(again).toMatchObject({ isNew: false, token, order: { code } })
})

it('a reference with other content is a conflict that names the fields', async () => {
  const given = newOrder()
  const { reseller } = await makeOrder(given)
  const other = { ...given, userId: 'u-78', items: [itemOf({ quantity: 2 })] }
  await expect(node.resellers.create(reseller, other)).rejects.toMatchObject(
    refusal('reference_conflict', {
      fields: { user_id: [expect.any(String)], items: [expect.any(String)] },
    }),
  )
})

it('a repeated request is answered although its product is gone', async () => {
  const given = newOrder()
  const { reseller, code } = await makeOrder(given)
  bench.setWholesale(DEAR)
  try {
    expect((await node.resellers.create(reseller, given)).order).toMatchObject({ code, total: 100_000n })
  } finally {
    bench.setWholesale(PERCENTAGE)
  }
})

it('a complete fixed basket awaits payment at once, at the selling price and not at the cost', async () => {
  const { order } = await makeOrder({ items: [itemOf({ quantity: 2 })] })
  expect(order).toMatchObject({ state: 'awaiting_payment', total: 200_000n })
})

it('an item that would be rejected is refused with its path', async () => {
  const reseller = bench.accountOf(await bench.newReseller())
  const items = [itemOf(), itemOf({ productCode: 'NONE' }), itemOf({ amount: 1n })]
  await expect(node.resellers.create(reseller, newOrder({ items }))).rejects.toMatchObject(
    refusal('invalid_items', {
      status: 422,
      fields: {
        'items.1.product_code': [expect.any(String)],
        'items.2.amount': [expect.any(String)],
      },
    }),
  )
})

it('a customer has at most 50 open orders', async () => {
  const reseller = bench.accountOf(await bench.newReseller())
  await Promise.all(Array.from({ length: 50 }, () => node.resellers.create(reseller, newOrder())))
  await expect(node.resellers.create(reseller, newOrder())).rejects.toMatchObject(
    refusal('too_many_orders', { status: 429 }),
  )
  const other = await node.resellers.create(reseller, newOrder({ userId: 'somebody else' }))
  expect(other.isNew).toBe(true)
})

it('account and extras lie sealed in the database', async () => {
  const { key } = await makeOrder({ items: [itemOf({ account: '60198765432' })] })
  const { rows } = await bench.database.query<{ text: string }>(
    `select row_to_json(o)::text || (select json_agg(l)::text from order_lines l where l.order_id = o.id) as text
       from orders o where o.reseller_id = $1 and o.id = $2`,
    [key.resellerId, key.id],
  )
  expect(rows[0]?.text).toContain('KITA')
  expect(rows[0]?.text).not.toContain(Buffer.from('60198765432').toString('hex'))
  expect(rows[0]?.text).not.toContain('60198765432')
})

// ── The customer ──

it('a token opens its own order and no other', async () => {
  const first = await makeOrder()
  const second = await makeOrder()
  const { customers } = node
  const { resellerId, id } = first.key
  expect(await customers.findByToken(first.code, first.token as string)).toEqual({ resellerId, id })
  expect(await customers.findByToken(first.code, second.token as string)).toBeUndefined()
  expect(await customers.findByToken('ord_000000000000000000000000', first.token as string)).toBeUndefined()
})

it('a token reads its order for a day after the end, and not longer', async () => {
  const { key, code, token, reseller } = await makeOrder()
  await node.resellers.cancel(reseller.id, code, '')
  expect(await node.customers.findByToken(code, token as string)).toBeDefined()
  await bench.database.query(
    `update orders set completed_at = completed_at - interval '25 hours' where reseller_id = $1 and id = $2`,
    [key.resellerId, key.id],
  )
  expect(await node.customers.findByToken(code, token as string)).toBeUndefined()
})

it('a basket is priced by the server, and an unchanged line keeps its price', async () => {
  const { key } = await makeOrder({ items: null, products: ['KITA'] })
  const { customers } = node
  const first = await customers.replaceItems(key, { version: 1, items: [itemOf()] })
  expect(first.order).toMatchObject({ version: 2, total: 100_000n, lines: [{ unitPrice: 100_000n }] })
  await bench.database.query('update order_lines set unit_price = 90000 where order_id = $1', [key.id])
  const items = [itemOf(), itemOf({ amount: 200_000n })]
  const second = await customers.replaceItems(key, { version: 2, items })
  expect(second.order.lines.map(({ unitPrice }) => unitPrice)).toEqual([90_000n, 200_000n])
  expect(second.order.total).toBe(290_000n)
})

it('a customer chooses only from the products of the order', async () => {
  const { key } = await makeOrder({ items: null, products: ['KITA'] })
  const items = [itemOf({ productCode: 'NOVA' })]
  await expect(node.customers.replaceItems(key, { version: 1, items })).rejects.toMatchObject(
    refusal('invalid_items', { fields: { 'items.0.product_code': [expect.any(String)] } }),
  )
})

it('a fixed basket lets the customer set missing values alone', async () => {
  const { key, order } = await makeOrder({ items: [itemOf({ account: null })] })
  expect(order.state).toBe('draft')
  const { customers } = node
  expect((await customers.readForCustomer(key)).missing).toEqual(new Map([[1, ['account']]]))
  await expect(customers.submit(key, 1)).rejects.toMatchObject(
    refusal('invalid_items', { fields: { 'items.0.account': ['is required'] } }),
  )
  for (const forged of [
    itemOf({ amount: 50_000n }),
    itemOf({ quantity: 2 }),
    itemOf({ productCode: 'NOVA' }),
  ]) {
    await expect(customers.replaceItems(key, { version: 1, items: [forged] })).rejects.toMatchObject(
      refusal('invalid_items'),
    )
  }
  const filled = await customers.replaceItems(key, { version: 1, items: [itemOf()] })
  expect(filled.missing.size).toBe(0)
  const submitted = await customers.submit(key, 2)
  expect(submitted.order).toMatchObject({ state: 'awaiting_payment', total: 100_000n })
})

it('an account that the reseller fixed cannot be changed', async () => {
  const items = [itemOf({ account: ACCOUNTS.succeeds }), itemOf({ account: null })]
  const { key } = await makeOrder({ items })
  const forged = [itemOf({ account: ACCOUNTS.fails }), itemOf()]
  await expect(node.customers.replaceItems(key, { version: 1, items: forged })).rejects.toMatchObject(
    refusal('invalid_items', { fields: { 'items.0': [expect.any(String)] } }),
  )
})

it('a basket of an older version is neither replaced nor submitted', async () => {
  const { key } = await makeOrder({ items: null })
  const { customers } = node
  await customers.replaceItems(key, { version: 1, items: [itemOf()] })
  await expect(customers.replaceItems(key, { version: 1, items: [] })).rejects.toMatchObject(
    refusal('order_changed'),
  )
  await expect(customers.submit(key, 1)).rejects.toMatchObject(refusal('order_changed'))
})

it('a submitted basket never changes, and submitting again is harmless', async () => {
  const { key } = await makeOrder({ items: null })
  const { customers } = node
  await customers.replaceItems(key, { version: 1, items: [itemOf()] })
  await customers.submit(key, 2)
  expect((await customers.submit(key, 2)).order.state).toBe('awaiting_payment')
  await expect(customers.replaceItems(key, { version: 2, items: [] })).rejects.toMatchObject(
    refusal('order_not_open'),
  )
  await expect(
    bench.database.query('update orders set version = version + 1 where id = $1', [key.id]),
  ).rejects.toThrow('submitted')
})

// ── Confirmation ──

it('a draft, a wrong amount and a low balance are refused, and leave the order as it was', async () => {
  const draft = await makeOrder({ items: null })
  await expect(
    node.resellers.confirm(draft.reseller, draft.code, confirmation(), CONTEXT),
  ).rejects.toMatchObject(refusal('order_not_submitted'))
  const { reseller, code } = await makeOrder({}, 98_499n)
  await expect(
    node.resellers.confirm(reseller, code, confirmation('bank-1', 99_999n), CONTEXT),
  ).rejects.toMatchObject(refusal('amount_mismatch'))
  await expect(node.resellers.confirm(reseller, code, confirmation(), CONTEXT)).rejects.toMatchObject(
    refusal('insufficient_balance', {
      extra: expect.objectContaining({ needed: '9.85', balance: '9.8499' }),
    }),
  )
  expect((await node.resellers.get(reseller.id, code)).order.state).toBe('awaiting_payment')
  await bench.deposit(reseller.id, 1n)
  const confirmed = await node.resellers.confirm(reseller, code, confirmation('bank-1', 100_000n), CONTEXT)
  expect(confirmed.order.paymentReference).toBe('bank-1')
  expect(confirmed.token).toBeNull()
})

it('a cost that rose above the locked price is refused, unless the account accepts it', async () => {
  const { reseller, code } = await makeOrder()
  bench.setWholesale(DEAR)
  try {
    await expect(node.resellers.confirm(reseller, code, confirmation(), CONTEXT)).rejects.toMatchObject(
      refusal('cost_above_price', {
        extra: expect.objectContaining({ items: [{ line: 1, cost: '10.10', unit_price: '10.00' }] }),
      }),
    )
    const settings = await node.settings.settingsOf(reseller.id)
    await node.settings.save(reseller.id, { ...settings, acceptsLoss: true })
    const { order } = await node.resellers.confirm(reseller, code, confirmation(), CONTEXT)
    expect(order).toMatchObject({ total: 100_000n, paymentReference: 'bank-1' })
  } finally {
    bench.setWholesale(PERCENTAGE)
  }
})

it('another payment reference for a confirmed order is refused', async () => {
  const { reseller, code } = await makeOrder()
  await node.resellers.confirm(reseller, code, confirmation('bank-1'), CONTEXT)
  await expect(node.resellers.confirm(reseller, code, confirmation('bank-2'), CONTEXT)).rejects.toMatchObject(
    refusal('already_confirmed'),
  )
  await expect(node.resellers.cancel(reseller.id, code, '')).rejects.toMatchObject(
    refusal('already_confirmed'),
  )
})

it('an order past its expiry is timed out by whoever meets it first', async () => {
  const { reseller, code, key } = await makeOrder()
  await bench.expire(key)
  await expect(node.resellers.confirm(reseller, code, confirmation(), CONTEXT)).rejects.toMatchObject(
    refusal('order_timeout'),
  )
  await expect(node.resellers.cancel(reseller.id, code, '')).rejects.toMatchObject(refusal('order_timeout'))
  expect((await node.resellers.get(reseller.id, code)).order).toMatchObject({ state: 'timeout', refund: 0n })
  await expectSoundOrders(bench, reseller.id, DEPOSIT)
})

// ── Fulfilment ──

it('failed units are summed up in the refund, and the others are paid', async () => {
  const items = [itemOf({ quantity: 2 }), itemOf({ account: ACCOUNTS.fails, amount: 50_000n, quantity: 2 })]
  const { reseller, code } = await makeOrder({ items })
  await node.resellers.confirm(reseller, code, confirmation(), CONTEXT)
  const order = await finish(reseller.id, code)
  expect(order).toMatchObject({ state: 'partially_completed', refund: 100_000n, total: 300_000n })
  expect(order.units.map(({ refid }) => refid)).toEqual(
    ['1-1', '1-2', '2-1', '2-2'].map((end) => `${code}-${end}`),
  )
  await expectSoundOrders(bench, reseller.id, DEPOSIT)
})

it('a node that lost its lease writes nothing down', async () => {
  const { reseller, code, key } = await makeOrder({ items: [itemOf({ account: ACCOUNTS.pending })] })
  await node.resellers.confirm(reseller, code, confirmation(), CONTEXT)
  await until('it is sent', async () => {
    await node.fulfilling.runOnce()
    const { order } = await node.resellers.get(reseller.id, code)
    return order.units[0]?.state === 'sent'
  })
  const { rows } = await bench.database.query<{ verdict: string }>(
    `select note_order_units('{1}', '{1}', '{failed}', array[null]::bigint[], '{late}', $1, $2, gen_random_uuid())
       as verdict`,
    [key.resellerId, key.id],
  )
  expect(rows[0]?.verdict).toBe('lost')
  expect((await node.resellers.get(reseller.id, code)).order.units[0]?.state).toBe('sent')
})

it('results are shown to the customer only if the order says so', async () => {
  const shown = await makeOrder({ showsResults: true })
  const hidden = await makeOrder()
  for (const { reseller, code } of [shown, hidden]) {
    await node.resellers.confirm(reseller, code, confirmation(), CONTEXT)
    await finish(reseller.id, code)
  }
  expect(await node.customers.listResults(shown.key)).toMatchObject([
    { line: 1, number: 1, serialNumber: 'SN1' },
  ])
  expect(await node.customers.listResults(hidden.key)).toEqual([])
})

it.each<[string, Partial<NewOrder>, (own: OrdersNode, key: OrderKey) => Promise<unknown>]>([
  [
    'filled',
    { items: null },
    (own, key) => own.customers.replaceItems(key, { version: 1, items: [itemOf()] }),
  ],
  ['submitted', {}, (own, key) => own.customers.submit(key, 1)],
  ['cancelled', {}, (own, key) => own.customers.cancelByCustomer(key)],
])('an order that its customer has %s while the database is lost is uncertain', async (_, change, act) => {
  const { key } = await makeOrder(change)
  await withBreakableDatabase(bench.connection, async (database, line) => {
    const own = bench.openNode2({ database })
    await own.fulfilling.runOnce()
    line.breakCommit('answered')
    await expect(act(own, key)).rejects.toBeInstanceOf(UncertainCommitError)
    await own.fulfilling.stop()
  })
})
