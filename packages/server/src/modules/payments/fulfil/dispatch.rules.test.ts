import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Pace } from './dispatch.rules.ts'
import {
  ATTEMPTS_MAX,
  createPace,
  DELAYED,
  DISABLED,
  hasTurn,
  INTERRUPTED,
  isGivenBack,
  isTooLate,
  nextTurnMs,
  provenBy,
  TOO_LATE,
  takeTurn,
} from './dispatch.rules.ts'

it('no second begins more than the rate and what was caught up, whenever it is looked at', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0.1, max: 500, noNaN: true }),
      fc.array(fc.nat(300), { maxLength: 200 }),
      (rate, pauses) => {
        const pace = createPace(0)
        const begun: number[] = []
        let now = 0
        for (const pause of pauses) {
          now += pause
          while (hasTurn(pace, rate, now)) {
            takeTurn(pace)
            begun.push(now)
          }
        }
        const most = rate + Math.max(1, rate * 0.05)
        for (const [index, at] of begun.entries()) {
          const within = begun.slice(index).filter((other) => other - at < 1_000).length
          expect(within).toBeLessThanOrEqual(most + 1e-6)
        }
      },
    ),
  )
})

it('a caller who comes back at the told time has a turn', () => {
  fc.assert(
    fc.property(fc.double({ min: 0.1, max: 500, noNaN: true }), (rate) => {
      const pace = createPace(0)
      let now = 0
      for (let order = 0; order < 20; order += 1) {
        if (!hasTurn(pace, rate, now)) now += nextTurnMs(pace, rate)
        expect(hasTurn(pace, rate, now + 1e-3)).toBe(true)
        takeTurn(pace)
      }
    }),
  )
})

it('every caller has a turn when there is no rate', () => {
  const pace = createPace(0)
  for (let order = 0; order < 100; order += 1) {
    expect(hasTurn(pace, null, 0)).toBe(true)
    takeTurn(pace)
  }
})

describe('turns at a rate', () => {
  /** Counts the turns that can be taken at a moment. */
  function turnsAt(pace: Pace, rate: number, nowMs: number): number {
    let turns = 0
    for (; hasTurn(pace, rate, nowMs); turns += 1) takeTurn(pace)
    return turns
  }

  it('begin with one', () => {
    expect(turnsAt(createPace(0), 1, 0)).toBe(1)
    expect(turnsAt(createPace(0), 100, 0)).toBe(1)
  })

  it('missed turns are caught up for a twentieth of a second, or one of them', () => {
    expect(turnsAt(createPace(0), 1, 10_000)).toBe(1)
    expect(turnsAt(createPace(0), 100, 10_000)).toBe(5)
  })

  it('come back when they are due, and never before a millisecond', () => {
    const pace = createPace(0)
    expect(nextTurnMs(pace, 4)).toBe(1)
    takeTurn(pace)
    expect(nextTurnMs(pace, 4)).toBe(250)
    expect(nextTurnMs(pace, null)).toBe(0)
  })
})

describe('orders that were not sent', () => {
  it('an order is sent when the last moment of its answer is the end of its lease, and not a millisecond later', () => {
    const isTooLateAt = (sentMs: number) =>
      isTooLate({ submitTimeoutMs: 10_000 }, { leaseEndsMs: 60_000 }, sentMs)
    expect(isTooLateAt(0)).toBe(false)
    expect(isTooLateAt(50_000)).toBe(false)
    expect(isTooLateAt(50_001)).toBe(true)
  })

  it.each([TOO_LATE, DELAYED, DISABLED, INTERRUPTED])(
    'an order that was refused because $reason fails with 47, service unavailable, when nobody else takes it',
    ({ code }) => {
      expect(code).toBe(47)
    },
  )

  it('an order that this node delayed is given back while attempts are left', () => {
    expect(isGivenBack(1, DELAYED)).toBe(true)
    expect(isGivenBack(ATTEMPTS_MAX - 1, DELAYED)).toBe(true)
    expect(isGivenBack(ATTEMPTS_MAX, DELAYED)).toBe(false)
  })

  it.each([TOO_LATE, DISABLED, INTERRUPTED])(
    'an order that the provider cannot take because $reason is not given back: it goes to another provider',
    (refusal) => {
      expect(isGivenBack(1, refusal)).toBe(false)
    },
  )

  it('a payment is tried by 20 attempts at most, so that providers that refuse in a cycle come to an end', () => {
    expect(ATTEMPTS_MAX).toBe(20)
  })
})

it('a failure proves nothing when the reference was sent before, and every other answer counts as it is', () => {
  const failed = { kind: 'failed', code: 54, reason: 'duplicate' } as const
  expect(provenBy(failed, true)).toEqual({ kind: 'pending' })
  expect(provenBy(failed, false)).toBe(failed)
  expect(provenBy(failed, undefined)).toBe(failed)
  const unknown = { kind: 'unknown', reason: 'no answer' } as const
  expect(provenBy(unknown, true)).toBe(unknown)
})
