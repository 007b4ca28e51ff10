import { describe, expect, it } from 'vitest'
import type { Day } from './overview.rules.ts'
import {
  balanceByDay,
  countAttention,
  countLeftPending,
  daysLeft,
  endpointAttention,
  figuresOf,
  leftPendingTarget,
  moneyAttention,
  spentPerDay,
} from './overview.rules.ts'

const NONE = { SUCCESSFUL: 0n, PENDING: 0n, FAILED: 0n, REFUND: 0n }

function day(number: number, changes: Partial<Day> = {}): Day {
  return { day: number, counts: NONE, faceValue: 0n, cost: 0n, ...changes }
}

describe('figures', () => {
  it('count every payment, and rate only those that succeeded or failed', () => {
    const counts = { SUCCESSFUL: 2n, PENDING: 5n, FAILED: 1n, REFUND: 3n }
    const figures = figuresOf([
      day(1, { counts, faceValue: 100n, cost: 97n }),
      day(2, { faceValue: 10n, cost: 11n }),
    ])
    expect(figures).toMatchObject({ payments: 11n, sales: 110n, cost: 108n, margin: 2n, successRate: 0.6667 })
  })

  it('have no rate where nothing ended', () => {
    expect(figuresOf([day(1)]).successRate).toBeNull()
  })
})

describe('how long the balance lasts', () => {
  const week = Array.from({ length: 7 }, (_, index) => day(93 + index, { cost: 100n }))

  it('follows from the last seven whole days, and not from today', () => {
    expect(daysLeft(1_000n, week, 100)).toBe(10)
    expect(daysLeft(1_000n, [...week, day(100, { cost: 999_999n })], 100)).toBe(10)
    expect(daysLeft(1_000n, [day(92, { cost: 999_999n }), ...week], 100)).toBe(10)
  })

  it('counts days on which nothing was sold', () => {
    expect(daysLeft(100n, [day(99, { cost: 700n })], 100)).toBe(1)
  })

  it('is unknown where nothing was sold at all', () => {
    expect(daysLeft(1_000n, [day(99)], 100)).toBeNull()
  })
})

describe('the balance of each day', () => {
  const moved = (number: number, opening: bigint, closing: bigint, deposit = 0n) => ({
    day: number,
    opening,
    closing,
    movements: { deposit: { amount: deposit } },
  })

  it('is that of the day before where nothing moved, and of the first movement before it', () => {
    const days = balanceByDay([moved(3, 50n, 40n), moved(5, 40n, 90n, 60n)], { from: 1, to: 6 }, 90n)
    expect(days.map(({ closing }) => closing)).toEqual([50n, 50n, 40n, 40n, 90n, 90n])
    expect(days.map(({ deposited }) => deposited)).toEqual([0n, 0n, 0n, 0n, 60n, 0n])
  })

  it('is the present one throughout where nothing moved at all', () => {
    expect(balanceByDay([], { from: 1, to: 2 }, 7n).map(({ closing }) => closing)).toEqual([7n, 7n])
  })

  it('falls by the average of the last seven whole days', () => {
    expect(spentPerDay([day(99, { cost: 700n }), day(100, { cost: 999n })], 100)).toBe(100n)
    expect(spentPerDay([day(99)], 100)).toBeNull()
  })
})

describe('attention', () => {
  it('is called to a balance below the threshold, not to one at it', () => {
    expect(moneyAttention(99n, 100n, null)).toMatchObject([
      { kind: 'balance_low', target: { page: 'deposits' } },
    ])
    expect(moneyAttention(100n, 100n, null)).toEqual([])
    expect(moneyAttention(100n, null, 1.9)).toMatchObject([{ kind: 'balance_runs_out' }])
  })

  it('is called to payments of the days before that have not ended, not to those of today', () => {
    const counts = { ...NONE, PENDING: 2n }
    expect(countLeftPending([day(98, { counts }), day(99, { counts }), day(100, { counts })], 100)).toBe(4)
    const target = leftPendingTarget([day(98, { counts }), day(99, { counts }), day(100, { counts })], 100)
    expect(countAttention('payments_pending', 4, 'x', target)).toMatchObject([
      {
        severity: 'info',
        count: 4,
        target: { page: 'payments', filter: { status: 'pending', from: '1970-04-09', to: '1970-04-10' } },
      },
    ])
    expect(countAttention('payments_pending', 0, 'x', target)).toEqual([])
  })

  it('is called to what is worst of an endpoint', () => {
    const at = new Date(0)
    const state = { stream: 'balance', isEnabled: false, pausedAt: at, failingSince: at } as const
    expect(endpointAttention(state)).toMatchObject([
      { kind: 'endpoint_paused', subject: 'balance', target: { page: 'endpoint', stream: 'balance' } },
    ])
    expect(endpointAttention({ ...state, pausedAt: null })).toMatchObject([{ kind: 'endpoint_disabled' }])
    expect(endpointAttention({ ...state, pausedAt: null, isEnabled: true })).toMatchObject([
      { kind: 'endpoint_failing' },
    ])
  })
})
