import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EventRef } from '../types.ts'
import type { FeedEntry } from './feed.rules.ts'
import { pageOf, readFeedParameters, startOfPage } from './feed.rules.ts'

describe('the parameters', () => {
  it('are left out: from the beginning, a hundred', () => {
    expect(readFeedParameters({})).toEqual({ after: 0n, limit: 100 })
    expect(readFeedParameters({ after: '', limit: '' })).toEqual({ after: 0n, limit: 100 })
  })

  it('may go far beyond what a day of events needs', () => {
    expect(readFeedParameters({ after: '999999999999999', limit: '1000' })).toEqual({
      after: 999_999_999_999_999n,
      limit: 1_000,
    })
  })

  it.each([
    { after: '-1' },
    { after: '1.5' },
    { after: 'x' },
    { after: '1e3' },
    { after: '9999999999999999' },
  ])('%j is refused', (query) => expect(() => readFeedParameters(query)).toThrow())

  it.each([{ limit: '0' }, { limit: '1001' }, { limit: 'all' }, { limit: '-5' }])('%j is refused', (query) =>
    expect(() => readFeedParameters(query)).toThrow(),
  )
})

const AT = new Date('2026-01-01T00:00:00Z')

/** Rows with these spans, numbered on from `first`. */
function entriesOf(first: number, spans: readonly number[]): FeedEntry[] {
  let sequence = BigInt(first)
  return spans.map((span) => {
    const entry: FeedEntry = {
      resellerId: 7n,
      sequence,
      span,
      source: span === 2 ? 'taken' : span > 2 ? 'catalog' : 'moved',
      subject: 1n,
      code: 20,
      amount: -1n,
      balance: 1n,
      type: null,
      data: null,
      at: AT,
    }
    sequence += BigInt(span)
    return entry
  })
}

const typeOf = (ref: EventRef) => ('type' in ref ? ref.type : null)

const positionOf = (ref: EventRef) => (ref.source === 'catalog' ? ref.location.position : null)

const numbers = (page: ReturnType<typeof pageOf>) => page.refs.map(({ sequence }) => Number(sequence))

describe('a page', () => {
  it('takes a row apart into its events, each with its own number, id and place', () => {
    const { refs, hasMore } = pageOf(entriesOf(5, [2, 1, 4]), { after: 0n, limit: 100 })
    expect(hasMore).toBe(false)
    expect(
      refs.map(({ sequence, ref }) => [Number(sequence), ref.eventId, typeOf(ref), positionOf(ref)]),
    ).toEqual([
      [5, 'evt_7_5', 'payment.accepted', null],
      [6, 'evt_7_6', 'balance.deducted', null],
      [7, 'evt_7_7', null, null],
      [8, 'evt_7_8', null, 1],
      [9, 'evt_7_9', null, 2],
      [10, 'evt_7_10', null, 3],
      [11, 'evt_7_11', null, 4],
    ])
  })

  it('may begin and end in the middle of a row', () => {
    const page = pageOf(entriesOf(1, [2, 30]), { after: 12n, limit: 3 })
    expect(numbers(page)).toEqual([13, 14, 15])
    expect(page.refs.map(({ ref }) => positionOf(ref))).toEqual([11, 12, 13])
    expect(page.hasMore).toBe(true)
  })

  it('is empty after the last', () => {
    expect(pageOf(entriesOf(1, [2, 3]), { after: 5n, limit: 3 })).toEqual({ refs: [], hasMore: false })
    expect(pageOf(entriesOf(1, [2, 3]), { after: 900n, limit: 3 })).toEqual({ refs: [], hasMore: false })
  })

  it('after page gives every event once and in order, whatever the spans and the limit', () => {
    const spans = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(
        spans,
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 50 }),
        (drawn, limit, first) => {
          const entries = entriesOf(first, drawn)
          const total = drawn.reduce((sum, span) => sum + span, 0)
          const heard: number[] = []
          for (let after = 0n, hasMore = true; hasMore; ) {
            const page = pageOf(entries, { after, limit })
            heard.push(...numbers(page))
            hasMore = page.hasMore
            after = page.refs.at(-1)?.sequence ?? after
          }
          expect(heard).toEqual(Array.from({ length: total }, (_, index) => first + index))
        },
      ),
    )
  })
})

it('a page back is as long as asked for, also over numbers that a restore has left out', () => {
  const rows = [
    { sequence: 1_000n, span: 2 },
    { sequence: 7n, span: 3 },
    { sequence: 5n, span: 2 },
  ]
  expect(startOfPage(rows, 1_002n, 1)).toBe(1_000n)
  expect(startOfPage(rows, 1_002n, 2)).toBe(999n)
  expect(startOfPage(rows, 1_002n, 3)).toBe(8n)
  expect(startOfPage(rows, 1_001n, 2)).toBe(8n)
  expect(startOfPage(rows, 1_002n, 100)).toBe(4n)
  expect(startOfPage([], 5n, 10)).toBe(4n)
})
