import { describe, expect, it } from 'vitest'
import { admit, BUDGET, emptyWindow } from './request-log.rules.ts'

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
