import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import type { OperatorAuthenticator } from '../../sessions/people/types.ts'
import { rolesFor } from '../console/roles.rules.ts'
import type { MoneyContext } from '../console/types.ts'
import {
  EndpointListParameters,
  EndpointListResponse,
  EndpointParameters,
  EndpointResponse,
  QueueListParameters,
  QueueListResponse,
  SwitchBody,
} from './deliveries.schemas.ts'
import {
  getEndpointForOperators,
  listEndpointsForOperators,
  listQueuesForOperators,
  switchEndpoint,
} from './deliveries.service.ts'
import { endpointReportView, endpointView, queueView } from './deliveries.view.ts'

const TAG = 'Deliveries'
const PATH = '/operator/v1/endpoints'

export function operatorDeliveryOperations(
  authenticate: OperatorAuthenticator,
  context: MoneyContext,
): Operation[] {
  return [
    operation({
      method: 'GET',
      path: '/operator/v1/delivery-queues',
      docs: {
        operationId: 'listDeliveryQueues',
        summary: 'List the waiting deliveries of each receiver, oldest first',
        tag: TAG,
      },
      schemas: {
        query: QueueListParameters,
        responses: { 200: QueueListResponse },
      },
      authenticate: authenticate(...rolesFor('deliveries.read')),
      async handle({ query }) {
        const queues = await listQueuesForOperators(context, query)
        return { status: 200, body: { data: queues.map(queueView), cursor: null, has_more: false } }
      },
    }),
    operation({
      method: 'GET',
      path: PATH,
      docs: { operationId: 'listEndpoints', summary: 'List the receivers of resellers', tag: TAG },
      schemas: {
        query: EndpointListParameters,
        responses: { 200: EndpointListResponse },
      },
      authenticate: authenticate(...rolesFor('deliveries.read')),
      async handle({ query }) {
        const endpoints = await listEndpointsForOperators(context, query)
        return { status: 200, body: { data: endpoints.map(endpointView), cursor: null, has_more: false } }
      },
    }),
    operation({
      method: 'GET',
      path: `${PATH}/:account/:stream`,
      docs: { operationId: 'getEndpoint', summary: 'One of them, and what waits for it', tag: TAG },
      schemas: {
        params: EndpointParameters,
        responses: { 200: EndpointResponse },
      },
      also: [400],
      authenticate: authenticate(...rolesFor('deliveries.read')),
      async handle({ params }) {
        return {
          status: 200,
          body: { data: endpointReportView(await getEndpointForOperators(context, params)) },
        }
      },
    }),
    switchOperation(authenticate, context, 'pause'),
    switchOperation(authenticate, context, 'resume'),
  ]
}

const SWITCHES = {
  pause: {
    operationId: 'pauseEndpoint',
    summary: 'Send nothing to a receiver for now',
    description:
      'Events meanwhile are logged as failed, and can be replayed. Transaction callbacks are never paused.',
  },
  resume: { operationId: 'resumeEndpoint', summary: 'Send to a receiver again' },
} as const

function switchOperation(
  authenticate: OperatorAuthenticator,
  context: MoneyContext,
  to: keyof typeof SWITCHES,
): Operation {
  return operation({
    method: 'POST',
    path: `${PATH}/:account/:stream/${to}`,
    docs: { ...SWITCHES[to], tag: TAG },
    schemas: {
      params: EndpointParameters,
      body: SwitchBody,
      responses: { 200: EndpointResponse },
    },
    also: [409],
    authenticate: authenticate(...rolesFor('deliveries.write')),
    async handle({ caller, params, body }) {
      const report = await switchEndpoint(context, caller, params, to, body.reason)
      return { status: 200, body: { data: endpointReportView(report) } }
    },
  })
}
