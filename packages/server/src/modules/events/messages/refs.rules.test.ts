import { describe, expect, it } from 'vitest'
import type { EventColumns, EventSource, RefKey } from './refs.rules.ts'
import { eventTypeOf, refOf } from './refs.rules.ts'

const AT = new Date('2026-01-01T00:00:00Z')
const EMPTY = { code: null, amount: null, balance: null, type: null, data: null }
const KEY: RefKey = {
  resellerId: 7n,
  eventId: 'evt_7_9',
  takenType: 'balance.deducted',
  location: { kind: 'order', position: 3 },
}
const COMMON = { resellerId: 7n, eventId: 'evt_7_9', at: AT }

function row(source: EventSource, columns: Partial<EventColumns> = {}): EventColumns {
  return { source, subject: 5n, at: AT, ...EMPTY, ...columns }
}

const MOVEMENT = { amount: -2n, balance: 8n }

describe('the reference of a row', () => {
  it('holds the columns of its source, and no others', () => {
    const full = { code: 20, ...MOVEMENT, type: 'case.opened', data: { a: 1 } } as const
    const rows = (['taken', 'moved', 'refunded', 'entry', 'catalog', 'own', 'test'] as const).map((source) =>
      refOf(row(source, full), KEY),
    )
    expect(rows).toEqual([
      { ...COMMON, source: 'taken', paymentId: 5n, type: 'balance.deducted', ...MOVEMENT },
      { ...COMMON, source: 'moved', paymentId: 5n, code: 20, balance: 8n },
      { ...COMMON, source: 'refunded', paymentId: 5n, ...MOVEMENT },
      { ...COMMON, source: 'entry', entrySequence: 5n, ...MOVEMENT },
      { ...COMMON, source: 'catalog', version: 5n, location: { kind: 'order', position: 3 } },
      { ...COMMON, source: 'own', type: 'case.opened', data: { a: 1 } },
      { ...COMMON, source: 'test', type: 'case.opened', data: { a: 1 } },
    ])
  })

  it('the row of a payment that failed needs no balance', () => {
    expect(refOf(row('moved', { code: 48 }), KEY)).toMatchObject({ source: 'moved', code: 48, balance: null })
  })

  it.each(['taken', 'moved', 'refunded', 'entry', 'catalog', 'own', 'test'] as const)(
    'a row of %s that lacks what it needs is invalid, and is made all the same',
    (source) => {
      const ref = refOf(row(source), { ...KEY, location: undefined })
      expect(ref).toEqual({ ...COMMON, source: 'invalid', problem: expect.any(String) })
    },
  )

  it('a row that lacks one of amount and balance is invalid', () => {
    expect(refOf(row('entry', { amount: 1n }), KEY).source).toBe('invalid')
    expect(refOf(row('entry', { balance: 1n }), KEY).source).toBe('invalid')
  })

  it('a row of a source that a later version wrote is unknown, and is made all the same', () => {
    expect(refOf(row('later' as EventSource), KEY)).toEqual({ ...COMMON, source: 'unknown' })
  })
})

it('an event has one name, in the delivery log as in the feed: a deposit is money that was added', () => {
  const typeOf = (source: EventSource, columns: Partial<EventColumns> = {}) =>
    eventTypeOf(refOf(row(source, { ...MOVEMENT, ...columns }), KEY))
  expect(typeOf('entry', { amount: 5n, type: 'deposit' })).toBe('balance.added')
  expect(typeOf('entry', { amount: -5n, type: 'adjustment' })).toBe('balance.deducted')
  expect([typeOf('taken'), typeOf('refunded')]).toEqual(['balance.deducted', 'balance.refunded'])
  expect([20, 1, 53, 48].map((code) => typeOf('moved', { code: code as 20 }))).toEqual([
    'payment.succeeded',
    'payment.processing',
    'payment.voided',
    'payment.failed',
  ])
  expect(typeOf('own', { type: 'case.opened', data: {} })).toBe('case.opened')
  expect(typeOf('catalog')).toBeNull()
})
