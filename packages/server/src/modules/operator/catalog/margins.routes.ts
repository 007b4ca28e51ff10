import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import type { OperatorAuthenticator } from '../../sessions/people/types.ts'
import { pageView } from '../kit/pages.rules.ts'
import { rolesFor } from '../kit/roles.rules.ts'
import { MarginListParameters, MarginListResponse } from './margins.schemas.ts'
import type { MarginsContext } from './margins.service.ts'
import { listMargins } from './margins.service.ts'
import { productMarginView } from './margins.view.ts'

export function operatorMarginOperations(
  authenticate: OperatorAuthenticator,
  context: MarginsContext,
): Operation[] {
  return [
    operation({
      method: 'GET',
      path: '/operator/v1/margins',
      docs: {
        operationId: 'listMargins',
        summary: 'Margins by product, price level and route',
        description:
          'By the prices and costs of now. Of each product the option or amount with the lowest margin is shown, and ' +
          'the one with the highest.',
        tag: 'Price levels',
      },
      schemas: {
        query: MarginListParameters,
        responses: { 200: MarginListResponse },
      },
      authenticate: authenticate(...rolesFor('margins.read')),
      async handle({ query }) {
        return { status: 200, body: pageView(await listMargins(context, query), productMarginView) }
      },
    }),
  ]
}
