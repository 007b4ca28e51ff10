import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Rates } from '../rates/types.ts'
import type { FloatReading } from './float.rules.ts'
import { judgeFloat, spentPerHour } from './float.rules.ts'

const START = Date.UTC(2026, 10, 15)

/** Makes one reading every ten minutes. */
function readings(...ringgit: number[]): FloatReading[] {
  return ringgit.map((amount, index) => ({
    at: new Date(START + index * 600_000),
    amount: BigInt(amount) * 10_000n,
  }))
}

describe('the rate of trading', () => {
  it('is what went out between readings', () => {
    expect(spentPerHour(readings(1_000, 990, 980, 970, 960, 950, 940))).toBe(600_000n)
  })

  it('does not take a deposit for trading, nor against it', () => {
    expect(spentPerHour(readings(100, 90, 80, 1_070, 1_060, 1_050, 1_040))).toBe(500_000n)
  })

  it('is not known from less than half an hour', () => {
    expect(spentPerHour([])).toBeNull()
    expect(spentPerHour(readings(100))).toBeNull()
    expect(spentPerHour(readings(100, 50, 10))).toBeNull()
    expect(spentPerHour(readings(100, 50, 10, 5))).not.toBeNull()
  })

  it('is never negative, and never more than what was there to spend', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 1_000_000 }), { minLength: 4, maxLength: 40 }), (amounts) => {
        const rate = spentPerHour(readings(...amounts)) ?? -1n
        const hours = BigInt(amounts.length - 1)
        const sum = BigInt(amounts.reduce((total, each) => total + each, 0)) * 10_000n
        expect(rate >= 0n && rate * hours <= sum * 6n).toBe(true)
      }),
    )
  })
})

const NO_RATES: Rates = new Map()
const judge = (amount: bigint, past: readonly FloatReading[]) =>
  judgeFloat({ amount, currency: 'MYR' }, null, past, NO_RATES)

describe('a float', () => {
  const idle = readings(1_000, 1_000, 1_000, 1_000)

  it.each([
    [999_999n, 1_000_000n, true],
    [1_000_000n, 1_000_000n, false],
    [0n, null, false],
    [-5n, 0n, true],
  ])('a float of %s with a limit of %s is low: %s', (amount, limit, isLow) => {
    expect(judgeFloat({ amount, currency: 'MYR' }, limit, idle, NO_RATES).low !== null).toBe(isLow)
  })

  it('a float that trading empties within a day is forecast, limit or not', () => {
    const hour = readings(340, 330, 320, 310, 300, 290, 280)
    expect(judge(2_800_000n, hour).forecast).toContain('60.00 an hour')
    expect(judge(14_399_999n, hour).forecast).not.toBeNull()
    expect(judge(14_400_000n, hour).forecast).toBeNull()
    expect(judge(1n, idle).forecast).toBeNull()
  })

  it('a float of another currency is compared with a threshold in that currency, and told in ringgit too', () => {
    const float = { amount: 1_000_000n, currency: 'USD' }
    const rates = new Map([['USD', 470_000_000n]])
    expect(judgeFloat(float, 1_000_000n, idle, rates).low).toBeNull()
    expect(judgeFloat(float, 2_000_000n, idle, rates).low).toBe(
      '100.00 USD (470.00 MYR) is left, less than 200.00 USD (940.00 MYR)',
    )
    expect(judgeFloat(float, 2_000_000n, idle, NO_RATES).low).toBe('100.00 USD is left, less than 200.00 USD')
  })
})
