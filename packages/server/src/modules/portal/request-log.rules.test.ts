import { describe, expect, it } from 'vitest'
import { admit, BUDGET, emptyWindow, firstIdAt, readRequestQuery } from './request-log.rules.ts'

describe('the budget of an account', () => {
  it('is so many in a second, and the rest is counted', () => {
    const window = emptyWindow(1)
    const kept = Array.from({ length: 100 }, () => admit(window, 1, false)).filter(Boolean)
    expect(kept).toHaveLength(BUDGET.others)
    expect(window.skipped).toBe(100 - BUDGET.others)
    expect(admit(window, 2, false)).toBe(true)
    expect(window.skipped).toBe(100 - BUDGET.others)
  })

  it('of failures is not used up by what went well', () => {
    const window = emptyWindow(1)
    for (let n = 0; n < 100; n += 1) admit(window, 1, false)
    expect(admit(window, 1, true)).toBe(true)
  })
})

describe('the days that are asked for', () => {
  const TODAY = 20_700
  const ID_MAX = 2n ** 63n

  it('may lie anywhere in the calendar, and still are ids', () => {
    for (const query of [
      { from: '9999-12-31' },
      { to: '9999-12-31', from: '9999-01-01' },
      { from: '0000-01-01', to: '0000-12-31' },
      { to: '0000-01-01' },
    ]) {
      const { fromId, untilId } = readRequestQuery(query, TODAY)
      expect(fromId >= 0n && untilId >= fromId && untilId < ID_MAX, JSON.stringify(query)).toBe(true)
    }
  })

  it('hold all of today', () => {
    const { fromId, untilId } = readRequestQuery({}, TODAY)
    const midnightMs = (TODAY * 24 - 8) * 3_600_000
    expect(fromId <= firstIdAt(midnightMs) && untilId === firstIdAt(midnightMs + 24 * 3_600_000)).toBe(true)
  })
})
