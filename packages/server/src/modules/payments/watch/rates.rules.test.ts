import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { judgeRate } from './rates.rules.ts'

const week = (percent: number, ended = 1_000) => ({ good: (ended * percent) / 100, ended })

describe('a success rate', () => {
  it('has fallen at 20 percentage points below the week before, and is well again above 10', () => {
    const verdicts = [90, 81, 79, 71, 70, 10].map((percent) => judgeRate(week(percent, 100), week(90)))
    expect(verdicts).toEqual(['well', 'well', 'unclear', 'unclear', 'fallen', 'fallen'])
  })

  it('is not judged by fewer than 30 payments of an hour, or 100 of the week', () => {
    expect(judgeRate({ good: 0, ended: 29 }, week(90))).toBe('unclear')
    expect(judgeRate({ good: 0, ended: 30 }, week(90))).toBe('fallen')
    expect(judgeRate({ good: 0, ended: 30 }, week(90, 99))).toBe('unclear')
  })

  it('has not fallen where chance explains it', () => {
    expect(judgeRate({ good: 15, ended: 50 }, week(50))).toBe('unclear')
    expect(judgeRate({ good: 150, ended: 500 }, week(50))).toBe('fallen')
  })

  it('is well where it is not below the week before, and a worse hour is never judged better', () => {
    const order = { well: 0, unclear: 1, fallen: 2 }
    fc.assert(
      fc.property(
        fc.integer({ min: 30, max: 5_000 }),
        fc.nat(5_000),
        fc.nat(5_000),
        fc.integer({ min: 0, max: 100 }),
        (ended, one, other, percent) => {
          const [low, high] = [Math.min(one, other, ended), Math.min(Math.max(one, other), ended)]
          const judge = (good: number) => judgeRate({ good, ended }, week(percent))
          expect(order[judge(low)]).toBeGreaterThanOrEqual(order[judge(high)])
          if (high / ended >= percent / 100) expect(judge(high)).toBe('well')
        },
      ),
    )
  })
})
