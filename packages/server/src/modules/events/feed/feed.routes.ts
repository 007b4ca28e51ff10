import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import type { Authenticator } from '../../auth/service.ts'
import { masksFor } from '../../payments/core/masks.service.ts'
import { readFeedParameters } from './feed.rules.ts'
import type { EventContents } from './feed.schemas.ts'
import { FeedParameters, feedResponse } from './feed.schemas.ts'
import type { Feed } from './feed.service.ts'
import { feedView } from './feed.view.ts'

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
