import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import type { OperatorAuthenticator, OperatorCaller } from '../../sessions/people/types.ts'
import { askedView } from '../console/approvals.view.ts'
import { mayDo, rolesFor } from '../console/roles.rules.ts'
import { AskedResponse } from './catalog.schemas.ts'
import {
  HealthParameters,
  HealthResponse,
  ProviderBody,
  ProviderListResponse,
  ProviderParameters,
  ProviderResponse,
} from './providers.schemas.ts'
import type { HealthContext, ProvidersContext } from './providers.service.ts'
import { getProvider, getProviderHealth, listProviders, switchProvider } from './providers.service.ts'
import type { WatchedConnection } from './providers.view.ts'
import { healthSeriesView, providerDetailView, providerView } from './providers.view.ts'

const TAG = 'Providers'
const PATH = '/operator/v1/providers'

/**
 * Operations on providers. No operation connects a provider: that needs its secrets, which only the operator's command
 * takes.
 */
export function operatorProviderOperations(
  authenticate: OperatorAuthenticator,
  context: ProvidersContext & HealthContext,
): Operation[] {
  return [
    operation({
      method: 'GET',
      path: PATH,
      docs: { operationId: 'listProviders', summary: 'Providers and how they are', tag: TAG },
      schemas: { responses: { 200: ProviderListResponse } },
      authenticate: authenticate(...rolesFor('providers.read')),
      async handle() {
        const providers = await listProviders(context)
        return { status: 200, body: { data: providers.map(providerView), cursor: null, has_more: false } }
      },
    }),
    operation({
      method: 'GET',
      path: `${PATH}/:code`,
      docs: { operationId: 'getProvider', summary: 'A provider', tag: TAG },
      schemas: {
        params: ProviderParameters,
        responses: { 200: ProviderResponse },
      },
      authenticate: authenticate(...rolesFor('providers.read')),
      async handle({ caller, params }) {
        return shown(caller, await getProvider(context, params.code))
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
        return { status: 200, body: { data: healthSeriesView(params.code, series) } }
      },
    }),
    operation({
      method: 'PATCH',
      path: `${PATH}/:code`,
      docs: {
        operationId: 'switchProvider',
        summary: 'Let a provider take orders, or send it no new ones',
        description:
          'Disabling never waits for a second person. 409 about `accept_loss`: the routes that are left charge more than ' +
          'a price; `accept_loss` says that it is meant. 202: enabling it would sell below its cost, and a second person ' +
          'has to approve it.',
        tag: TAG,
      },
      schemas: {
        params: ProviderParameters,
        body: ProviderBody,
        responses: { 200: ProviderResponse, 202: AskedResponse },
      },
      also: [409],
      authenticate: authenticate(...rolesFor('providers.write')),
      async handle({ caller, params, body }) {
        const { enabled: isEnabled, accept_loss: isLossAccepted = false, reason } = body
        const wish = { isEnabled, isLossAccepted, reason }
        const outcome = await switchProvider(context, caller, params.code, wish)
        if ('asked' in outcome) return { status: 202, body: { data: askedView(outcome.asked) } }
        return shown(caller, outcome.done)
      },
    }),
  ]
}

function shown({ role }: OperatorCaller, provider: WatchedConnection) {
  const mayReadConfig = mayDo(role, 'providers.config')
  return { status: 200 as const, body: { data: providerDetailView(provider, { mayReadConfig }) } }
}
