import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import type { OperatorAuthenticator } from '../../sessions/people/types.ts'
import { pageView } from '../kit/pages.rules.ts'
import { rolesFor } from '../kit/roles.rules.ts'
import { listOf } from '../kit/schemas.ts'
import {
  MarginListParameters,
  MarginListResponse,
  PRODUCT_MARGIN,
  REALISED_MARGIN,
  RealisedListParameters,
} from './margins.codec.ts'
import type { MarginsContext } from './margins.service.ts'
import { listMargins, listRealisedMargins } from './margins.service.ts'

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
        return {
          status: 200,
          body: pageView(await listMargins(context, query), (margin) => PRODUCT_MARGIN.encode(margin)),
        }
      },
    }),
    operation({
      method: 'GET',
      path: '/operator/v1/margins/realised',
      docs: {
        operationId: 'listRealisedMargins',
        summary: 'What suppliers took, beside the price list',
        description:
          'By product, supplier and currency, of the payments of these days that succeeded and whose supplier said what ' +
          'it took. Ringgit are by the rate of the time of each payment.',
        tag: 'Price levels',
      },
      schemas: {
        query: RealisedListParameters,
        responses: { 200: listOf(REALISED_MARGIN.schema) },
      },
      also: [503],
      authenticate: authenticate(...rolesFor('margins.read')),
      async handle({ query }) {
        const page = await listRealisedMargins(context, query)
        return { status: 200, body: pageView(page, (each) => REALISED_MARGIN.encode(each)) }
      },
    }),
  ]
}
