import { expect, it } from 'vitest'
import type { ClientAnswer, Exchange } from '../faults/records.ts'
import { firstAcknowledged, longestGap, tableOf } from './times.ts'

const PAID: ClientAnswer = { kind: 'payment', http: 200, id: '1', code: 0 }
const LOST: ClientAnswer = { kind: 'unknown', why: '503' }

function exchange(refid: string, sentMs: number, toldMs: number, told = PAID): Exchange {
  return { account: '1', refid, node: 0, sentMs, toldMs, told, isReplay: false }
}

it('recovery is measured by payments that were begun after the fault, from the fault on', () => {
  const before = [exchange('a', 900, 1_000), exchange('b', 990, 5_000)]
  expect(firstAcknowledged(before, 1_000)).toBeUndefined()
  const after = [...before, exchange('c', 1_010, 4_000, LOST), exchange('c', 5_100, 7_000)]
  expect(firstAcknowledged(after, 1_000)).toBe(6_000)
  // The answer to an earlier request about the same payment does not count as one that was begun later.
  expect(firstAcknowledged([...before, exchange('b', 5_500, 5_600)], 1_000)).toBeUndefined()
})

it('the longest time without an answer counts from the fault to the end, and answers that say nothing do not end it', () => {
  const log = [exchange('a', 0, 1_500), exchange('b', 0, 1_700, LOST), exchange('c', 0, 4_500)]
  expect(longestGap(log, 1_000, 5_000)).toBe(3_000)
  expect(longestGap([], 1_000, 5_000)).toBe(4_000)
})

it('the table has one line for each kind of fault, with the least and the most', () => {
  const times = { firstMs: 1_000, everywhereMs: 2_000, longestGapMs: 500, wholeMs: 9_000 }
  const lines = tableOf([
    { fault: 'leader', ...times },
    { fault: 'standby', ...times },
    { fault: 'leader', ...times, firstMs: 3_450 },
  ]).split('\n')
  expect(lines.slice(2)).toEqual([
    '| leader | 2 | 1.0 to 3.5 s | 2.0 s | 0.5 s | 9.0 s |',
    '| standby | 1 | 1.0 s | 2.0 s | 0.5 s | 9.0 s |',
  ])
})
