import { describe, expect, it } from 'vitest'
import type { Received } from './records.ts'
import type { Broken } from './sound-books.ts'
import { ACCOUNT, checksOf, soundBooks } from './sound-books.ts'

const first = (list: readonly Received[]) => list[0] as Received

const WEBHOOKS: readonly Broken[] = [
  ['a webhook is missing', 'webhook-missing', ({ webhooks }) => ({ webhooks: webhooks.slice(1) })],
  [
    'a webhook only reached a receiver that refused it',
    'webhook-missing',
    ({ webhooks }) => ({ webhooks: webhooks.map((each) => ({ ...each, isTaken: false })) }),
  ],
  [
    'a webhook tells of an event that the feed does not have',
    'webhook-untrue',
    ({ webhooks }) => ({ webhooks: [...webhooks, { ...first(webhooks), eventId: 'e99' }] }),
  ],
  [
    'a webhook shows another balance than the feed',
    'webhook-untrue',
    ({ webhooks }) => ({
      webhooks: webhooks.map((each) => ({
        ...each,
        body: each.body.replace(/"balance":[\d.]+/, '"balance":1'),
      })),
    }),
  ],
  [
    'a webhook cannot be read',
    'webhook-untrue',
    ({ webhooks }) => ({ webhooks: webhooks.map((each) => ({ ...each, body: '{' })) }),
  ],
  [
    'two webhooks of one event differ',
    'webhook-differs',
    ({ webhooks }) => ({ webhooks: [...webhooks, { ...first(webhooks), body: '{}' }] }),
  ],
  [
    'a webhook has a wrong signature',
    'webhook-unsigned',
    ({ webhooks }) => ({ webhooks: webhooks.map((each) => ({ ...each, isVerified: false })) }),
  ],
]

describe('the comparison of webhooks', () => {
  it.each(WEBHOOKS)('finds it when %s', (_, check, change) => {
    const books = soundBooks()
    expect(checksOf({ ...books, ...change(books) })).toContain(check)
  })

  it('asks for no webhook that was given up after four attempts', () => {
    const books = soundBooks()
    const [lost, ...webhooks] = books.webhooks
    const givenUp = {
      account: ACCOUNT,
      stream: 'balance',
      eventId: lost?.eventId ?? '',
      paymentId: '0',
      code: null,
      status: 'failed',
    } as const
    const failed = (attempts: number) => [...books.deliveries, { ...givenUp, attempts }]
    expect(checksOf({ ...books, webhooks, deliveries: failed(3) })).toContain('webhook-missing')
    expect(checksOf({ ...books, webhooks, deliveries: failed(4) })).toEqual([])
  })
})
