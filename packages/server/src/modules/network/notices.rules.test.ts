import { describe, expect, it } from 'vitest'
import { boardOf, isStoppedAt, noticePeriodAt, noticeStateAt, noticesOn } from './notices.rules.ts'
import type { Notice } from './types.ts'

let lastId = 0n

/** Makes a notice from one millisecond to another; null: without an end. */
function notice(from: number, to: number | null, change: Partial<Notice> = {}): Notice {
  lastId += 1n
  return {
    id: lastId,
    target: { kind: 'product', code: 'NOVA' },
    message: 'x',
    startsAt: new Date(from),
    endsAt: to === null ? null : new Date(to),
    stopsPayments: false,
    createdBy: 'test',
    createdAt: new Date(0),
    endedAt: null,
    ...change,
  }
}

const NOVA = { code: 'NOVA', categoryCode: 'PREPAID' }

describe('a notice', () => {
  it('is in force from its start until its end, the end excluded', () => {
    const one = notice(10, 20)
    expect([9, 10, 19, 20].map((at) => noticeStateAt(one, at))).toEqual([
      'scheduled',
      'in_force',
      'in_force',
      'over',
    ])
  })

  it('is over when somebody ended it, even before it began', () => {
    expect(noticeStateAt(notice(10, 20, { endedAt: new Date(15) }), 15)).toBe('over')
    expect(noticeStateAt(notice(10, null, { endedAt: new Date(15) }), 14)).toBe('in_force')
    expect(noticeStateAt(notice(10, null, { endedAt: new Date(5) }), 12)).toBe('over')
  })
})

describe('the board', () => {
  it('says of a product what is said of itself and of its category, and nothing else', () => {
    const [own, shared, foreign, never] = [
      notice(0, null),
      notice(0, null, { target: { kind: 'category', code: 'PREPAID' } }),
      notice(0, null, { target: { kind: 'provider', code: 'NOVA' } }),
      notice(10, null, { endedAt: new Date(5) }),
    ]
    const board = boardOf([own, shared, foreign, never])
    expect(noticesOn(board, NOVA)).toEqual([own, shared])
    expect(noticesOn(board, { code: 'KITA', categoryCode: 'PREPAID' })).toEqual([shared])
    expect(noticesOn(board, { code: 'KITA', categoryCode: 'BILLS' })).toEqual([])
    expect(noticesOn(boardOf([]), { code: 'toString', categoryCode: '__proto__' })).toEqual([])
  })

  it('stops payments only by a notice that says so, and only while it is in force', () => {
    expect(isStoppedAt(boardOf([notice(0, null)]), NOVA, 5)).toBe(false)
    const stopping = boardOf([notice(10, 20, { stopsPayments: true })])
    expect([9, 10, 20].map((at) => isStoppedAt(stopping, NOVA, at))).toEqual([false, true, false])
    expect(isStoppedAt(stopping, { code: 'KITA', categoryCode: 'PREPAID' }, 15)).toBe(false)
    const target = { kind: 'category', code: 'PREPAID' } as const
    const whole = boardOf([notice(10, null, { stopsPayments: true, target })])
    expect(isStoppedAt(whole, { code: 'KITA', categoryCode: 'PREPAID' }, 15)).toBe(true)
  })
})

describe('since when', () => {
  it('is not known where nothing was ever said, or is still to come', () => {
    expect(noticePeriodAt([], 50)).toEqual({ isOn: false, sinceMs: null })
    expect(noticePeriodAt([notice(60, 70)], 50)).toEqual({ isOn: false, sinceMs: null })
  })

  it('it works again is when the last notice was over', () => {
    expect(noticePeriodAt([notice(10, 20), notice(15, 40), notice(5, 12)], 50)).toEqual({
      isOn: false,
      sinceMs: 40,
    })
  })

  it('it does not is when the first of the notices began that follow without a gap', () => {
    expect(noticePeriodAt([notice(10, 20), notice(20, 30), notice(25, 60), notice(1, 9)], 50)).toEqual({
      isOn: true,
      sinceMs: 10,
    })
    expect(noticePeriodAt([notice(10, 20), notice(21, 60)], 50)).toEqual({ isOn: true, sinceMs: 21 })
    expect(noticePeriodAt([notice(50, null)], 50)).toEqual({ isOn: true, sinceMs: 50 })
  })
})
