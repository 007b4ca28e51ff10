import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import type { OperatorAuthenticator } from '../../sessions/people/types.ts'
import { rolesFor } from '../kit/roles.rules.ts'
import { OperatorOverviewResponse, OVERVIEW } from './codec.ts'
import type { OverviewContext } from './service.ts'
import { createOverviews } from './service.ts'

export function operatorOverviewOperations(
  authenticate: OperatorAuthenticator,
  context: OverviewContext,
): Operation[] {
  const readOverview = createOverviews(context)
  return [
    operation({
      method: 'GET',
      path: '/operator/v1/overview',
      docs: {
        operationId: 'getOperatorOverview',
        summary: 'What needs a person now, and how today goes',
        description:
          'One read for the first page of the console. `receivers` and `payments` say how old they are: they are read ' +
          'again after a second at the earliest, and the longer it takes the less often.',
        tag: 'Overview',
      },
      schemas: { responses: { 200: OperatorOverviewResponse } },
      authenticate: authenticate(...rolesFor('overview.read')),
      async handle({ caller }) {
        return { status: 200, body: { data: OVERVIEW.encode(await readOverview(caller)) } }
      },
    }),
  ]
}
