import { describe, expect, it } from 'vitest'
import type { FeedLine } from './records.ts'
import type { Broken } from './sound-books.ts'
import { ACCOUNT, callback, checksOf, soundBooks } from './sound-books.ts'

const EVENTS: readonly Broken[] = [
  ['a callback is missing', 'callback-missing', ({ received }) => ({ received: received.slice(1) })],
  [
    'a callback only reached a receiver that refused it',
    'callback-missing',
    ({ received }) => ({ received: received.map((each) => ({ ...each, isTaken: false })) }),
  ],
  [
    'two deliveries of one event differ',
    'callback-differs',
    ({ received }) => ({ received: [...received, { ...callback('a', 20), body: callback('d', 20).body }] }),
  ],
  [
    'a callback has a wrong signature',
    'callback-unsigned',
    ({ received }) => ({ received: received.map((each) => ({ ...each, isVerified: false })) }),
  ],
  [
    'a callback tells of a state that never was',
    'callback-untrue',
    ({ received }) => ({ received: [...received, callback('a', 48)] }),
  ],
  [
    'a callback tells of a payment that never was',
    'callback-untrue',
    ({ received }) => ({ received: [...received, callback('z', 20)] }),
  ],
  [
    'the feed has a hole',
    'feed-hole',
    ({ feed }) => ({ feed: feed.filter(({ sequence }) => sequence !== 5) }),
  ],
  ['the feed has a number twice', 'feed-doubled', ({ feed }) => ({ feed: [feed[0] as FeedLine, ...feed] })],
  [
    'the feed lacks a state',
    'feed-missing',
    ({ feed }) => ({
      feed: renumbered(feed.filter(({ paymentId, code }) => paymentId !== '4' || code !== 1)),
    }),
  ],
  [
    'the feed lacks an entry',
    'feed-missing',
    ({ feed }) => ({ feed: renumbered(feed.filter(({ type }) => type !== 'balance.refunded')) }),
  ],
  [
    'the feed tells of a state twice',
    'feed-extra',
    ({ feed }) => ({ feed: renumbered([...feed, feed.at(-1) as FeedLine]) }),
  ],
  [
    'the feed tells of states in another order',
    'feed-order',
    ({ feed }) => ({ feed: renumbered([...feed].reverse()) }),
  ],
  [
    'work is left when nothing disturbs any more',
    'unsettled',
    () => ({ left: [{ what: 'a payment is not final', subject: '1', account: ACCOUNT }] }),
  ],
  [
    'a page is not answered when nothing disturbs any more',
    'unanswered',
    () => ({ unread: [{ account: ACCOUNT, what: 'the feed' }] }),
  ],
  [
    'a node ended by itself',
    'node-ended',
    () => ({ deaths: [{ atMs: 1, untilMs: 1, text: 'node 1 ended with 1' }] }),
  ],
]

function renumbered(feed: readonly FeedLine[]): FeedLine[] {
  return feed.map((each, index) => ({ ...each, sequence: index + 1, id: `n${index}` }))
}

describe('the comparison of callbacks and feed', () => {
  it.each(EVENTS)('finds it when %s', (_, check, change) => {
    const books = soundBooks()
    expect(checksOf({ ...books, ...change(books) })).toContain(check)
  })

  it('asks for no callback that was given up after four attempts', () => {
    const books = soundBooks()
    const received = books.received.filter(({ eventId }) => eventId !== 'a-20')
    const givenUp = {
      account: ACCOUNT,
      stream: 'callback',
      eventId: 'a-20',
      paymentId: '1',
      code: 20,
      status: 'failed',
    } as const
    expect(checksOf({ ...books, received, deliveries: [{ ...givenUp, attempts: 3 }] })).toContain(
      'callback-missing',
    )
    expect(checksOf({ ...books, received, deliveries: [{ ...givenUp, attempts: 4 }] })).toEqual([])
  })
})
