import { describe, expect, it } from 'vitest'
import { decodeOutcomes, encodeOutcomes, isRefusal, retryAfterMs } from './outcomes.rules.ts'

describe('the time until an answer is written again', () => {
  it('doubles from a quarter of a second to ten seconds after an outage', () => {
    expect([0, 1, 2, 5, 6, 100, 2_000].map((tries) => retryAfterMs(tries, false))).toEqual([
      250, 500, 1_000, 8_000, 10_000, 10_000, 10_000,
    ])
  })

  it('doubles from a minute to an hour after a refusal', () => {
    expect([0, 1, 5, 6, 100, 2_000].map((tries) => retryAfterMs(tries, true))).toEqual([
      60_000, 120_000, 1_920_000, 3_600_000, 3_600_000, 3_600_000,
    ])
  })
})

it.each([
  ['22003', true],
  ['23505', true],
  ['42P01', true],
  ['57014', false],
  ['08006', false],
  ['12345', false],
  ['02342', false],
  [undefined, false],
])('the state %s is a refusal of the content: %s', (state, expected) => {
  expect(isRefusal(state)).toBe(expected)
})

describe('answers in a file', () => {
  it('come back as they were, with every bigint', () => {
    const outcomes = [
      { kind: 'resolve', command: { id: 5n, list: [2n ** 63n - 1n, 'x', null, 1.5], nothing: {} } },
      { kind: 'note', command: { bigint: 'five' } },
      { kind: 'note', command: { bigint: '5', other: 1 } },
      { kind: 'note', command: { bigint: 5 } },
      { kind: 'note', command: { other: '5' } },
    ]
    expect(decodeOutcomes(encodeOutcomes(outcomes))).toEqual(outcomes)
  })

  it.each(['{"format":2,"outcomes":[]}', '{"outcomes":[]}', '{"format":1}', '{"format":1,"outcomes":{}}'])(
    '%s is not read',
    (text) => {
      expect(() => decodeOutcomes(text)).toThrow('a format that this version does not know')
    },
  )
})
