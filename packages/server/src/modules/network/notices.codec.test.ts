import { describe, expect, it } from 'vitest'
import { NOTICE, NOTICE_INPUT } from './notices.codec.ts'
import type { Notice } from './types.ts'

const AT = new Date('2026-11-15T05:00:00.500Z')
const BEHIND_MS = AT.getTime() - 40

const POSTED: Notice = {
  id: 1n,
  target: { kind: 'product', code: 'KOPI' },
  message: 'The machine is broken',
  startsAt: AT,
  endsAt: null,
  stopsPayments: true,
  createdBy: 'desk@example.com',
  createdAt: AT,
  endedAt: null,
}

it('a notice that begins as it is posted is in force, on a node whose clock is behind the database’s', () => {
  expect(NOTICE.encode(POSTED, BEHIND_MS).state).toBe('in_force')
})

it('a notice that was just ended is over, on such a node too', () => {
  const endedAt = new Date(AT.getTime() + 100)
  expect(NOTICE.encode({ ...POSTED, endedAt }, BEHIND_MS).state).toBe('over')
})

it('a notice for later is still to come', () => {
  expect(NOTICE.encode({ ...POSTED, startsAt: new Date(AT.getTime() + 1) }, BEHIND_MS).state).toBe(
    'scheduled',
  )
})

describe('a new notice', () => {
  const INPUT = { target: 'product', code: 'NOVA', message: ' Down ', stops_payments: true }

  it('is read with its times, which may be left out', () => {
    expect(NOTICE_INPUT.read({ ...INPUT, starts_at: '' })).toEqual({
      target: 'product',
      code: 'NOVA',
      message: 'Down',
      startsAt: null,
      stopsPayments: true,
    })
    expect(
      NOTICE_INPUT.read({ ...INPUT, starts_at: '2026-03-01T22:00:00+08:00', ends_at: '2026-03-01T15:00Z' }),
    ).toMatchObject({
      startsAt: new Date('2026-03-01T14:00:00Z'),
      endsAt: new Date('2026-03-01T15:00:00Z'),
    })
  })

  it.each([
    ['target', 'reseller'],
    ['code', ''],
    ['code', 'NO VA'],
    ['message', ' '],
    ['message', 'x'.repeat(501)],
    ['starts_at', 'soon'],
    ['starts_at', '2026-03-01'],
    ['ends_at', '2026-03-01T22:00:00'],
    ['ends_at', '2026-13-01T22:00:00Z'],
    ['ends_at', '2026-02-30T22:00:00Z'],
    ['starts_at', '2026-02-29T22:00:00+08:00'],
    ['starts_at', '2026-04-31T00:00Z'],
  ])('is refused with %s of %j', (field, value) => {
    expect(() => NOTICE_INPUT.read({ ...INPUT, [field]: value })).toThrow(
      expect.objectContaining({ status: 400, fields: { [field]: [expect.any(String)] } }),
    )
  })
})
