import { Type } from 'typebox'
import { documentedAs, parameter, repeatedParameter } from '../../../http/parameters.ts'
import { enumOf, orNull } from '../../../http/schemas.ts'
import { ENDPOINT_METHODS } from '../../events/endpoints/endpoints.types.ts'
import { ENDPOINT_FIELDS } from '../../events/endpoints/fields.service.ts'
import { LOG_STATUSES } from '../../events/log/log.types.ts'
import { STREAMS } from '../../events/types.ts'
import { dataOf, Instant, listOf, pageOf } from '../access/schemas.ts'
import { DELIVERY_ID, DELIVERY_RULES, FEED_RULES } from './endpoints.rules.ts'

export const StreamParams = Type.Object({ stream: enumOf(STREAMS) })
export const DeliveryParams = Type.Object({
  stream: enumOf(STREAMS),
  id: documentedAs(DELIVERY_ID, Type.String({ description: 'The id of a delivery' })),
})

const endpoint = {
  stream: enumOf(STREAMS),
  is_configured: Type.Boolean(),
  url: Type.String({ description: 'Empty when none is configured' }),
  method: orNull(enumOf(ENDPOINT_METHODS)),
  enabled: Type.Boolean(),
  types: Type.Array(Type.String(), { description: 'Balance alone: which events are sent' }),
  secret_last_four: Type.String(),
  secret_created_at: orNull(Instant),
  paused_at: orNull(Instant),
  failing_since: orNull(Instant),
  last_success_at: orNull(Instant),
  pending: Type.Integer({ description: 'Deliveries on their way, counted up to a bound' }),
  updated_at: orNull(Instant),
}

const Endpoint = Type.Object(endpoint, { title: 'Endpoint' })
const Secret = Type.String({ description: 'Shown this once; whsec_ and Base64 of 32 bytes' })

export const EndpointsResponse = listOf(Endpoint)
export const EndpointResponse = dataOf(Endpoint)
export const PutEndpointResponse = dataOf(
  Type.Object({
    ...endpoint,
    secret: orNull(Secret, 'Only for a new one; shown this once'),
  }),
)
export const SecretResponse = dataOf(Type.Object({ ...endpoint, secret: Secret }))

export const PutEndpointBody = Type.Object({
  url: documentedAs(ENDPOINT_FIELDS.url, Type.String()),
  method: Type.Optional(
    documentedAs(ENDPOINT_FIELDS.method, Type.String({ description: 'Callbacks alone; POST when left out' })),
  ),
})

export const ChangeEndpointBody = Type.Object({
  enabled: Type.Optional(Type.Boolean({ description: 'Webhooks alone' })),
  types: Type.Optional(
    documentedAs(
      ENDPOINT_FIELDS.types,
      Type.Array(Type.String(), { minItems: 1, maxItems: 50, description: 'Balance alone' }),
    ),
  ),
})

export const RotateSecretBody = Type.Object({
  grace_seconds: Type.Optional(
    documentedAs(
      ENDPOINT_FIELDS.graceSeconds,
      Type.Integer({ minimum: 1, description: 'Not for the balance webhook, whose old secret ends at once' }),
    ),
  ),
})

export const TestBody = Type.Object({
  type: Type.Optional(
    documentedAs(
      ENDPOINT_FIELDS.testType,
      Type.String({ description: 'An event type of the stream; left out, its usual one' }),
    ),
  ),
})
export const TestResponse = dataOf(Type.Object({ delivery_id: Type.String(), event_id: Type.String() }))

// ── Deliveries ──

export const DeliveriesParameters = Type.Object({
  status: repeatedParameter(DELIVERY_RULES.status, 'May be repeated. Left out: success and failed'),
  from: parameter(DELIVERY_RULES.from, 'GMT+8'),
  to: parameter(DELIVERY_RULES.to, 'GMT+8, included'),
  event: parameter(DELIVERY_RULES.event, 'The id of an event'),
  limit: parameter(DELIVERY_RULES.limit, 'Deliveries of a page'),
  cursor: parameter(DELIVERY_RULES.cursor, 'That of the page before'),
})

const delivery = {
  id: Type.String(),
  stream: enumOf(STREAMS),
  event_id: Type.String(),
  event_type: orNull(Type.String()),
  status: enumOf(LOG_STATUSES),
  error: Type.String(),
  attempts: Type.Integer(),
  response_status: Type.Integer({ description: '0 when nothing answered' }),
  url: Type.String(),
  method: enumOf(ENDPOINT_METHODS),
  replay_of: orNull(Type.String()),
  replays: Type.Integer({ description: 'All replays of the event so far' }),
  is_test: Type.Boolean(),
  created_at: Instant,
  completed_at: orNull(Instant),
}

const PortalDelivery = Type.Object(delivery, { title: 'Portal delivery' })

export const DeliveriesResponse = pageOf(PortalDelivery)

/** Deliveries of one event. */
export const EventDeliveriesResponse = listOf(PortalDelivery)

export const DeliveryResponse = dataOf(
  Type.Object({
    ...delivery,
    payload: Type.Unsafe<unknown>(orNull(Type.Record(Type.String(), Type.Unknown()))),
    response_body: Type.String({ description: 'At most 2 kB; empty for viewers' }),
    tries: Type.Array(
      Type.Object({
        at: Instant,
        duration_ms: Type.Integer(),
        response_status: Type.Integer(),
        error: Type.String(),
      }),
      { description: 'Oldest first' },
    ),
  }),
)

export const ReplayResponse = dataOf(
  Type.Object({ delivery_id: Type.String(), new_delivery_id: Type.String(), event_id: Type.String() }),
)

export const ReplayManyBody = Type.Object({
  delivery_ids: Type.Array(documentedAs(DELIVERY_ID, Type.String()), { minItems: 1, maxItems: 50 }),
})

export const ReplayManyResponse = listOf(
  Type.Object({
    delivery_id: Type.String(),
    replayed: Type.Boolean(),
    new_delivery_id: orNull(Type.String()),
    error: orNull(Type.String(), 'not_found, not_failed or limit'),
  }),
)

// ── The event feed ──

export const FeedParameters = Type.Object({
  after: parameter(FEED_RULES.after, 'The last sequence that you have'),
  before: parameter(
    FEED_RULES.before,
    'The last events before this sequence, oldest first; 0: the newest of all. `after` is not read then',
  ),
  limit: parameter(FEED_RULES.limit, 'Events of a page'),
})

export const FeedResponse = Type.Object({
  data: Type.Array(
    Type.Object(
      {
        sequence: Type.Number(),
        id: Type.String(),
        type: Type.String(),
        created_at: Instant,
        data: Type.Unsafe<unknown>(Type.Record(Type.String(), Type.Unknown())),
      },
      { title: 'Portal event' },
    ),
    { description: 'Oldest first' },
  ),
  next: Type.Number({ description: 'Value of `after` for the next page' }),
  previous: orNull(Type.Number(), 'Value of `before` for the page before this one; null: this is the first'),
  latest: Type.Number({ description: 'The newest sequence that there is' }),
  has_more: Type.Boolean(),
})
