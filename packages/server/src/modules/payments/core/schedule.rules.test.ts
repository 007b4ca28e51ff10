import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nextQuestionMs, parseReference, referenceOf } from './schedule.rules.ts'

describe('a reference', () => {
  it('is read back as what it names, for every payment and attempt', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 2n ** 63n - 1n }),
        fc.integer({ min: 1, max: 9_999 }),
        (paymentId, attempt) => {
          expect(parseReference(referenceOf(paymentId, attempt))).toEqual({ paymentId, attempt })
        },
      ),
    )
  })

  it.each([
    '',
    'W',
    'W1',
    'W1-',
    'W-1',
    'W0-1',
    'W1-0',
    'W01-1',
    'W1-01',
    'w1-1',
    'W1-1 ',
    ' W1-1',
    'W1-1\n',
    'W1-1-1',
    'W1-12345',
    'W9223372036854775808-1',
    'W1e3-1',
    "W1-1' or 1=1",
  ])('%j names nothing', (text) => {
    expect(parseReference(text)).toBeUndefined()
  })

  it('is read as one or not at all, whatever the text, and written back as it was', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^W?\d{0,20}-?\d{0,5}$/)), (text) => {
        const read = parseReference(text)
        if (read !== undefined) expect(referenceOf(read.paymentId, read.attempt)).toBe(text)
      }),
    )
  })
})

it('questions come ever more seldom, and never stop', () => {
  const seconds = Array.from({ length: 17 }, (_, asked) => nextQuestionMs(asked) / 1_000)
  expect(seconds).toEqual([1, 1, 2, 2, 3, 3, 5, 5, 8, 13, 20, 30, 60, 120, 300, 600, 600])
  expect(nextQuestionMs(1_000_000)).toBe(600_000)
})

it.each([
  [11, undefined, 30_000],
  [11, 30_000, 30_000],
  [11, 29_999.5, 30_000],
  [11, 7_000.2, 7_001],
  [11, 31_000, 30_000],
  [0, 101, 101],
  [0, 1, 100],
  [0, -5, 100],
])(
  'after %d questions, a provider that will decide in %s ms is asked after %d ms',
  (asked, decidedInMs, expected) => {
    const answer = decidedInMs === undefined ? {} : { decidedInMs }
    expect(nextQuestionMs(asked, { kind: 'pending', ...answer })).toBe(expected)
  },
)

it('only a provider that has not decided says when it will be asked again', () => {
  expect(nextQuestionMs(11, { kind: 'unknown', reason: 'silence' })).toBe(30_000)
  expect(nextQuestionMs(11, { kind: 'not_found' })).toBe(30_000)
})
