import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import { readPosition } from '../../../http/streams/event-stream.ts'
import { StreamHeaders } from '../../../http/streams/schemas.ts'
import type { OperatorAuthenticator } from '../../sessions/people/types.ts'
import { rolesFor } from '../kit/roles.rules.ts'
import { OperatorLiveStream } from './live.schemas.ts'
import type { OperatorLive } from './live.service.ts'

export function operatorLiveOperations(authenticate: OperatorAuthenticator, live: OperatorLive): Operation[] {
  return [
    operation({
      method: 'GET',
      path: '/operator/v1/live',
      docs: {
        operationId: 'operatorLive',
        summary: 'What happens, as it happens',
        description:
          'Server-sent events for open pages, of those things that the role may read. The connection ends with the ' +
          'session, after some minutes, and when the service stops; browsers connect again by themselves and are told ' +
          'of the alerts, approvals, cases and checks of the ledger that they missed. An open connection does not keep the session alive. ' +
          'Tokens have none (403 `session_required`). 429 `too_many_streams`: the session has 10 already.',
        tag: 'Alerts',
      },
      schemas: {
        headers: StreamHeaders,
        responses: { 200: OperatorLiveStream },
      },
      also: [429],
      authenticate: authenticate(...rolesFor('alerts.read')),
      async handle({ caller, request }) {
        return live.open(caller, readPosition(request))
      },
    }),
  ]
}
