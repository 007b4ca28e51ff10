import type { Event } from '@warung/sdk'
import { signWebhook, verifyWebhook } from '@warung/sdk'
import { describe, expect, it } from 'vitest'
import type { ListenSettings } from './deliveries.ts'
import { deliveryOf } from './deliveries.ts'

const ALL: ListenSettings = {
  method: 'POST',
  streams: ['callback', 'balance', 'catalog', 'order'],
  balanceTypes: ['balance.added'],
}
const PAYMENT = {
  statusCode: 20,
  status: 'Succesful',
  transaction_id: '7',
  refid: "it's (1)*!",
  cost: 9.7,
  remarks: 'x'.repeat(600),
  timestamp: '2026-01-01 08:00:00',
}

function event(type: string, data: unknown): Event {
  return {
    sequence: 1,
    id: 'evt_1_1',
    type,
    created_at: '2026-01-01T00:00:00.000Z',
    data,
  } as unknown as Event
}

describe('deliveries', () => {
  it('a payment event becomes a callback without the transaction id', () => {
    const delivery = deliveryOf(event('payment.succeeded', PAYMENT), ALL)
    const { transaction_id: _, ...fields } = PAYMENT
    expect(delivery).toMatchObject({ stream: 'callback', method: 'POST', id: 'evt_1_1' })
    expect(JSON.parse(delivery?.payload ?? '')).toEqual({ data: fields })
  })

  it('a payment event becomes the four parameters of a GET callback, which verifies', async () => {
    const delivery = deliveryOf(event('payment.succeeded', PAYMENT), { ...ALL, method: 'GET' })
    const query = delivery?.payload ?? ''
    expect(query).toMatch(/^refid=it%27s%20%281%29%2A%21&status=20&price=9\.7&message=%7B/)
    const secret = `whsec_${btoa('0123456789abcdef')}`
    const now = 1_767_225_600
    const headers = await signWebhook({ id: 'evt_1_1', timestamp: now, payload: query, secrets: [secret] })
    const read = await verifyWebhook(
      { method: 'GET', url: `/hook?${query}`, headers },
      { secrets: [secret], now },
    )
    expect(read).toMatchObject({
      stream: 'callback',
      payload: { remarks: 'x'.repeat(500), timestamp: '2026-01-01 08:00:00.000' },
    })
  })

  it.each(['payment.accepted', 'balance.deducted', 'case.opened', 'delivery.failed', 'event.expired'])(
    '%s is left out: no stream sends it',
    (type) => {
      expect(deliveryOf(event(type, {}), ALL)).toBeUndefined()
    },
  )

  it('the end of an order becomes one flat object with the envelope first, which verifies', async () => {
    const order = { order_id: 'ord_1', status: 'completed', items: [] }
    const delivery = deliveryOf(event('order.completed', order), ALL)
    const body = delivery?.payload ?? ''
    expect(JSON.parse(body)).toEqual({
      type: 'order.completed',
      version: '1',
      id: 'evt_1_1',
      created_at: '2026-01-01T00:00:00.000Z',
      ...order,
    })
    const secrets = [`whsec_${btoa('0123456789abcdef')}`]
    const now = 1_767_225_600
    const headers = await signWebhook({ id: 'evt_1_1', timestamp: now, payload: body, secrets })
    expect(await verifyWebhook({ headers, body }, { secrets, now })).toMatchObject({ stream: 'order' })
  })

  it('events of balance and catalogue become the envelope of their webhook', () => {
    const balance = deliveryOf(event('balance.added', { amount: 5 }), ALL)
    expect(JSON.parse(balance?.payload ?? '')).toEqual({
      type: 'balance.added',
      version: '1',
      id: 'evt_1_1',
      created_at: '2026-01-01T00:00:00.000Z',
      data: { amount: 5 },
    })
    const envelope = { type: 'product.deleted', resource: 'products', id: 'NOVA', data: null }
    expect(deliveryOf(event('product.deleted', envelope), ALL)?.payload).toBe(JSON.stringify(envelope))
    expect(deliveryOf(event('product.deleted', envelope), { ...ALL, streams: ['balance'] })).toBeUndefined()
  })
})
