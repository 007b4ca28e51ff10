import { describe, expect, it } from 'vitest'
import { RequestError } from '../errors.ts'
import { BOOLEAN, oneOf, pattern, readFields, readGivenFields, text, wholeNumber } from './fields.ts'

const RULES = {
  name: text(1, 5),
  priceLevel: pattern('must be capitals', /^[A-Z]+$/),
  role: oneOf(['admin', 'viewer']),
  limit: wholeNumber(1, 10),
  locked: BOOLEAN,
} as const

const GOOD = { name: 'Kedai', priceLevel: 'A', role: 'admin', limit: 10, locked: false }

function problemsOf(work: () => unknown): unknown {
  try {
    work()
  } catch (error) {
    expect(error).toBeInstanceOf(RequestError)
    return (error as RequestError).fields
  }
  return undefined
}

describe('fields', () => {
  it('right values are given back, with text trimmed', () => {
    expect(readFields(RULES, { ...GOOD, name: '  Kedai ' })).toEqual(GOOD)
  })

  it('wrong values are named all at once, as callers spell them', () => {
    const input = { name: '', priceLevel: 'a', role: 'owner', limit: 11, locked: 'no' }
    expect(Object.keys(problemsOf(() => readFields(RULES, input)) ?? {})).toEqual([
      'name',
      'price_level',
      'role',
      'limit',
      'locked',
    ])
  })

  it('missing values are wrong in a new record and left alone in a change', () => {
    expect(problemsOf(() => readFields(RULES, { ...GOOD, limit: undefined }))).toEqual({
      limit: ['must be a whole number from 1 to 10'],
    })
    expect(readGivenFields(RULES, { name: 'Baru', limit: undefined })).toEqual({ name: 'Baru' })
    expect(problemsOf(() => readGivenFields(RULES, { limit: 0 }))).toHaveProperty('limit')
  })

  it.each(['a\u0000b', 'a\nb', 'a\u007fb', 'a\ud800b', 'sixsix', '', 7, null])(
    'refuse the text %j',
    (value) => {
      expect(text(1, 5).read(value)).toBeUndefined()
    },
  )

  it('count characters, not UTF-16 units', () => {
    expect(text(1, 5).read('\u{1f600}\u{1f600}\u{1f600}\u{1f600}\u{1f600}')).toBeDefined()
    expect(text(1, 5).read('\u{1f600}\u{1f600}\u{1f600}\u{1f600}\u{1f600}\u{1f600}')).toBeUndefined()
  })

  it.each([1.5, Number.NaN, '5', 0, 11, Number.POSITIVE_INFINITY])('refuse the number %j', (value) => {
    expect(wholeNumber(1, 10).read(value)).toBeUndefined()
  })
})
