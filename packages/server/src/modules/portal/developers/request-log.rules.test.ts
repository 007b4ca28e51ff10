import { describe, expect, it } from 'vitest'
import {
  admit,
  BUDGET,
  BUDGET_OF_ALL,
  emptyWindow,
  firstIdAt,
  readRequestQuery,
} from './request-log.rules.ts'

describe('the budget of an account', () => {
  it('is so many in a second, and the rest is counted', () => {
    const window = emptyWindow(1)
    const ofAll = emptyWindow(1)
    const kept = Array.from({ length: 100 }, () => admit(window, ofAll, 1, false)).filter(Boolean)
    expect(kept).toHaveLength(BUDGET.others)
    expect(window.skipped).toBe(100 - BUDGET.others)
    expect(admit(window, ofAll, 2, false)).toBe(true)
    expect(window.skipped).toBe(100 - BUDGET.others)
  })

  it('the budget of failures is not used up by successes', () => {
    const window = emptyWindow(1)
    const ofAll = emptyWindow(1)
    for (let n = 0; n < 100; n += 1) admit(window, ofAll, 1, false)
    expect(admit(window, ofAll, 1, true)).toBe(true)
  })
})

describe('the budget of all accounts', () => {
  /** Counts the kept requests of each account when each account sends ten in one second, one account after another. */
  function keptOf(accounts: number, isFailed: boolean): number[] {
    const ofAll = emptyWindow(1)
    return Array.from({ length: accounts }, () => {
      const window = emptyWindow(1)
      return Array.from({ length: 10 }, () => admit(window, ofAll, 1, isFailed)).filter(Boolean).length
    })
  }
  const sum = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0)

  it('holds however many accounts there are', () => {
    expect(sum(keptOf(1_000, false))).toBe(BUDGET_OF_ALL.others)
    expect(sum(keptOf(1_000, true))).toBe(BUDGET_OF_ALL.failed)
  })

  it('has something for quiet accounts behind a few busy ones', () => {
    expect(keptOf(40, false).at(-1)).toBe(1)
    expect(keptOf(5, false)).toEqual(Array(5).fill(BUDGET.others))
  })
})

describe('the days that are asked for', () => {
  const TODAY = 20_700
  const ID_MAX = 2n ** 63n

  it('may lie anywhere in the calendar, and still are ids', () => {
    for (const query of [
      { from: '9999-12-31' },
      { to: '9999-12-31', from: '9999-01-01' },
      { from: '0001-01-01', to: '0001-12-31' },
      { to: '0001-01-01' },
    ]) {
      const { fromId, untilId } = readRequestQuery(query, TODAY)
      expect(fromId >= 0n && untilId >= fromId && untilId < ID_MAX, JSON.stringify(query)).toBe(true)
    }
  })

  it('have no year 0000, which PostgreSQL does not know', () => {
    expect(() => readRequestQuery({ to: '0000-01-01' }, TODAY)).toThrow('The given data was invalid.')
  })

  it('hold all of today', () => {
    const { fromId, untilId } = readRequestQuery({}, TODAY)
    const midnightMs = (TODAY * 24 - 8) * 3_600_000
    expect(fromId <= firstIdAt(midnightMs) && untilId === firstIdAt(midnightMs + 24 * 3_600_000)).toBe(true)
  })
})
