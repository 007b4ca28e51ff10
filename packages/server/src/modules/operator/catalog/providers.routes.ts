import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import { errorResponses } from '../../../http/schemas.ts'
import type { OperatorAuthenticator, OperatorCaller } from '../../sessions/people/types.ts'
import { mayDo, rolesFor } from '../console/roles.rules.ts'
import {
  ProviderBody,
  ProviderListResponse,
  ProviderParameters,
  ProviderResponse,
} from './providers.schemas.ts'
import type { ProvidersContext } from './providers.service.ts'
import { getProvider, listProviders, switchProvider } from './providers.service.ts'
import type { WatchedConnection } from './providers.view.ts'
import { providerDetailView, providerView } from './providers.view.ts'

const TAG = 'Providers'
const PATH = '/operator/v1/providers'

/** Connecting a provider takes its secrets, which come by the operator's command alone. */
export function operatorProviderOperations(
  authenticate: OperatorAuthenticator,
  context: ProvidersContext,
): Operation[] {
  return [
    operation({
      method: 'GET',
      path: PATH,
      dialect: 'common',
      docs: { operationId: 'listProviders', summary: 'Providers and how they are', tag: TAG },
      schemas: { responses: { 200: ProviderListResponse, ...errorResponses(401, 403, 503, 504) } },
      authenticate: authenticate(...rolesFor('providers.read')),
      async handle() {
        const providers = await listProviders(context)
        return { status: 200, body: { data: providers.map(providerView), cursor: null, has_more: false } }
      },
    }),
    operation({
      method: 'GET',
      path: `${PATH}/:code`,
      dialect: 'common',
      docs: { operationId: 'getProvider', summary: 'A provider', tag: TAG },
      schemas: {
        params: ProviderParameters,
        responses: { 200: ProviderResponse, ...errorResponses(401, 403, 404, 503, 504) },
      },
      authenticate: authenticate(...rolesFor('providers.read')),
      async handle({ caller, params }) {
        return shown(caller, await getProvider(context, params.code))
      },
    }),
    operation({
      method: 'PATCH',
      path: `${PATH}/:code`,
      dialect: 'common',
      docs: {
        operationId: 'switchProvider',
        summary: 'Let a provider take orders, or send it no new ones',
        tag: TAG,
      },
      schemas: {
        params: ProviderParameters,
        body: ProviderBody,
        responses: { 200: ProviderResponse, ...errorResponses(400, 401, 403, 404, 503, 504) },
      },
      authenticate: authenticate(...rolesFor('providers.write')),
      async handle({ caller, params, body: { enabled: isEnabled, reason } }) {
        return shown(caller, await switchProvider(context, caller, params.code, { isEnabled, reason }))
      },
    }),
  ]
}

function shown({ role }: OperatorCaller, provider: WatchedConnection) {
  const mayReadConfig = mayDo(role, 'providers.config')
  return { status: 200, body: { data: providerDetailView(provider, { mayReadConfig }) } }
}
