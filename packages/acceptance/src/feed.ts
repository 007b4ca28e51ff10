import { expect } from 'vitest'
import { signed } from './http.ts'
import { boolean, list, mapOf, matching, number, object, text, words } from './shapes.ts'
import type { Credentials } from './signing.ts'

// Feed as a reseller reads it.

export const EVENTS = '/v2/events'

export type FeedEvent = {
  sequence: number
  id: string
  type: string
  created_at: string
  data: Record<string, unknown>
}

export type FeedPage = { data: FeedEvent[]; next: number; has_more: boolean }

const anything = () => []

const feedShape = object({
  data: list(
    object({
      sequence: number,
      id: words,
      type: words,
      created_at: matching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      data: mapOf(anything),
    }),
  ),
  next: number,
  has_more: boolean,
})

/** Shape of every event of the balance. */
export const balanceShape = object(
  { resellerCode: words, amount: number, balance: number, description: text },
  { refid: words, transactionId: words, threshold: number },
)

export async function readPage(baseUrl: string, reseller: Credentials, query = ''): Promise<FeedPage> {
  const answer = await signed(baseUrl, reseller, { path: `${EVENTS}${query && `?${query}`}` })
  expect(answer.status, answer.text.slice(0, 300)).toBe(200)
  expect(feedShape(answer.json(), 'feed')).toEqual([])
  return answer.json<FeedPage>()
}

/** Reads all events after the known ones, page by page. Expects no gap and no duplicate. */
export async function readFeed(
  baseUrl: string,
  reseller: Credentials,
  limit = 1_000,
  known: readonly FeedEvent[] = [],
): Promise<FeedEvent[]> {
  const events = [...known]
  for (let after = known.at(-1)?.sequence ?? 0, hasMore = true; hasMore; ) {
    const page = await readPage(baseUrl, reseller, `after=${after}&limit=${limit}`)
    events.push(...page.data)
    expect(page.next).toBe(page.data.at(-1)?.sequence ?? after)
    after = page.next
    hasMore = page.has_more
  }
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1))
  expect(new Set(events.map(({ id }) => id)).size).toBe(events.length)
  return events
}
