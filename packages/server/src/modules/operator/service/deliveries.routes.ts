import { Type } from 'typebox'
import type { Database } from '../../../db/database.ts'
import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import { parameter } from '../../../http/parameters.ts'
import { invalidFields } from '../../../lib/errors.ts'
import { readFields } from '../../../lib/input/fields.ts'
import { count, optional } from '../../../lib/input/parameters.ts'
import { findReseller } from '../../accounts/public.sql.ts'
import { resellerNotFound } from '../../accounts/service.ts'
import { switchReceiver } from '../../events/endpoints/operators.acts.ts'
import {
  DELIVERY_QUEUE,
  OPERATED_ENDPOINT,
  RECEIVER_DETAILS,
  RECEIVER_KEY,
} from '../../events/endpoints/operators.codec.ts'
import {
  ENDPOINT_FILTER,
  getReceiver,
  listDeliveryQueues,
  listEndpoints,
} from '../../events/endpoints/operators.service.ts'
import type { OperatorAuthenticator } from '../../sessions/people/types.ts'
import { operatorAct } from '../kit/acts.service.ts'
import { plainText } from '../kit/pages.rules.ts'
import { rolesFor } from '../kit/roles.rules.ts'
import { dataOf, listOf } from '../kit/schemas.ts'
import type { MoneyContext } from '../kit/types.ts'

const TAG = 'Deliveries'
const PATH = '/operator/v1/endpoints'

const QUEUE_RULES = { limit: optional(count(1, 1_000), 100) }
const LIST_RULES = { ...QUEUE_RULES, account: optional(plainText(40), null) }
const limit = parameter(QUEUE_RULES.limit, 'Items of the list')

const EndpointListParameters = Type.Object({
  account: parameter(LIST_RULES.account, "The reseller's account number"),
  stream: parameter(ENDPOINT_FILTER.stream, 'Receivers of this stream alone'),
  state: parameter(ENDPOINT_FILTER.state, 'Receivers in this state alone'),
  limit,
})

export function operatorDeliveryOperations(
  authenticate: OperatorAuthenticator,
  context: MoneyContext,
): Operation[] {
  const { database, log, approvals } = context
  const stage = { authenticate, log, approvals, world: undefined }
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
        query: Type.Object({ limit }),
        responses: { 200: listOf(DELIVERY_QUEUE.schema) },
      },
      authenticate: authenticate(...rolesFor('deliveries.read')),
      async handle({ query }) {
        const queues = await listDeliveryQueues(database, readFields(QUEUE_RULES, query).limit)
        return {
          status: 200,
          body: { data: queues.map((each) => DELIVERY_QUEUE.encode(each)), cursor: null, has_more: false },
        }
      },
    }),
    operation({
      method: 'GET',
      path: PATH,
      docs: { operationId: 'listEndpoints', summary: 'List the receivers of resellers', tag: TAG },
      schemas: {
        query: EndpointListParameters,
        responses: { 200: listOf(OPERATED_ENDPOINT.schema) },
      },
      authenticate: authenticate(...rolesFor('deliveries.read')),
      async handle({ query }) {
        const { limit, account } = readFields(LIST_RULES, query)
        const resellerId = await findResellerId(database, account)
        const { stream, state } = query
        const endpoints = await listEndpoints(database, { resellerId, stream, state, limit })
        const data = endpoints.map((each) => OPERATED_ENDPOINT.encode(each))
        return { status: 200, body: { data, cursor: null, has_more: false } }
      },
    }),
    operation({
      method: 'GET',
      path: `${PATH}/:account/:stream`,
      docs: { operationId: 'getEndpoint', summary: 'One of them, and what waits for it', tag: TAG },
      schemas: {
        params: Type.Object(RECEIVER_KEY.properties()),
        responses: { 200: dataOf(RECEIVER_DETAILS.schema) },
      },
      also: [400],
      authenticate: authenticate(...rolesFor('deliveries.read')),
      async handle({ params }) {
        const { account, stream } = RECEIVER_KEY.read(params)
        const report = await getReceiver(database, account, stream)
        return { status: 200, body: { data: RECEIVER_DETAILS.encode(report) } }
      },
    }),
    ...SWITCHES.map(([to, docs]) =>
      operatorAct(stage, {
        act: switchReceiver[to],
        method: 'POST',
        path: `${PATH}/:account/:stream/${to}`,
        permission: 'deliveries.write',
        docs: { ...docs, tag: TAG },
        body: 'Reason request',
        answer: RECEIVER_DETAILS.schema,
        also: [409],
        view: (report) => RECEIVER_DETAILS.encode(report),
      }),
    ),
  ]
}

const SWITCHES = [
  [
    'pause',
    {
      operationId: 'pauseEndpoint',
      summary: 'Send nothing to a receiver for now',
      description:
        'Events meanwhile are logged as failed, and can be replayed. Transaction callbacks are never paused.',
    },
  ],
  ['resume', { operationId: 'resumeEndpoint', summary: 'Send to a receiver again' }],
] as const

async function findResellerId(database: Database, account: string | null): Promise<bigint | null> {
  if (account === null) return null
  const reseller = await findReseller(database, account)
  if (reseller !== undefined) return reseller.id
  throw invalidFields({ account: [(await resellerNotFound(database, account)).publicText] })
}
