import { describe, expect, it } from 'vitest'
import { judgeSilence } from './answers.rules.ts'

const MINUTE_MS = 60_000
const interval = (minutes: number, orders: number, answered: number) => ({
  ageMs: minutes * MINUTE_MS,
  orders,
  answered,
})
const stateOf = (...intervals: ReturnType<typeof interval>[]) => judgeSilence(intervals).state

describe('a supplier', () => {
  it('is silent from five orders without an answer since its last one', () => {
    expect(judgeSilence([interval(2, 3, 0), interval(7, 2, 0), interval(12, 9, 9)])).toEqual({
      state: 'bad',
      unanswered: 5,
    })
    expect(stateOf(interval(2, 3, 0), interval(7, 1, 0), interval(20, 9, 9))).toBe('unclear')
    expect(stateOf(interval(2, 5, 0))).toBe('bad')
    expect(stateOf(interval(2, 100, 1))).toBe('unclear')
  })

  it('is silent at few orders too, when they are spread over hours', () => {
    expect(stateOf(interval(55, 1, 0), interval(200, 2, 0), interval(500, 2, 0))).toBe('bad')
  })

  it('is not called silent about orders that are older than an hour', () => {
    expect(stateOf(interval(61, 50, 0))).toBe('unclear')
  })

  it('is well again when it answers half of the orders of 15 minutes, and where it had none for a day', () => {
    expect(stateOf(interval(2, 10, 5))).toBe('well')
    expect(stateOf(interval(2, 10, 4))).toBe('unclear')
    expect(stateOf(interval(20, 10, 10))).toBe('unclear')
    expect(stateOf()).toBe('well')
  })
})
