import { beforeAll, describe, expect, it } from 'vitest'
import type { Demo } from '../../catalog.ts'
import { shareDemo } from '../../catalog.ts'
import { createKey } from '../../edge.ts'
import { readFeed } from '../../feed.ts'
import { signed } from '../../http.ts'
import type { OrderData } from '../../orders.ts'
import {
  confirmOrder,
  createOrder,
  ORDERS,
  orderBody,
  orderIn,
  readOrder,
  sendOrder,
  untilOrder,
} from '../../orders.ts'
import type { Payer } from '../../payments.ts'
import { createPayer, PHONE } from '../../payments.ts'
import { until } from '../../service.ts'

let demo: Demo
let payer: Payer

beforeAll(async () => {
  demo = await shareDemo()
  payer = await createPayer(demo.service, '1000')
})

const FAILS = '60123450048'

const eventsOf = async (id: string) =>
  (await readFeed(demo.service.baseUrl, payer.credentials)).filter(
    ({ type, data }) => type.startsWith('order.') && (data as { order_id?: string }).order_id === id,
  )

describe('POST /v2/orders', () => {
  it('makes an order once: the same request again is the same order with the same token', async () => {
    const body = orderBody()
    const first = orderIn(await sendOrder(demo.service, payer, 'POST', '', body), 201)
    expect(first).toMatchObject({ status: 'awaiting_payment', total_amount: '10.00', refund_amount: '0.00' })
    expect(first.order_id).toMatch(/^ord_[0-9a-hjkmnp-tv-z]{24}$/)
    expect(first.client_token).toMatch(/^ct_[A-Za-z0-9_-]{43}$/)
    expect(first.checkout_url).toBe(
      `${demo.service.baseUrl}/checkout/${first.order_id}#${first.client_token}`,
    )
    expect(orderIn(await sendOrder(demo.service, payer, 'POST', '', body))).toEqual(first)
  })

  it('leaves the basket to the customer where it names products, or nothing', async () => {
    const chosen = await createOrder(demo.service, payer, { items: undefined, products: ['NOVA', 'KITA'] })
    expect(chosen).toMatchObject({
      status: 'draft',
      items: [],
      total_amount: '0.00',
      products: ['KITA', 'NOVA'],
    })
    const any = await createOrder(demo.service, payer, { items: undefined })
    expect(any).toMatchObject({ status: 'draft', products: null })
  })

  it('leaves values of a fixed basket to the customer, at a price that is locked', async () => {
    const order = await createOrder(demo.service, payer, { items: [{ product_code: 'NOVA', amount: '10' }] })
    expect(order).toMatchObject({ status: 'draft', total_amount: '10.00', items: [{ account: null }] })
  })
})

describe('a confirmed order', () => {
  it('is paid through ordinary payments and ends with one event; asking again pays nothing twice', async () => {
    const before = await payer.balance()
    const items = [{ product_code: 'NOVA', amount: '10.00', account: PHONE, quantity: 2 }]
    const made = await createOrder(demo.service, payer, { items })
    const confirmed = await confirmOrder(demo.service, payer, made.order_id)
    expect(confirmed).toMatchObject({ payment_reference: 'bank-991', client_token: null, checkout_url: null })
    const ended = await untilOrder(demo.service, payer, made.order_id, ['completed'])
    expect(ended.items[0]).toMatchObject({ status: 'succeeded', unit_price: '10.00' })
    expect(ended.items[0]?.transactions).toMatchObject(
      [1, 2].map((number) => ({
        refid: `${made.order_id}-1-${number}`,
        status_code: 20,
        status_name: 'Succesful',
        price: '10.00',
        error: null,
      })),
    )
    expect(await confirmOrder(demo.service, payer, made.order_id)).toEqual(ended)
    expect(before - (await payer.balance())).toBeCloseTo(19.4, 4)
    const [event, ...others] = await until('the feed has it', async () => {
      const events = await eventsOf(made.order_id)
      return events.length > 0 && events
    })
    expect(others).toEqual([])
    expect(event).toMatchObject({
      type: 'order.completed',
      data: {
        status: 'completed',
        payment_reference: 'bank-991',
        refund_amount: '0.00',
        completed_at: ended.completed_at,
      },
    })
  })

  it('sums up failed units in refund_amount, and gets their cost back', async () => {
    const before = await payer.balance()
    const items = [
      { product_code: 'NOVA', amount: '10.00', account: PHONE },
      { product_code: 'NOVA', amount: '30.00', account: FAILS },
    ]
    const made = await createOrder(demo.service, payer, { items })
    await confirmOrder(demo.service, payer, made.order_id)
    const ended = await untilOrder(demo.service, payer, made.order_id, [
      'partially_completed',
      'completed',
      'failed',
    ])
    expect(ended).toMatchObject({
      status: 'partially_completed',
      total_amount: '40.00',
      refund_amount: '30.00',
    })
    expect(ended.items.map(({ status }) => status)).toEqual(['succeeded', 'failed'])
    expect(before - (await payer.balance())).toBeCloseTo(9.7, 4)
  })
})

describe('an order that nobody pays', () => {
  it('is cancelled once, and tells so', async () => {
    const made = await createOrder(demo.service, payer)
    const cancel = () =>
      sendOrder(demo.service, payer, 'POST', `/${made.order_id}/cancel`, { reason: 'no stock' })
    const cancelled = orderIn(await cancel())
    expect(cancelled).toMatchObject({ status: 'cancelled', cancel_reason: 'no stock', client_token: null })
    expect(orderIn(await cancel())).toEqual(cancelled)
    await until('the feed has it', async () => (await eventsOf(made.order_id)).length === 1)
    expect((await eventsOf(made.order_id))[0]?.type).toBe('order.cancelled')
  })

  it('times out by itself when the test clock passes its expiry', async () => {
    const own = await createPayer(demo.service, null)
    const made = await createOrder(demo.service, own, { expires_in_seconds: 300 })
    const path = '/v2/test-clock?advance_seconds=301'
    expect((await signed(demo.service.baseUrl, own.credentials, { method: 'POST', path })).status).toBe(200)
    const events = await until('the feed tells of it', async () => {
      const found = await readFeed(demo.service.baseUrl, own.credentials)
      return found.length > 0 && found
    })
    expect(events).toMatchObject([
      {
        type: 'order.timeout',
        data: { order_id: made.order_id, status: 'timeout', payment_reference: null },
      },
    ])
    expect(await readOrder(demo.service, own, made.order_id)).toMatchObject({ status: 'timeout' })
  })
})

describe('GET /v2/orders', () => {
  it('lists the own orders, newest first, by page and by filter', async () => {
    const own = await createPayer(demo.service, null)
    const made: OrderData[] = []
    for (const user_id of ['a', 'b', 'a']) made.push(await createOrder(demo.service, own, { user_id }))
    const list = async (query: string) => {
      const answer = await sendOrder(demo.service, own, 'GET', query)
      expect(answer.status, answer.text).toBe(200)
      return answer.json<{ data: { order_id: string }[]; cursor: string | null; has_more: boolean }>()
    }
    const idsOf = ({ data }: { data: { order_id: string }[] }) => data.map(({ order_id }) => order_id)
    const newest = made.map(({ order_id }) => order_id).toReversed()
    const first = await list('?limit=2')
    expect(first).toMatchObject({ has_more: true, cursor: newest[1] })
    expect([...idsOf(first), ...idsOf(await list(`?limit=2&cursor=${first.cursor}`))]).toEqual(newest)
    expect(idsOf(await list('?user_id=b'))).toEqual([newest[1]])
    expect(idsOf(await list(`?reference=${made[0]?.reference}`))).toEqual([newest[2]])
    expect(idsOf(await list('?status=draft'))).toEqual([])
    expect(idsOf(await list('?status=awaiting_payment&from=2026-01-01'))).toEqual(newest)
    expect(idsOf(await list('?to=2026-01-01'))).toEqual([])
  })

  it('shows the token of an open order to a key that may pay, and to no other', async () => {
    const own = await createPayer(demo.service, null)
    const made = await createOrder(demo.service, own)
    const shownTo = async (scopes: string[]) => {
      const credentials = await createKey(demo.service, own.account, scopes)
      const ask = (path: string) => sendOrder(demo.service, { credentials }, 'GET', path)
      const listed = (await ask('')).json<{ data: OrderData[] }>().data
      const orders = [orderIn(await ask(`/${made.order_id}`)), ...listed]
      return orders.map(({ client_token, checkout_url }) => ({ client_token, checkout_url }))
    }
    const { client_token, checkout_url } = made
    expect(client_token).toMatch(/^ct_/)
    expect(await shownTo(['read', 'pay'])).toEqual(Array(2).fill({ client_token, checkout_url }))
    expect(await shownTo(['read'])).toEqual(Array(2).fill({ client_token: null, checkout_url: null }))
  })

  it('is for keys with "read" alone, and changes are for keys with "pay" alone', async () => {
    const made = await createOrder(demo.service, payer)
    const reading = await createKey(demo.service, payer.account, ['read'])
    const paying = await createKey(demo.service, payer.account, ['pay'])
    const at = (path: string, method = 'GET') => ({ method, path: `${ORDERS}${path}`, json: {} })
    const statusOf = async (key: typeof reading, path: string, method?: string) =>
      (await signed(demo.service.baseUrl, key, at(path, method))).status
    for (const path of ['', `/${made.order_id}`]) {
      expect(await statusOf(reading, path)).toBe(200)
      expect(await statusOf(paying, path)).toBe(403)
    }
    for (const path of ['', `/${made.order_id}/confirm`, `/${made.order_id}/cancel`]) {
      expect(await statusOf(reading, path, 'POST')).toBe(403)
      expect([200, 400]).toContain(await statusOf(paying, path, 'POST'))
    }
  })
})
