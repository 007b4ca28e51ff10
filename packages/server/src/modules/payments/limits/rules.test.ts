import { describe, expect, it } from 'vitest'
import { findLooser, isWider, limitRejection, operatorLimits, reachedOf } from './rules.ts'
import type { Limit } from './types.ts'

const limit = (change: Partial<Limit> = {}): Limit => ({
  scope: 'account',
  period: 'day',
  category: null,
  payments: 3,
  sum: null,
  ...change,
})

describe('a change of limits', () => {
  it.each<[string, Limit[], Limit[], boolean]>([
    ['the first limit', [], [limit()], false],
    ['a lower number', [limit()], [limit({ payments: 2 })], false],
    ['a sum beside the number', [limit()], [limit({ sum: 10n })], false],
    ['a higher number', [limit()], [limit({ payments: 4 })], true],
    ['a sum instead of the number', [limit()], [limit({ payments: null, sum: 10n })], true],
    ['a higher sum', [limit({ sum: 10n })], [limit({ sum: 11n })], true],
    ['a limit that is removed', [limit()], [], true],
    ['a limit of another category instead', [limit()], [limit({ category: 'GAMES' })], true],
  ])('%s lets more pass: %#', (_, before, after, expected) => {
    expect(isWider(before, after)).toBe(expected)
  })

  it('an own limit may be lower than the operator’s and may leave a measure out, never be higher', () => {
    const theirs = operatorLimits(
      [limit({ payments: 5 })],
      [limit({ payments: 1 }), limit({ period: 'month' })],
    )
    expect(theirs).toEqual([limit({ payments: 5 }), limit({ period: 'month' })])
    expect(
      findLooser([limit({ payments: 5 }), limit({ period: 'month', payments: null, sum: 9n })], theirs),
    ).toBeUndefined()
    expect(findLooser([limit({ payments: 6 })], theirs)).toEqual(limit({ payments: 5 }))
    expect(findLooser([limit({ category: 'GAMES', payments: 9 })], theirs)).toBeUndefined()
  })
})

describe('a rejection', () => {
  const used = { used_payments: '1', used_sum: '65000', resets_ms: Date.UTC(2026, 10, 16, 16) }

  it('says the limit, what is used and when it begins anew, at the field that it is about', () => {
    const row = { name: 'Account_Daily_Limit', payments: '3', sum: '100000', ...used } as const
    expect(limitRejection(reachedOf(row))).toMatchObject({
      code: 54,
      remarks: 'Account_Daily_Limit',
      errors: {
        account: [
          'At most 3 payments and 10.00, of which 1 payment and 6.50 are used. Begins anew at 2026-11-16T16:00:00.000Z.',
        ],
      },
    })
  })

  it('a cap of a key is about the amount', () => {
    const row = { name: 'Key_Daily_Cap', payments: null, sum: '100000', ...used } as const
    expect(limitRejection(reachedOf(row))).toMatchObject({
      code: 41,
      errors: { amount: ['At most 10.00, of which 6.50 are used. Begins anew at 2026-11-16T16:00:00.000Z.'] },
    })
    expect(limitRejection(reachedOf({ name: 'Key_Amount_Cap', sum: '100000' }))).toMatchObject({
      code: 41,
      remarks: 'Key_Amount_Cap',
      errors: { amount: ['At most 10.00.'] },
    })
  })
})
