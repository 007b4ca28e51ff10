import type { Masks } from '../../../lib/secrets/masks.ts'
import { maskedData } from '../../../lib/secrets/masks.ts'
import type { FeedEvent, FeedPage } from './feed.service.ts'

export function feedView({ events, next, hasMore }: FeedPage, masks: Masks) {
  return { data: events.map((event) => eventView(event, masks)), next: Number(next), has_more: hasMore }
}

/** Keeps the sequence without gaps when the record of an event is no longer kept. */
const EXPIRED = { type: 'event.expired', data: {} }

function eventView({ sequence, ref, event }: FeedEvent, masks: Masks) {
  const { type, data } = event ?? EXPIRED
  return {
    sequence: Number(sequence),
    id: ref.eventId,
    type,
    created_at: ref.at.toISOString(),
    data: maskedData(data, masks),
  }
}
