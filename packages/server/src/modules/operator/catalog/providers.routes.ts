import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import type { SupplyWorld } from '../../margins/routes.acts.ts'
import { dropRoute, switchProvider, writeRoute } from '../../margins/routes.acts.ts'
import { routeRow } from '../../providers/connections/operators.service.ts'
import type { OperatorCaller } from '../../sessions/people/types.ts'
import type { OperatorStage } from '../kit/acts.service.ts'
import { operatorAct } from '../kit/acts.service.ts'
import { mayDo, rolesFor } from '../kit/roles.rules.ts'
import { dataOf } from '../kit/schemas.ts'
import { AskedResponse } from './catalog.schemas.ts'
import {
  HEALTH,
  HealthParameters,
  HealthResponse,
  PROVIDER,
  PROVIDER_DETAIL,
  ProviderListResponse,
  ProviderParameters,
  Route,
  RouteListParameters,
  RouteListResponse,
  SavedRoute,
} from './providers.codec.ts'
import type { DetailedConnection, HealthContext, ProvidersContext } from './providers.service.ts'
import { getProvider, getProviderHealth, listProviders, listTheseRoutes } from './providers.service.ts'

const TAG = 'Providers'
const PATH = '/operator/v1/providers'
const ROUTES = '/operator/v1/routes'

/** Operations on providers and routes. Those of `supplier-packs` connect them. */
export function operatorProviderOperations(
  stage: OperatorStage<SupplyWorld>,
  context: ProvidersContext & HealthContext,
): Operation[] {
  const { authenticate } = stage
  return [
    operation({
      method: 'GET',
      path: PATH,
      docs: { operationId: 'listProviders', summary: 'Providers and how they are', tag: TAG },
      schemas: { responses: { 200: ProviderListResponse } },
      authenticate: authenticate(...rolesFor('providers.read')),
      async handle() {
        const providers = await listProviders(context)
        return {
          status: 200,
          body: { data: providers.map((each) => PROVIDER.encode(each)), cursor: null, has_more: false },
        }
      },
    }),
    operation({
      method: 'GET',
      path: `${PATH}/:code`,
      docs: { operationId: 'getProvider', summary: 'A provider', tag: TAG },
      schemas: {
        params: ProviderParameters,
        responses: { 200: dataOf(PROVIDER_DETAIL.schema) },
      },
      authenticate: authenticate(...rolesFor('providers.read')),
      async handle({ caller, params }) {
        return { status: 200, body: { data: shown(caller, await getProvider(context, params.code)) } }
      },
    }),
    operation({
      method: 'GET',
      path: `${PATH}/:code/health`,
      docs: {
        operationId: 'getProviderHealth',
        summary: 'How a provider answered its orders over the last hours',
        description:
          'Measured by the orders of all nodes when they are sent, in intervals of equal length. Orders of the last ' +
          'seconds may be missing.',
        tag: TAG,
      },
      schemas: {
        params: ProviderParameters,
        query: HealthParameters,
        responses: { 200: HealthResponse },
      },
      authenticate: authenticate(...rolesFor('providers.read')),
      async handle({ params, query }) {
        const series = await getProviderHealth(context, params.code, query)
        return { status: 200, body: { data: HEALTH.encode(series, params.code) } }
      },
    }),
    operatorAct(stage, {
      act: switchProvider,
      method: 'PATCH',
      path: `${PATH}/:code`,
      permission: 'providers.write',
      docs: {
        operationId: 'switchProvider',
        summary: 'Let a provider take orders, or send it no new ones',
        description:
          'Disabling never waits for a second person. 409 about `accept_loss`: the routes that are left charge more than ' +
          'a price; `accept_loss` says that it is meant. 202: enabling it would sell below its cost, and a second person ' +
          'has to approve it.',
        tag: TAG,
      },
      body: 'Switch provider request',
      answer: PROVIDER_DETAIL.schema,
      asked: AskedResponse,
      also: [409],
      view: async ({ connection }, caller) => shown(caller, await getProvider(context, connection.code)),
    }),
    operation({
      method: 'GET',
      path: ROUTES,
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
    operatorAct(stage, {
      act: writeRoute,
      method: 'PUT',
      path: `${ROUTES}/:product/:provider`,
      permission: 'providers.write',
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
      body: 'Route request',
      mayRehearse: true,
      answer: SavedRoute,
      asked: AskedResponse,
      also: [409],
      view: ({ route, comparison }) => ({ ...routeRow(route), comparison }),
    }),
    operatorAct(stage, {
      act: dropRoute,
      method: 'POST',
      path: `${ROUTES}/:product/:provider/remove`,
      permission: 'providers.write',
      docs: {
        operationId: 'removeRoute',
        summary: 'Do away with a route',
        description:
          'To stop its orders at once, disable it. 202: the routes that are left charge more than a price, or no cost ' +
          'of the product is known any more, and a second person has to approve it.',
        tag: TAG,
      },
      body: 'Remove route request',
      answer: Route,
      note: 'The route as it was',
      asked: AskedResponse,
      also: [409],
      view: ({ route }) => routeRow(route),
    }),
  ]
}

/** Shows the configuration to those who may read it. */
function shown({ role }: OperatorCaller, provider: DetailedConnection) {
  return PROVIDER_DETAIL.encode(provider, { mayReadConfig: mayDo(role, 'providers.config') })
}
