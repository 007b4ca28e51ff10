import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import type { Masks } from '../../../lib/secrets/masks.ts'
import { maskedData } from '../../../lib/secrets/masks.ts'
import type { Authenticator } from '../../auth/service.ts'
import { masksFor } from '../../payments/core/masks.service.ts'
import { readFeedParameters } from './feed.rules.ts'
import type { EventContents } from './feed.schemas.ts'
import { FeedParameters, feedResponse } from './feed.schemas.ts'
import type { Feed, FeedEvent, FeedPage } from './feed.service.ts'

function feedView({ events, next, hasMore }: FeedPage, masks: Masks) {
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

export function feedOperations(
  authenticate: Authenticator,
  feed: Feed,
  contents: EventContents,
): Operation[] {
  return [
    operation({
      method: 'GET',
      path: '/v2/events',
      docs: {
        operationId: 'listEvents',
        summary: 'Everything that happened to your account, in order',
        description:
          'Payments, movements of the balance, changes of the catalogue, deliveries that were given up. Callbacks ' +
          'and webhooks push the same events; missed ones can be found here. Ask again with `next` as ' +
          '`after`, at once while `has_more` is true.',
        tag: 'Events',
      },
      schemas: {
        query: FeedParameters,
        responses: { 200: feedResponse(contents) },
      },
      authenticate: authenticate('read'),
      async handle({ caller, query }) {
        const page = await feed.list(caller.reseller.id, readFeedParameters(query))
        return { status: 200, body: feedView(page, masksFor(caller)) }
      },
    }),
  ]
}
