import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Demo } from '../catalog.ts'
import { shareDemo } from '../catalog.ts'
import type { CheckoutOrder } from '../checkout-orders.ts'
import { reloadOrder } from '../checkout-orders.ts'
import { PHONE } from '../payments.ts'
import { until } from '../service.ts'
import type { Shop } from './members.ts'
import { dataOf, openShop, walk } from './members.ts'

// Orders and checkout settings in the portal: the operations of the reseller API, at paths of the portal.

let demo: Demo
let shop: Shop

beforeAll(async () => {
  demo = await shareDemo()
  shop = await openShop(demo.service, '1000')
})
afterAll(() => demo?.end())

async function make(changes: Record<string, unknown> = {}): Promise<CheckoutOrder> {
  return dataOf<CheckoutOrder>(await shop.admin.send('POST', '/orders', reloadOrder(changes)))
}

async function untilEnded(id: string): Promise<CheckoutOrder> {
  return until('the order has ended', async () => {
    const order = dataOf<CheckoutOrder>(await shop.admin.get(`/orders/${id}`))
    return ['completed', 'partially_completed', 'failed'].includes(order.status) && order
  })
}

describe('orders in the portal', () => {
  it('are made, listed, confirmed once and cancelled by admins', async () => {
    const body = reloadOrder()
    const [first, repeated] = [
      await shop.admin.send('POST', '/orders', body),
      await shop.admin.send('POST', '/orders', body),
    ]
    expect([first.status, repeated.status]).toEqual([201, 200])
    const order = dataOf<CheckoutOrder>(repeated)
    expect(order).toEqual(dataOf(first))
    expect(order).toMatchObject({ status: 'awaiting_payment', client_token: expect.stringMatching(/^ct_/) })
    const confirm = { payment_reference: 'bank-1', total_amount: order.total_amount }
    const confirmed = await shop.admin.send('POST', `/orders/${order.order_id}/confirm`, confirm)
    expect(dataOf(confirmed)).toMatchObject({ order_id: order.order_id })
    expect(await untilEnded(order.order_id)).toMatchObject({ status: 'completed', refund_amount: '0.00' })
    const other = { ...confirm, payment_reference: 'bank-2' }
    const again = await shop.admin.send('POST', `/orders/${order.order_id}/confirm`, other)
    expect([again.status, again.json<{ error: string }>().error]).toEqual([409, 'already_confirmed'])

    const second = await make()
    const cancelled = await shop.admin.send('POST', `/orders/${second.order_id}/cancel`, {})
    expect(dataOf(cancelled)).toMatchObject({ status: 'cancelled', client_token: null })
    const listed = await walk(shop.admin, '/orders', 1)
    expect(listed.map(({ order_id: id }) => id)).toEqual([second.order_id, order.order_id])
  })

  it('show viewers no token, no PIN and no way to change anything', async () => {
    const items = [{ product_code: 'PINTEN', amount: '10.00', account: PHONE, quantity: 1 }]
    const order = await make({ items })
    const { viewer } = shop
    const path = `/orders/${order.order_id}`
    const seen = await viewer.get(path)
    expect(dataOf(seen)).toMatchObject({ status: 'awaiting_payment', client_token: null, checkout_url: null })
    for (const answer of [
      await viewer.send('POST', '/orders', reloadOrder()),
      await viewer.send('POST', `${path}/confirm`, { payment_reference: 'bank-1' }),
      await viewer.send('POST', `${path}/cancel`, {}),
      await viewer.send('PUT', '/checkout-settings', dataOf(await viewer.get('/checkout-settings'))),
    ]) {
      expect(answer.status).toBe(403)
    }
    dataOf(await shop.admin.send('POST', `${path}/confirm`, { payment_reference: 'bank-3' }))
    const ended = await untilEnded(order.order_id)
    const pin = ended.items[0]?.transactions[0]?.pin ?? ''
    expect(pin).not.toBe('')
    const texts = [(await viewer.get(path)).text, (await viewer.get('/orders')).text]
    for (const text of texts) {
      expect(text).toContain(order.order_id)
      expect(text).not.toContain(pin)
      expect(text).not.toContain(order.client_token)
      expect(text).not.toContain('"ct_')
    }
  })

  it('show how their events reached the receiver', async () => {
    const order = await make()
    // Nothing listens there: the delivery is tried again later.
    const url = 'http://127.0.0.1:9/orders'
    dataOf(await shop.admin.send('PUT', '/endpoints/order', { url }))
    dataOf(await shop.admin.send('POST', `/orders/${order.order_id}/cancel`, { reason: 'no stock' }))
    const tried = await until('the delivery was tried', async () => {
      const answer = await shop.viewer.get(`/orders/${order.order_id}/deliveries`)
      const [delivery] = dataOf<{ attempts: number; event_type: string }[]>(answer)
      return delivery !== undefined && delivery.attempts > 0 && delivery
    })
    expect(tried).toMatchObject({ stream: 'order', event_type: 'order.cancelled', status: 'pending', url })
  })

  it('an order of another account does not exist', async () => {
    const order = await make()
    const other = await openShop(demo.service, null)
    for (const path of [`/orders/${order.order_id}`, `/orders/${order.order_id}/deliveries`]) {
      expect((await other.admin.get(path)).status).toBe(404)
    }
    expect((await other.admin.send('POST', `/orders/${order.order_id}/cancel`, {})).status).toBe(404)
    expect((await walk(other.admin, '/orders', 10)).length).toBe(0)
  })

  it('settings of the checkout are kept as they were saved, and a wrong theme changes nothing', async () => {
    const settings = dataOf<{ theme: Record<string, string> }>(await shop.admin.get('/checkout-settings'))
    const wanted = {
      ...settings,
      display_name: 'Kedai Ujian',
      allowed_origins: ['https://shop.example'],
      accepts_loss: true,
      theme: { ...settings.theme, accent: '#123456' },
    }
    expect(dataOf(await shop.admin.send('PUT', '/checkout-settings', wanted))).toMatchObject(wanted)
    const wrong = { ...wanted, theme: { ...wanted.theme, accent: 'red; background: url(//evil)' } }
    expect((await shop.admin.send('PUT', '/checkout-settings', wrong)).status).toBe(400)
    expect(dataOf(await shop.viewer.get('/checkout-settings'))).toMatchObject(wanted)
  })
})
