import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import { readPosition } from '../../../http/streams/event-stream.ts'
import { StreamHeaders } from '../../../http/streams/schemas.ts'
import type { MemberAuthenticator } from '../../sessions/people/types.ts'
import { PortalLiveStream } from './live.schemas.ts'
import type { PortalLive } from './live.service.ts'

export function portalLiveOperations(authenticate: MemberAuthenticator, live: PortalLive): Operation[] {
  return [
    operation({
      method: 'GET',
      path: '/portal/v1/live',
      docs: {
        operationId: 'portalLive',
        summary: 'What happens to the account, as it happens',
        description:
          'Server-sent events for open pages. The connection ends with the session, after some minutes, and when the ' +
          'service stops; browsers connect again by themselves, and are told what they missed, up to 500 changes. An ' +
          'open connection does not keep the session alive. 429 `too_many_streams`: the session has 10 already.',
        tag: 'Overview',
      },
      schemas: {
        headers: StreamHeaders,
        responses: { 200: PortalLiveStream },
      },
      also: [400, 429],
      authenticate: authenticate('self'),
      async handle({ caller, request }) {
        return live.open(caller, readPosition(request))
      },
    }),
  ]
}
