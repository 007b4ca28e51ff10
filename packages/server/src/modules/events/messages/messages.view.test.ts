import { describe, expect, it } from 'vitest'
import type { ProductEventWire } from '../../catalog/changes/events.schemas.ts'
import type { AccountEvent } from '../../catalog/changes/events.types.ts'
import type { EntryRef, LoadedEvent, TestRef } from '../types.ts'
import { STREAMS } from '../types.ts'
import { messageOf } from './messages.view.ts'
import { SAMPLE_TYPES, sampleOf } from './samples.rules.ts'
import { sampleEvent } from './samples.view.ts'

const AT = new Date('2026-03-31T16:05:09.042Z')

const REF: EntryRef = {
  resellerId: 7n,
  eventId: 'evt_7_9',
  source: 'entry',
  entrySequence: 3n,
  amount: 500_000n,
  balance: 1_500_000n,
  at: AT,
}

const DEPOSIT: LoadedEvent = {
  ref: REF,
  type: 'balance.added',
  data: { resellerCode: '6010001', amount: 50, balance: 150, description: 'Bank "in"' },
  subject: { kind: 'balance' },
  isSuperseded: false,
}

it("a balance webhook is the contract's event object to the letter", () => {
  const message = messageOf('balance', 'POST', DEPOSIT)
  expect(message.text).toBe(
    '{"type":"balance.added","version":"1","id":"evt_7_9","created_at":"2026-03-31T16:05:09.042Z",' +
      '"data":{"resellerCode":"6010001","amount":50,"balance":150,"description":"Bank \\"in\\""}}',
  )
  expect(message.payload).toEqual(JSON.parse(message.text))
  expect(message.sent).toEqual(message.payload)
})

const CHANGE: AccountEvent = {
  version: 4n,
  position: 2,
  type: 'option.updated',
  resource: 'options',
  id: 'NOVA:plan:a:b',
  data: { code: 'a:b', description: null },
  createdAt: AT,
}

function changed(event: AccountEvent): LoadedEvent {
  const { version, position } = event
  return {
    ref: {
      resellerId: 7n,
      eventId: 'evt_7_9',
      source: 'catalog',
      version,
      location: { kind: 'order', position },
      at: AT,
    },
    type: event.type,
    data: {},
    subject: { kind: 'catalog', event },
    isSuperseded: false,
  }
}

it("a catalogue webhook is the contract's envelope to the letter", () => {
  expect(messageOf('catalog', 'POST', changed(CHANGE)).text).toBe(
    '{"type":"option.updated","resource":"options","id":"NOVA:plan:a:b",' +
      '"timestamp":"2026-03-31T16:05:09.042Z","data":{"code":"a:b","description":null}}',
  )
})

it('a removed subject has no data', () => {
  const gone = changed({ ...CHANGE, type: 'option.deleted', data: null })
  expect(messageOf('catalog', 'POST', gone).payload).toMatchObject({ type: 'option.deleted', data: null })
})

it('an event on a stream that does not send it is a mistake, not a message', () => {
  expect(() => messageOf('callback', 'POST', DEPOSIT)).toThrow('does not send balance.added')
  expect(() => messageOf('catalog', 'POST', DEPOSIT)).toThrow()
  expect(() => messageOf('balance', 'POST', changed(CHANGE))).toThrow()
})

describe('a test event', () => {
  const context = { account: '6010001', now: AT, balance: 1_234_500n }

  function loaded(stream: (typeof STREAMS)[number], type?: string): LoadedEvent {
    const sample = sampleOf(stream, type, context)
    if (sample === undefined) throw new Error('no such sample')
    // Makes the value that comes back from the database.
    const stored = JSON.parse(JSON.stringify(sample)) as typeof sample
    const ref: TestRef = { resellerId: 7n, eventId: 'evt_7_9', source: 'test', at: AT, ...stored }
    return sampleEvent(ref)
  }

  it('a test event of each type can be told on its stream, by either method, and is the same every time', () => {
    for (const stream of STREAMS) {
      for (const type of SAMPLE_TYPES[stream]) {
        for (const method of stream === 'callback' ? (['GET', 'POST'] as const) : (['POST'] as const)) {
          const event = loaded(stream, type)
          expect(event).toMatchObject({ type, isSuperseded: false })
          expect(messageOf(stream, method, event)).toEqual(messageOf(stream, method, loaded(stream, type)))
        }
      }
    }
  })

  it('a test event of a product says where the account and the amount come from, as every real one does', () => {
    const { payload } = messageOf('catalog', 'POST', loaded('catalog', 'product.updated'))
    const { fields, fulfillment } = (payload as { data: ProductEventWire }).data
    expect(fulfillment).toEqual({ account: { from_field: null }, amount: { from_field: 'amount' } })
    expect(fields.map(({ id }) => id)).toEqual(['amount'])
  })

  it('a test event of a callback is a payment that succeeded, and says that it is a test', () => {
    expect(messageOf('callback', 'POST', loaded('callback')).payload).toEqual({
      data: {
        statusCode: 20,
        status: 'Succesful',
        account: '60123456789',
        product: 'TEST',
        productName: 'Test product',
        amount: 10,
        sn: 'TEST-0001',
        pin: '',
        expiry: '',
        cost: 9.85,
        balance: 123.45,
        remarks: 'Test event',
        refid: `TEST-${AT.getTime()}`,
        timestamp: '2026-04-01 00:05:09',
        note: '',
        voucherlink: '',
      },
    })
  })

  it('a test event of the balance moves nothing', () => {
    expect(messageOf('balance', 'POST', loaded('balance')).payload).toMatchObject({
      type: 'balance.added',
      version: '1',
      data: { resellerCode: '6010001', amount: 0, balance: 123.45, description: 'Test event' },
    })
  })

  it('a test event of the catalogue is a product that cannot be bought', () => {
    expect(messageOf('catalog', 'POST', loaded('catalog')).payload).toMatchObject({
      type: 'product.updated',
      resource: 'products',
      id: 'TEST',
      timestamp: AT.toISOString(),
      data: { product_code: 'TEST', reseller_code: '6010001', is_active: false, is_hidden: true },
    })
    expect(messageOf('catalog', 'POST', loaded('catalog', 'category.deleted')).payload).toEqual({
      type: 'category.deleted',
      resource: 'categories',
      id: 'TEST',
      timestamp: AT.toISOString(),
      data: null,
    })
  })

  it('a test event of a type that the stream does not send is refused', () => {
    expect(sampleOf('balance', 'payment.succeeded', context)).toBeUndefined()
    expect(sampleOf('callback', 'payment.accepted', context)).toBeUndefined()
    expect(sampleOf('catalog', 'toString', context)).toBeUndefined()
  })
})
