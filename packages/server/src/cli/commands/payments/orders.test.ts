import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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
import { main } from '../../main.ts'

let bench: OrdersBench
let node: OrdersNode
let dataDir: string

beforeAll(async () => {
  bench = await openOrdersBench()
  node = bench.openNode2()
  dataDir = await mkdtemp(join(tmpdir(), 'warung-orders-'))
})
afterAll(async () => {
  await bench.closeOrders()
  await rm(dataDir, { recursive: true, force: true })
})

async function show(name: string, ...more: string[]) {
  const ran = { code: -1, out: '', err: '' }
  const io = {
    out: (text: string) => {
      ran.out += text
    },
    err: (text: string) => {
      ran.err += text
    },
    readInput: async () => '',
  }
  const env = {
    DATABASE_URL: bench.url,
    WARUNG_MASTER_KEY: bench.masterKey.bytes.toString('base64'),
    WARUNG_DATA_DIR: dataDir,
  }
  ran.code = await main(['order', 'show', '--order', name, ...more], io, env)
  return ran
}

describe('order show', () => {
  it('shows how an order and its payments go, with nothing that its customer typed', async () => {
    const reseller = bench.accountOf(await bench.newReseller(10_000_000n))
    const items = [itemOf(), itemOf({ account: ACCOUNTS.pending })]
    const { order, token } = await node.resellers.create(reseller, newOrder({ items }))
    await node.resellers.confirm(reseller, order.code, confirmation(), CONTEXT)
    await until('its payments are made', async () => {
      await node.fulfilling.runOnce()
      const { units } = (await node.resellers.get(reseller.id, order.code)).order
      if (units.map(({ state }) => state).join() === 'succeeded,sent') return true
      await bench.makeDue(order)
      return undefined
    })
    // An operator has to see an order whose secrets do not open as well.
    await bench.database.query(
      `update order_lines set sealed_input = '\\x00' where reseller_id = $1 and order_id = $2`,
      [reseller.id, order.id],
    )
    const shown = await show(order.code, '--json')
    expect(shown).toMatchObject({ code: 0, err: '' })
    expect(JSON.parse(shown.out)).toMatchObject({
      order_id: order.code,
      state: 'confirmed',
      total: '20.00',
      refund: '0.00',
      next_at: expect.stringMatching(/T/),
      looks: expect.any(Number),
      items: [{ product: 'KITA', quantity: 1, unit_price: '10.00' }, { line: 2 }],
      units: [
        { refid: `${order.code}-1-1`, state: 'succeeded', payment_id: expect.stringMatching(/^\d+$/) },
        { refid: `${order.code}-2-1`, state: 'sent', error: null },
      ],
    })
    const text = (await show(`${order.code}-2-1`)).out
    expect(text).toContain(`${order.code}-1-1`)
    for (const secret of [token as string, ACCOUNTS.succeeds, ACCOUNTS.pending]) {
      expect(shown.out + text).not.toContain(secret)
    }
  })

  it.each(['ord_000000000000000000000000', 'ord_', '1'])('there is no order %s', async (name) => {
    expect((await show(name)).code).toBe(1)
  })
})
