import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import { routeRow } from '../../providers/connections/operators.service.ts'
import type { OperatorAuthenticator } from '../../sessions/people/types.ts'
import { askedView } from '../console/approvals.view.ts'
import { rolesFor } from '../console/roles.rules.ts'
import { AskedResponse } from './catalog.schemas.ts'
import {
  RemovedRouteResponse,
  RemoveRouteBody,
  RouteBody,
  RouteListParameters,
  RouteListResponse,
  RouteParameters,
  RouteResponse,
} from './providers.schemas.ts'
import type { ProvidersContext } from './providers.service.ts'
import { dropRoute, listTheseRoutes, putRoute } from './providers.service.ts'

const TAG = 'Providers'
const PATH = '/operator/v1/routes'

export function operatorRouteOperations(
  authenticate: OperatorAuthenticator,
  context: ProvidersContext,
): Operation[] {
  return [
    operation({
      method: 'GET',
      path: PATH,
      docs: { operationId: 'listRoutes', summary: 'Which provider fulfils what', tag: TAG },
      schemas: {
        query: RouteListParameters,
        responses: { 200: RouteListResponse },
      },
      authenticate: authenticate(...rolesFor('providers.read')),
      async handle({ query }) {
        const routes = await listTheseRoutes(context, query)
        return { status: 200, body: { data: routes.map(routeRow), cursor: null, has_more: false } }
      },
    }),
    operation({
      method: 'PUT',
      path: `${PATH}/:product/:provider`,
      docs: {
        operationId: 'setRoute',
        summary: 'Let a provider fulfil a product, or change how it does',
        description:
          'Routes of the smallest priority come first; the others wait until none of those can take an order. A ' +
          'product that has routes uses these alone. Omitted members get their defaults. 202: a price is ' +
          'below this cost, or the cost moves too far, and a second person has to approve it. Disabling a route never ' +
          'waits: 409 about `accept_loss` says that those that are left charge more than a price; `accept_loss` that ' +
          'this is meant.',
        tag: TAG,
      },
      schemas: {
        params: RouteParameters,
        body: RouteBody,
        responses: { 200: RouteResponse, 202: AskedResponse },
      },
      also: [409],
      authenticate: authenticate(...rolesFor('providers.write')),
      async handle({ caller, params, body }) {
        const { reason, dry_run: isDry = false, accept_loss: isLossAccepted = false, ...settings } = body
        const outcome = await putRoute(context, caller, params, { settings, reason, isDry, isLossAccepted })
        if ('asked' in outcome) return { status: 202, body: { data: askedView(outcome.asked) } }
        const { route, comparison } = outcome.done
        return { status: 200, body: { data: { ...routeRow(route), comparison } } }
      },
    }),
    operation({
      method: 'POST',
      path: `${PATH}/:product/:provider/remove`,
      docs: {
        operationId: 'removeRoute',
        summary: 'Do away with a route',
        description:
          'To stop its orders at once, disable it. 202: the routes that are left charge more than a price, or no cost ' +
          'of the product is known any more, and a second person has to approve it.',
        tag: TAG,
      },
      schemas: {
        params: RouteParameters,
        body: RemoveRouteBody,
        responses: { 200: RemovedRouteResponse, 202: AskedResponse },
      },
      also: [409],
      authenticate: authenticate(...rolesFor('providers.write')),
      async handle({ caller, params, body: { to_any: isToAny = false, reason } }) {
        const outcome = await dropRoute(context, caller, params, { isToAny, reason })
        if ('asked' in outcome) return { status: 202, body: { data: askedView(outcome.asked) } }
        return { status: 200, body: { data: routeRow(outcome.done.route) } }
      },
    }),
  ]
}
