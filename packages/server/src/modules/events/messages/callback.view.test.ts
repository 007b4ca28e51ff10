import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CHARACTER } from '../../../testing/texts.ts'
import type { Payment } from '../../payments/core/types.ts'
import type { LoadedEvent, MovedRef } from '../types.ts'
import { messageOf } from './messages.view.ts'

const AT = new Date('2026-03-31T16:05:09.042Z')

const PAYMENT: Payment = {
  resellerId: 7n,
  id: 1_850_000_000_000_000_001n,
  refid: 'ORDER-1',
  productCode: 'PINTEN',
  productName: 'Pin Ten',
  account: '60123456789',
  amount: 100_000n,
  faceValue: 100_000n,
  cost: 98_500n,
  balanceAfter: 12_345_678n,
  code: 20,
  extras: { subproductCode: null, billerCode: null, ref2: null, icNumber: '900101-14-5555' },
  remarks: 'table 5',
  output: {
    serialNumber: 'SN1',
    pin: '1234 5678',
    expiry: '20301231',
    voucherLink: 'https://v.example/?a=1&b=2',
    note: 'Dial *123#',
  },
  sender: '203.0.113.7',
  memberId: '3',
  createdAt: AT,
  changedAt: AT,
}

function loaded(payment: Payment): LoadedEvent {
  const ref: MovedRef = {
    resellerId: 7n,
    eventId: 'evt_7_9',
    source: 'moved',
    paymentId: payment.id,
    code: payment.code,
    balance: payment.balanceAfter,
    at: AT,
  }
  return {
    ref,
    type: 'payment.succeeded',
    data: {},
    subject: { kind: 'payment', payment },
    isSuperseded: false,
  }
}

describe('a callback by POST', () => {
  it("is the contract's object to the letter, without transaction_id", () => {
    const message = messageOf('callback', 'POST', loaded(PAYMENT))
    expect(message.text).toBe(
      '{"data":{"statusCode":20,"status":"Succesful","account":"60123456789","product":"PINTEN",' +
        '"productName":"Pin Ten","amount":10,"sn":"SN1","pin":"1234 5678","expiry":"20301231","cost":9.85,' +
        '"balance":1234.5678,"remarks":"table 5","refid":"ORDER-1","timestamp":"2026-04-01 00:05:09",' +
        '"note":"Dial *123#","voucherlink":"https://v.example/?a=1&b=2"}}',
    )
    expect(JSON.parse(message.text)).toEqual(message.payload)
    expect(message.sent).toEqual(message.payload)
  })

  it('keeps odd texts as they are', () => {
    const odd = 'say "hi" & <b>+%20\\ \u2028 \u{1f35b}'
    const message = messageOf('callback', 'POST', loaded({ ...PAYMENT, remarks: odd, refid: odd }))
    expect(JSON.parse(message.text)).toMatchObject({ data: { remarks: odd, refid: odd } })
  })
})

describe('a callback by GET', () => {
  it('has the four parameters in their order, with the bare object and its milliseconds in the last', () => {
    const message = messageOf('callback', 'GET', loaded({ ...PAYMENT, refid: "A&B=C + 'D'" }))
    const [query = '', json = ''] = message.text.split('&message=')
    expect(query).toBe('refid=A%26B%3DC%20%2B%20%27D%27&status=20&price=9.85')
    expect(decodeURIComponent(json)).toBe(
      '{"statusCode":20,"status":"Succesful","account":"60123456789","product":"PINTEN",' +
        '"productName":"Pin Ten","amount":10,"sn":"SN1","pin":"1234 5678","expiry":"20301231","cost":9.85,' +
        '"balance":1234.5678,"remarks":"table 5","refid":"A&B=C + \'D\'",' +
        '"timestamp":"2026-04-01 00:05:09.042","note":"Dial *123#","voucherlink":"https://v.example/?a=1&b=2"}',
    )
    expect(message.payload).toEqual(JSON.parse(decodeURIComponent(json)))
    expect(message.sent).toEqual({
      refid: "A&B=C + 'D'",
      status: 20,
      price: 9.85,
      message: decodeURIComponent(json),
    })
  })

  it('says the code of a failure and of a void as a number', () => {
    for (const code of [48, 53] as const) {
      const { text } = messageOf('callback', 'GET', loaded({ ...PAYMENT, code }))
      expect(new URLSearchParams(text).get('status')).toBe(String(code))
      expect(JSON.parse(new URLSearchParams(text).get('message') ?? '')).toMatchObject({ status: 'Failed' })
    }
  })

  const TEXT = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 30 }),
    fc.string({ unit: CHARACTER, maxLength: 30 }),
    fc.string({ unit: fc.constantFrom(...'&=+%#?\'"()*!~;, /\\\u{1f35b}é'), maxLength: 30 }),
  )

  it('decodes to the object by every reading of a query, and no URL parser rewrites it', () => {
    fc.assert(
      fc.property(TEXT, TEXT, TEXT, (refid, remarks, voucherLink) => {
        const output = { ...PAYMENT.output, voucherLink }
        const { text, payload } = messageOf('callback', 'GET', loaded({ ...PAYMENT, refid, remarks, output }))
        const read = new URLSearchParams(text)
        expect([...read.keys()]).toEqual(['refid', 'status', 'price', 'message'])
        expect(read.get('refid')).toBe(refid)
        expect(JSON.parse(read.get('message') ?? '')).toEqual(payload)
        expect(payload).toMatchObject({ refid, remarks, voucherlink: voucherLink })
        // RFC 3986: unreserved characters and percent-encoded octets, nothing else.
        expect(text).toMatch(/^(?:[A-Za-z0-9._~-]|%[0-9A-F]{2}|[&=])*$/)
        expect(new URL(`https://receiver.example/?${text}`).search).toBe(`?${text}`)
      }),
    )
  })

  it('half a surrogate pair does not keep a callback from being sent', () => {
    const { text } = messageOf('callback', 'GET', loaded({ ...PAYMENT, refid: 'a\ud83cb' }))
    expect(new URLSearchParams(text).get('refid')).toBe('a\ufffdb')
  })
})

describe('no callback', () => {
  it('tells an identity number', () => {
    for (const method of ['GET', 'POST'] as const) {
      expect(messageOf('callback', method, loaded(PAYMENT)).text).not.toContain('900101')
    }
  })
})
