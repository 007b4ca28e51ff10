import { describe, expect, it } from 'vitest'
import { readPaymentsQuery } from './payments.rules.ts'

describe('the period of a question about payments', () => {
  const today = 20_000

  it('is the last 31 days unless it says something else', () => {
    expect(readPaymentsQuery({}, today).filter.days).toEqual({ from: today - 30, to: today })
  })

  it('is refused when it is turned around, too long, or no day at all', () => {
    for (const query of [
      { from: '2026-02-02', to: '2026-02-01' },
      { from: '2024-01-01', to: '2026-01-01' },
      { from: '2026-02-30' },
      { status: ['failed', 'done'] },
      { limit: '0' },
      { limit: '201' },
      { cursor: '-1' },
      { cursor: '99999999999999999999' },
      { account: 'a\0' },
    ]) {
      expect(() => readPaymentsQuery(query, today), JSON.stringify(query)).toThrow()
    }
  })
})
