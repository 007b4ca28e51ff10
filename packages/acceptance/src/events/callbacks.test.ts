import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Demo } from '../catalog.ts'
import { openDemo } from '../catalog.ts'
import { confirmOrder, createOrder } from '../orders.ts'
import { deposit, expectNow, PAYMENT_FIELDS, RELOAD_COST, reload, ringgit } from '../payments.ts'
import type { Received, Receiver } from '../receiver/receiver.ts'
import { REACHES_RECEIVER, startReceiver } from '../receiver/receiver.ts'
import { until } from '../service.ts'
import type { Subscriber } from './subscriber.ts'
import {
  createSubscriber,
  expectSigned,
  jsonOf,
  newPath,
  subscribeCallback,
  subscribeWebhook,
} from './subscriber.ts'

let demo: Demo
let receiver: Receiver

beforeAll(async () => {
  receiver = await startReceiver()
  demo = await openDemo(REACHES_RECEIVER)
})

afterAll(() => demo?.end())

const create = (wallet: string | null = '1000') => createSubscriber(demo.service, wallet)

/** Account whose payment succeeds after 300 seconds. */
const SLOW = '60123451300'
/** Account whose payment succeeds before the second attempt of its first callback, which comes a minute later. */
const SOON = '60123451030'
const SOON_SECONDS = 30
const PROVIDER_FAILS = '60123450048'
/** Account whose payment succeeds, and whose void is approved. */
const VOID_APPROVED = '60123454001'

type Callback = Record<string, unknown> & {
  statusCode: number
  status: string
  refid: string
  timestamp: string
}

/** Fields as the contract lists them; there is no transaction_id. */
const FIELDS = PAYMENT_FIELDS.filter((name) => name !== 'transaction_id')

function posted(received: Received): Callback {
  expect(received.method).toBe('POST')
  const body = jsonOf<{ data: Callback }>(received)
  expect(Object.keys(body)).toEqual(['data'])
  expect(Object.keys(body.data).sort()).toEqual([...FIELDS].sort())
  expect(body.data.timestamp).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
  expectNow(body.data.timestamp)
  return body.data
}

function queried(received: Received): Callback & { query: URLSearchParams } {
  expect([received.method, received.body]).toEqual(['GET', ''])
  const query = new URL(received.url, 'http://receiver').searchParams
  const message = JSON.parse(query.get('message') ?? '') as Callback
  expect(Object.keys(message).sort()).toEqual([...FIELDS].sort())
  expect(message.timestamp).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}$/)
  expectNow(message.timestamp)
  return { ...message, query }
}

describe('a transaction callback', () => {
  it('tells by POST of Processing and then of the end, signed, and never of Accepted', async () => {
    const shop = await create()
    const path = await subscribeCallback(receiver, shop, 'POST')
    const body = reload({ account: SLOW, remarks: 'for Ali' })
    await shop.pay(body)
    const [first] = await receiver.untilReceived(path, 1)
    await shop.advance(300)
    const ended = await shop.untilStatus(body, 'Succesful')
    const received = await receiver.untilReceived(path, 2)
    for (const each of received) expectSigned(each, false)
    const told = received.map(posted)
    expect(received[0]).toEqual(first)
    expect(told.map(({ statusCode, status }) => [statusCode, status])).toEqual([
      [1, 'Processing'],
      [20, 'Succesful'],
    ])
    const { transaction_id: _, ...shown } = ended
    expect(told[1]).toEqual(shown)
    expect(told[0]).toMatchObject({ refid: body.refid, remarks: 'for Ali', sn: '', cost: RELOAD_COST })
    const ids = received.map(({ headers }) => headers['webhook-id'])
    expect(new Set(ids).size).toBe(2)
  })

  it('the callback of a void says 53, and that the money is back', async () => {
    const shop = await create('100')
    const path = await subscribeCallback(receiver, shop, 'POST')
    const body = reload({ product: 'VOLT', account: VOID_APPROVED, amount: 50 })
    await shop.pay(body)
    await receiver.untilReceived(path, 1)
    const asked = await shop.ask('POST', '/v2/transactions/void', { refid: body.refid, refund_type: 1 })
    expect(asked).toMatchObject({ data: { status: 'Success' } })
    const received = await receiver.untilReceived(path, 2)
    for (const each of received) expectSigned(each, false)
    expect(received.map(posted)).toMatchObject([
      { statusCode: 20, status: 'Succesful', refid: body.refid },
      { statusCode: 53, status: 'Failed', remarks: 'Refund', refid: body.refid, balance: 100 },
    ])
  })

  it('the callback of a failure says why, and that the money is back', async () => {
    const shop = await create('100')
    const path = await subscribeCallback(receiver, shop, 'POST')
    const body = reload({ account: PROVIDER_FAILS })
    await shop.pay(body)
    const [received] = await receiver.untilReceived(path, 1)
    const told = posted(received as Received)
    expect(told).toMatchObject({
      statusCode: 48,
      status: 'Failed',
      refid: body.refid,
      cost: RELOAD_COST,
      balance: 100,
    })
    expect(told.remarks).toMatch(/\S/)
    const { transaction_id: _, ...shown } = await shop.pay(body)
    expect(told).toEqual(shown)
  })

  it('a GET callback has four parameters behind the URL’s own query, and they are signed as they are sent', async () => {
    const shop = await create()
    const path = await subscribeCallback(receiver, shop, 'GET', '?shop=kedai%20satu&empty=')
    const body = reload({ remarks: 'a&b=c?d+e é 100%' })
    await shop.pay(body)
    const [received] = await receiver.untilReceived(path, 1)
    if (received === undefined) throw new Error('nothing was received')
    expectSigned(received, false)
    expect(received.url.startsWith(`${path}?shop=kedai%20satu&empty=&refid=`)).toBe(true)
    const { query, ...message } = queried(received)
    expect([...query.keys()]).toEqual(['shop', 'empty', 'refid', 'status', 'price', 'message'])
    expect([query.get('refid'), query.get('status'), query.get('price')]).toEqual([
      body.refid,
      '20',
      String(RELOAD_COST),
    ])
    const { transaction_id: _, ...shown } = await shop.pay(body)
    const { timestamp, ...rest } = shown
    expect(message).toEqual({
      ...rest,
      timestamp: expect.stringMatching(new RegExp(`^${timestamp}\\.\\d{3}$`)),
    })
  })

  it('the callback of a final state replaces an older one that was not received', async () => {
    const shop = await create()
    const path = await subscribeCallback(receiver, shop, 'POST')
    await receiver.answer(path, 500, 200)
    const body = reload({ account: SOON })
    await shop.pay(body)
    await receiver.untilReceived(path, 1)
    await until('the failure is written down', async () => {
      const [pending] = await shop.deliveries('callback-url', 'status=pending')
      return pending?.error !== '' && pending
    })
    await shop.advance(SOON_SECONDS)
    await receiver.untilReceived(path, 2)
    // The callback of a later payment comes after all that were due before it.
    await shop.advance(60)
    await shop.pay(reload())
    const told = (await receiver.untilReceived(path, 3)).map(posted)
    expect(told.map(({ status }) => status)).toEqual(['Processing', 'Succesful', 'Succesful'])
    const log = await shop.untilFinished('callback-url', 2)
    expect(log.map(({ status }) => status)).toEqual(['success', 'success'])
    expect(await shop.deliveries('callback-url', 'status=pending')).toEqual([])
  })

  it('a callback that was given up can be replayed to the present URL, under the same id', async () => {
    const shop = await create()
    const path = await subscribeCallback(receiver, shop, 'POST')
    await receiver.answer(path, 404)
    const body = reload()
    await shop.pay(body)
    const [failed] = await shop.untilFinished('callback-url', 1)
    if (failed === undefined) throw new Error('nothing is in the log')
    expect(failed).toMatchObject({ status: 'failed', responseCode: 404, retryCount: 0, originalJobId: null })

    const [first] = await receiver.untilReceived(path, 1)
    const other = await subscribeCallback(receiver, shop, 'POST')
    const replay = await shop.ask('POST', `/v2/callback-url/deliveries/${failed.id}/replay`)
    expect(replay).toEqual({ jobId: expect.any(String), originalJobId: failed.id, eventId: failed.eventId })
    const [again] = await receiver.untilReceived(other, 1)
    if (first === undefined || again === undefined) throw new Error('both were received')
    expectSigned(again, false)
    expect(again.headers['webhook-id']).toBe(first.headers['webhook-id'])
    expect(again.body).toBe(first.body)
    const [, logged] = await shop.untilFinished('callback-url', 2)
    expect(logged).toMatchObject({
      id: replay.jobId,
      status: 'success',
      originalJobId: failed.id,
      replayCount: 1,
    })
  })
})

describe('a balance webhook', () => {
  type BalanceEvent = {
    type: string
    version: string
    id: string
    created_at: string
    data: Record<string, unknown>
  }
  const eventOf = (received: Received) => {
    expectSigned(received, true)
    const event = jsonOf<BalanceEvent>(received)
    expect(Object.keys(event)).toEqual(['type', 'version', 'id', 'created_at', 'data'])
    expect(event).toMatchObject({ version: '1', id: received.headers['webhook-id'] })
    expect(new Date(event.created_at).toISOString()).toBe(event.created_at)
    return event
  }
  const move = (shop: Subscriber, how: string, amount: string, remarks: string) =>
    demo.service.warungd(how, '--reseller', shop.account, `--amount=${amount}`, '--remarks', remarks)

  it('tells of deposits, commissions and positive adjustments, and of nothing else at first', async () => {
    const shop = await create(null)
    const path = await subscribeWebhook(receiver, shop, 'balance-webhook')
    await deposit(demo.service, shop.account, '100')
    await shop.untilStatus(reload(), 'Succesful')
    await receiver.untilReceived(path, 1)
    const failing = reload({ account: PROVIDER_FAILS })
    await until('it failed', async () => (await shop.pay(failing)).status === 'Failed')
    await move(shop, 'adjust', '-1.50', 'taken off')
    await move(shop, 'adjust', '2.25', 'put on')
    await receiver.untilReceived(path, 2)
    await move(shop, 'commission', '5', 'for October')
    const events = (await receiver.untilReceived(path, 3)).map(eventOf)
    const left = ringgit(100 - RELOAD_COST - 1.5)
    const told = [
      { amount: 100, balance: 100, description: 'bank' },
      { amount: 2.25, balance: ringgit(left + 2.25), description: 'put on' },
      { amount: 5, balance: ringgit(left + 7.25), description: 'for October' },
    ]
    expect(events.map(({ type, data }) => [type, data])).toEqual(
      told.map((data) => ['balance.added', { resellerCode: shop.account, ...data }]),
    )
    expect(await shop.balance()).toBe(ringgit(left + 7.25))
  })

  it('tells of what its owner switched on as well, in the order of the feed', async () => {
    const shop = await create(null)
    const path = await subscribeWebhook(receiver, shop, 'balance-webhook')
    const types = ['balance.added', 'balance.low', 'balance.deducted', 'balance.refunded']
    expect(await shop.ask('PUT', '/v2/balance-webhook/types', { types })).toEqual({ types })
    await deposit(demo.service, shop.account, '20')
    await shop.ask('POST', '/v2/low-balance-threshold?amount=15')
    await shop.pay(reload({ account: PROVIDER_FAILS }))
    const events = (await receiver.untilReceived(path, 4)).map(eventOf)
    const sequenceOf = ({ id }: BalanceEvent) => Number(id.split('_')[2])
    events.sort((one, other) => sequenceOf(one) - sequenceOf(other))
    expect(events.map(({ type, data }) => [type, data.amount, data.balance])).toEqual([
      ['balance.added', 20, 20],
      ['balance.deducted', RELOAD_COST, ringgit(20 - RELOAD_COST)],
      ['balance.low', 15, ringgit(20 - RELOAD_COST)],
      ['balance.refunded', RELOAD_COST, 20],
    ])
    const feed = await shop.ask<{ data: BalanceEvent[] }>('GET', '/v2/events?after=0&limit=100')
    for (const event of events) {
      const same = feed.data.find(({ id }) => id === event.id)
      expect(same).toMatchObject({ type: event.type, created_at: event.created_at, data: event.data })
    }
  })

  it('is signed by the new secret alone from the rotation on', async () => {
    const shop = await create(null)
    const path = newPath()
    const old = await shop.setWebhook('balance-webhook', `${receiver.urls.plain}${path}`)
    const rotated = await shop.ask('POST', '/v2/balance-webhook/rotate-secret')
    await receiver.verifyWith(path, old, String(rotated.webhook_secret))
    await deposit(demo.service, shop.account, '10')
    const [received] = await receiver.untilReceived(path, 1)
    expect(received?.standard).toEqual([expect.stringMatching(/No matching signature/), 'verified'])
    expect(received?.plain).toEqual(['wrong', 'verified'])
  })
})

describe('a secret that is rotated with a grace period', () => {
  it('signs callbacks beside the new one until the period ends', async () => {
    const shop = await create()
    const path = newPath()
    const old = await shop.setCallback(`${receiver.urls.plain}${path}`, 'POST')
    const grace = await shop.ask('POST', '/v2/callback-url/secret/rotate', { grace_seconds: 3_600 })
    await receiver.verifyWith(path, old, String(grace.webhook_secret))
    await shop.pay(reload())
    const [within] = await receiver.untilReceived(path, 1)
    expect(within?.standard).toEqual(['verified', 'verified'])
    await shop.advance(3_601)
    await shop.pay(reload())
    const [, after] = await receiver.untilReceived(path, 2)
    expect(after?.standard).toEqual([expect.stringMatching(/No matching signature/), 'verified'])
  })
})

describe('a test event', () => {
  it('reaches the receiver of every stream, signed and marked, and is in the log', async () => {
    const shop = await create(null)
    const paths = {
      'callback-url': await subscribeCallback(receiver, shop, 'GET'),
      'balance-webhook': await subscribeWebhook(receiver, shop, 'balance-webhook'),
      'catalog-webhook': await subscribeWebhook(receiver, shop, 'catalog-webhook'),
    } as const
    for (const [hook, path] of Object.entries(paths) as [keyof typeof paths, string][]) {
      const { jobId, eventId } = await shop.ask('POST', `/v2/${hook}/test`, {})
      const [received] = await receiver.untilReceived(path, 1)
      if (received === undefined) throw new Error('it was received')
      expectSigned(received, hook !== 'callback-url')
      expect(received.headers).toMatchObject({ 'webhook-id': eventId, 'x-webhook-test': 'true' })
      if (hook === 'callback-url') expect(queried(received).status).toBe('Succesful')
      expect(await shop.untilFinished(hook, 1)).toMatchObject([{ id: jobId, eventId, status: 'success' }])
    }
  })
})

describe('an order webhook', () => {
  it('tells once of the end of an order, signed, with its members at the top', async () => {
    const shop = await create()
    const path = await subscribeWebhook(receiver, shop, 'order-webhook')
    const made = await createOrder(demo.service, shop)
    await confirmOrder(demo.service, shop, made.order_id, 'bank-991')
    const [received] = await receiver.untilReceived(path, 1)
    if (received === undefined) throw new Error('nothing was received')
    expectSigned(received, true)
    expect(jsonOf(received)).toEqual({
      type: 'order.completed',
      version: '1',
      id: received.headers['webhook-id'],
      created_at: expect.any(String),
      order_id: made.order_id,
      reference: made.reference,
      user_id: 'u-77',
      total_amount: '10.00',
      refund_amount: '0.00',
      status: 'completed',
      payment_reference: 'bank-991',
      completed_at: expect.any(String),
      items: [
        {
          product_code: 'NOVA',
          amount: '10.00',
          quantity: 1,
          transactions: [
            expect.objectContaining({ refid: `${made.order_id}-1-1`, status_code: 20, price: '10.00' }),
          ],
        },
      ],
    })
  })
})
