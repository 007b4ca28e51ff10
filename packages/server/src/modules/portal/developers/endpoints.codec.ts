import { Type } from 'typebox'
import { columns, resource } from '../../../http/codec.ts'
import { documentedAs, parameter, repeatedParameter } from '../../../http/parameters.ts'
import { enumOf, orNull } from '../../../http/schemas.ts'
import type { Masks } from '../../../lib/secrets/masks.ts'
import { maskedData } from '../../../lib/secrets/masks.ts'
import type { Endpoint } from '../../events/endpoints/endpoints.types.ts'
import { ENDPOINT_METHODS } from '../../events/endpoints/endpoints.types.ts'
import { ENDPOINT_FIELDS } from '../../events/endpoints/fields.service.ts'
import type { FeedPage } from '../../events/feed/feed.service.ts'
import type { LoggedDelivery } from '../../events/log/log.service.ts'
import type { Attempt } from '../../events/log/log.types.ts'
import { LOG_STATUSES } from '../../events/log/log.types.ts'
import type { ReplayResult } from '../../events/log/replay.rules.ts'
import type { Stream } from '../../events/types.ts'
import { STREAMS } from '../../events/types.ts'
import { dataOf, Instant, listOf, pageOf } from '../access/schemas.ts'
import { DELIVERY_ID, DELIVERY_RULES, FEED_RULES } from './endpoints.rules.ts'

export const StreamParams = Type.Object({ stream: enumOf(STREAMS) })
export const DeliveryParams = Type.Object({
  stream: enumOf(STREAMS),
  id: documentedAs(DELIVERY_ID, Type.String({ description: 'The id of a delivery' })),
})

// ── Endpoints ──

/** Receiver of one stream, with the part of its URL that the member may see. */
export type ShownEndpoint = {
  readonly stream: Stream
  /** undefined: none is configured. */
  readonly endpoint: Endpoint | undefined
  readonly pending: number
  readonly showUrl: (url: string) => string
}

const iso = (instant: Date | null | undefined): string | null => instant?.toISOString() ?? null

export const ENDPOINT = resource<ShownEndpoint>()('Endpoint', {
  stream: [enumOf(STREAMS), ({ stream }) => stream],
  is_configured: [Type.Boolean(), ({ endpoint }) => endpoint !== undefined],
  url: [
    Type.String({ description: 'Empty when none is configured' }),
    ({ endpoint, showUrl }) => showUrl(endpoint?.url ?? ''),
  ],
  method: [orNull(enumOf(ENDPOINT_METHODS)), ({ endpoint }) => endpoint?.method ?? null],
  enabled: [Type.Boolean(), ({ endpoint }) => endpoint?.isEnabled ?? false],
  types: [
    Type.Array(Type.String(), { description: 'Balance alone: which events are sent' }),
    ({ endpoint }) => endpoint?.types ?? [],
  ],
  secret_last_four: [Type.String(), ({ endpoint }) => endpoint?.secretLastFour ?? ''],
  secret_created_at: [orNull(Instant), ({ endpoint }) => iso(endpoint?.secretCreatedAt)],
  paused_at: [orNull(Instant), ({ endpoint }) => iso(endpoint?.pausedAt)],
  failing_since: [orNull(Instant), ({ endpoint }) => iso(endpoint?.failingSince)],
  last_success_at: [orNull(Instant), ({ endpoint }) => iso(endpoint?.lastSuccessAt)],
  pending: [
    Type.Integer({ description: 'Deliveries on their way, counted up to a bound' }),
    ({ pending }) => pending,
  ],
  updated_at: [orNull(Instant), ({ endpoint }) => iso(endpoint?.updatedAt)],
})

const Secret = Type.String({ description: 'Shown this once; whsec_ and Base64 of 32 bytes' })

export const EndpointsResponse = listOf(ENDPOINT.schema)
export const EndpointResponse = dataOf(ENDPOINT.schema)
export const PutEndpointResponse = dataOf(
  Type.Object({
    ...ENDPOINT.schema.properties,
    secret: orNull(Secret, 'Only for a new one; shown this once'),
  }),
)
export const SecretResponse = dataOf(Type.Object({ ...ENDPOINT.schema.properties, secret: Secret }))

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

type ShowUrl = (url: string) => string

const SHOWN = columns<LoggedDelivery, { readonly showUrl: ShowUrl }>()({
  id: [Type.String(), ({ delivery }) => delivery.id],
  stream: [enumOf(STREAMS), ({ delivery }) => delivery.stream],
  event_id: [Type.String(), ({ delivery }) => delivery.ref.eventId],
  event_type: [orNull(Type.String()), ({ delivery }) => delivery.eventType],
  status: [enumOf(LOG_STATUSES), ({ delivery }) => delivery.status],
  error: [Type.String(), ({ delivery }) => delivery.error],
  attempts: [Type.Integer(), ({ delivery }) => delivery.attemptsMade],
  response_status: [
    Type.Integer({ description: '0 when nothing answered' }),
    ({ delivery }) => delivery.responseStatus,
  ],
  url: [Type.String(), ({ delivery }, { showUrl }) => showUrl(delivery.url)],
  method: [enumOf(ENDPOINT_METHODS), ({ delivery }) => delivery.method],
  replay_of: [orNull(Type.String()), ({ delivery }) => delivery.originalId],
  replays: [
    Type.Integer({ description: 'All replays of the event so far' }),
    ({ delivery }) => delivery.replays,
  ],
  is_test: [Type.Boolean(), ({ delivery }) => delivery.ref.source === 'test'],
  created_at: [Instant, ({ delivery }) => delivery.createdAt.toISOString()],
  completed_at: [orNull(Instant), ({ delivery }) => iso(delivery.completedAt)],
})

export const PORTAL_DELIVERY = resource<LoggedDelivery, { readonly showUrl: ShowUrl }>()(
  'Portal delivery',
  SHOWN,
)

export const DeliveriesResponse = pageOf(PORTAL_DELIVERY.schema)

/** Deliveries of one event. */
export const EventDeliveriesResponse = listOf(PORTAL_DELIVERY.schema)

const TRY = resource<Attempt>()(undefined, {
  at: [Instant, ({ at }) => at.toISOString()],
  duration_ms: [Type.Integer(), ({ durationMs }) => durationMs],
  response_status: [Type.Integer(), ({ responseStatus }) => responseStatus],
  error: [Type.String(), ({ error }) => error],
})

/** Limits of the parts of a delivery that a person may see. */
export type DeliveryVisibility = {
  readonly masks: Masks
  readonly showUrl: ShowUrl
  readonly showsAnswers: boolean
}

/** Delivery without the receiver's answers for viewers: a receiver may repeat the data that it was sent. */
export const DELIVERY_DETAILS = resource<
  LoggedDelivery & { readonly tries: readonly Attempt[] },
  DeliveryVisibility
>()(undefined, {
  ...SHOWN,
  payload: [
    Type.Unsafe<unknown>(orNull(Type.Record(Type.String(), Type.Unknown()))),
    ({ message }, { masks }) => (message === undefined ? null : maskedData(message.payload, masks)),
  ],
  response_body: [
    Type.String({ description: 'At most 2 kB; empty for viewers' }),
    ({ responseBody }, { showsAnswers }) => (showsAnswers ? responseBody : ''),
  ],
  tries: [
    Type.Array(TRY.schema, { description: 'Oldest first' }),
    ({ tries }) => tries.map((each) => TRY.encode(each)),
  ],
})

export const DeliveryResponse = dataOf(DELIVERY_DETAILS.schema)

export const ReplayResponse = dataOf(
  Type.Object({ delivery_id: Type.String(), new_delivery_id: Type.String(), event_id: Type.String() }),
)

export const ReplayManyBody = Type.Object({
  delivery_ids: Type.Array(documentedAs(DELIVERY_ID, Type.String()), { minItems: 1, maxItems: 50 }),
})

export const REPLAYED = resource<ReplayResult>()(undefined, {
  delivery_id: [Type.String(), ({ jobId }) => jobId],
  replayed: [Type.Boolean(), ({ kind }) => kind === 'replayed'],
  new_delivery_id: [orNull(Type.String()), (result) => (result.kind === 'replayed' ? result.newJobId : null)],
  error: [
    orNull(Type.String(), 'not_found, not_failed or limit'),
    ({ kind }) => (kind === 'replayed' ? null : kind),
  ],
})

export const ReplayManyResponse = listOf(REPLAYED.schema)

// ── The event feed ──

export const FeedParameters = Type.Object({
  after: parameter(FEED_RULES.after, 'The last sequence that you have'),
  before: parameter(
    FEED_RULES.before,
    'The last events before this sequence, oldest first; 0: the newest of all. `after` is not read then',
  ),
  limit: parameter(FEED_RULES.limit, 'Events of a page'),
})

const EVENT = resource<FeedPage['events'][number], Masks>()('Portal event', {
  sequence: [Type.Number(), ({ sequence }) => Number(sequence)],
  id: [Type.String(), ({ ref }) => ref.eventId],
  type: [Type.String(), ({ event }) => event?.type ?? 'event.expired'],
  created_at: [Instant, ({ ref }) => ref.at.toISOString()],
  data: [
    Type.Unsafe<unknown>(Type.Record(Type.String(), Type.Unknown())),
    ({ event }, masks) => maskedData(event?.data ?? {}, masks),
  ],
})

export const MASKED_FEED = resource<FeedPage & { readonly latest: bigint }, Masks>()(undefined, {
  data: [
    Type.Array(EVENT.schema, { description: 'Oldest first' }),
    ({ events }, masks) => events.map((each) => EVENT.encode(each, masks)),
  ],
  next: [Type.Number({ description: 'Value of `after` for the next page' }), ({ next }) => Number(next)],
  previous: [
    orNull(Type.Number(), 'Value of `before` for the page before this one; null: this is the first'),
    ({ events: [first] }) => (first === undefined || first.sequence <= 1n ? null : Number(first.sequence)),
  ],
  latest: [Type.Number({ description: 'The newest sequence that there is' }), ({ latest }) => Number(latest)],
  has_more: [Type.Boolean(), ({ hasMore }) => hasMore],
})
