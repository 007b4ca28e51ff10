import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import { masksFor, seesSecrets, urlsFor } from '../access/access.service.ts'
import type { PortalSettings } from '../access/types.ts'
import {
  DELIVERY_DETAILS,
  DeliveriesParameters,
  DeliveriesResponse,
  DeliveryParams,
  DeliveryResponse,
  FeedParameters,
  MASKED_FEED,
  PORTAL_DELIVERY,
  REPLAYED,
  ReplayManyBody,
  ReplayManyResponse,
  ReplayResponse,
  StreamParams,
} from './endpoints.codec.ts'
import { streamOf } from './endpoints.routes.ts'
import { readDeliveriesQuery, readFeedQuery } from './endpoints.rules.ts'

const TAG = 'Deliveries'
const PATH = '/portal/v1/endpoints/:stream'

export function portalDeliveryOperations(settings: PortalSettings): Operation[] {
  return [...logOperations(settings), ...replayOperations(settings), feedOperation(settings)]
}

function logOperations({ authenticate, deliveryLog }: PortalSettings): Operation[] {
  return [
    operation({
      method: 'GET',
      path: `${PATH}/deliveries`,
      docs: { operationId: 'portalListDeliveries', summary: 'List deliveries, newest first', tag: TAG },
      schemas: {
        params: StreamParams,
        query: DeliveriesParameters,
        responses: { 200: DeliveriesResponse },
      },
      authenticate: authenticate('developers.read'),
      async handle({ caller, params, query }) {
        const filter = readDeliveriesQuery(query)
        const page = await deliveryLog.list(caller.reseller.id, streamOf(params), filter)
        const data = page.deliveries.map((each) => PORTAL_DELIVERY.encode(each, { showUrl: urlsFor(caller) }))
        const hasMore = page.cursor !== null
        const cursor = hasMore ? (data.at(-1)?.id ?? null) : null
        return { status: 200, body: { data, cursor, has_more: hasMore } }
      },
    }),
    operation({
      method: 'GET',
      path: `${PATH}/deliveries/:id`,
      docs: {
        operationId: 'portalGetDelivery',
        summary: 'A delivery with what was sent, each try and the answer',
        tag: TAG,
      },
      schemas: { params: DeliveryParams, responses: { 200: DeliveryResponse } },
      authenticate: authenticate('developers.read'),
      async handle({ caller, params }) {
        const stream = streamOf(params)
        const { id } = caller.reseller
        const logged = await deliveryLog.get(id, stream, params.id)
        const tries = await deliveryLog.getAttempts(id, stream, params.id)
        const data = DELIVERY_DETAILS.encode(
          { ...logged, tries },
          {
            masks: masksFor(caller),
            showUrl: urlsFor(caller),
            showsAnswers: seesSecrets(caller),
          },
        )
        return { status: 200, body: { data } }
      },
    }),
  ]
}

function replayOperations({ authenticate, replays }: PortalSettings): Operation[] {
  return [
    operation({
      method: 'POST',
      path: `${PATH}/deliveries/:id/replay`,
      docs: {
        operationId: 'portalReplayDelivery',
        summary: 'Send a failed delivery again',
        description: 'To the present URL with the present secret, at most 3 times per event.',
        tag: TAG,
      },
      schemas: {
        params: DeliveryParams,
        responses: { 200: ReplayResponse },
      },
      also: [429],
      authenticate: authenticate('developers.write'),
      async handle({ caller, params }) {
        const replayed = await replays.replay(caller.reseller.id, streamOf(params), params.id)
        const data = {
          delivery_id: replayed.jobId,
          new_delivery_id: replayed.newJobId,
          event_id: replayed.eventId,
        }
        return { status: 200, body: { data } }
      },
    }),
    operation({
      method: 'POST',
      path: `${PATH}/replays`,
      docs: {
        operationId: 'portalReplayDeliveries',
        summary: 'Send up to 50 failed deliveries again',
        tag: TAG,
      },
      schemas: {
        params: StreamParams,
        body: ReplayManyBody,
        responses: { 200: ReplayManyResponse },
      },
      authenticate: authenticate('developers.write'),
      async handle({ caller, params, body }) {
        const results = await replays.replayMany(caller.reseller.id, streamOf(params), body.delivery_ids)
        return { status: 200, body: { data: results.map((each) => REPLAYED.encode(each)) } }
      },
    }),
  ]
}

function feedOperation({ authenticate, feed }: PortalSettings): Operation {
  return operation({
    method: 'GET',
    path: '/portal/v1/events',
    docs: {
      operationId: 'portalListEvents',
      summary: 'Everything that happened to the account, in order',
      description: 'Viewers get PINs and voucher links masked.',
      tag: 'Events',
    },
    schemas: { query: FeedParameters, responses: { 200: MASKED_FEED.schema } },
    authenticate: authenticate('developers.read'),
    async handle({ caller, query }) {
      const { id } = caller.reseller
      const { after, before, limit } = readFeedQuery(query)
      const page =
        before === null
          ? await feed.list(id, { after, limit })
          : await feed.listBefore(id, before === 0n ? null : before, limit)
      const latest = await feed.findLatest(id)
      return { status: 200, body: MASKED_FEED.encode({ ...page, latest }, masksFor(caller)) }
    },
  })
}
