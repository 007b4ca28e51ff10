import type { FeedEvent, FeedPage } from './feed.service.ts'

export function feedView({ events, next, hasMore }: FeedPage) {
  return { data: events.map(eventView), next: Number(next), has_more: hasMore }
}

/** The number stays taken by an event of which nothing else is left. */
const EXPIRED = { type: 'event.expired', data: {} }

function eventView({ sequence, ref, told }: FeedEvent) {
  const { type, data } = told ?? EXPIRED
  return { sequence: Number(sequence), id: ref.eventId, type, created_at: ref.at.toISOString(), data }
}
