import { describe, expect, it } from 'vitest'
import { daysBefore, foldSums, orderedLines, rankedLines, totalOf } from './rules.ts'

const counts = { SUCCESSFUL: 1n, PENDING: 0n, FAILED: 0n, REFUND: 0n }
const of = (faceValue: bigint) => ({ counts, faceValue, cost: faceValue - 1n })

describe('the days to compare with', () => {
  it.each([
    [1, 7],
    [7, 7],
    [8, 14],
    [31, 35],
  ])(
    'a report of %i days is compared with as many, %i days earlier, on the same weekdays',
    (length, back) => {
      const days = { from: 20_000, to: 20_000 + length - 1 }
      expect(daysBefore(days)).toEqual({ from: days.from - back, to: days.to - back })
      expect(daysBefore(days).to).toBeLessThan(days.from)
    },
  )
})

describe('the lines of a report', () => {
  it('are ranked by sales, and those that sold before alone are there', () => {
    const lines = rankedLines(
      new Map([
        ['a', of(5n)],
        ['b', of(9n)],
      ]),
      new Map([
        ['c', of(7n)],
        ['b', of(2n)],
      ]),
      (key) => key.toUpperCase(),
    )
    expect(lines.map(({ key, name, now, before }) => [key, name, now.faceValue, before.faceValue])).toEqual([
      ['b', 'B', 9n, 2n],
      ['a', 'A', 5n, 0n],
      ['c', 'C', 0n, 7n],
    ])
  })

  it('stay in their order where they have one, also without payments', () => {
    const lines = orderedLines(
      ['0', '1'].map((key) => ({ key, name: null })),
      new Map([['1', of(5n)]]),
      new Map(),
    )
    expect(lines.map(({ key, now }) => [key, now.faceValue])).toEqual([
      ['0', 0n],
      ['1', 5n],
    ])
  })

  it('add up to the same total, however they are folded', () => {
    const sums = new Map([
      ['a', of(5n)],
      ['b', of(9n)],
      ['c', of(7n)],
    ])
    const folded = foldSums(sums, (key) => (key === 'c' ? 'y' : 'x'))
    expect(folded.get('x')).toMatchObject({ faceValue: 14n, cost: 12n, counts: { SUCCESSFUL: 2n } })
    expect(totalOf([...folded.values()])).toEqual(totalOf([...sums.values()]))
  })
})
