import { Type } from 'typebox'
import { documentedAs, parameter } from '../../../http/parameters.ts'
import { enumOf } from '../../../http/schemas.ts'
import { LOG_RULES } from './log.rules.ts'

export const LogParameters = Type.Object({
  status: parameter(LOG_RULES.status, 'all: those that came to an end'),
  from: parameter(LOG_RULES.from, 'A day yyyy-MM-dd (GMT+8) or an ISO 8601 instant; inclusive'),
  to: parameter(LOG_RULES.to, 'A day yyyy-MM-dd (GMT+8) or an ISO 8601 instant; inclusive'),
  search: parameter(LOG_RULES.search, 'The id of an event; when no delivery has it, the beginning of one'),
  limit: parameter(LOG_RULES.limit, 'Deliveries of a page'),
  cursor: parameter(LOG_RULES.cursor, 'That of the page before'),
})

/** Accepts every text: one that is not an id must give 404, like an unknown id, and not 400. */
const JobId = documentedAs({ schema: { type: 'string', format: 'uuid' } }, Type.String())

export const JobParams = Type.Object({ jobId: { ...JobId, description: 'The id of a delivery' } })

const EventObject = (description: string) =>
  Type.Unsafe<unknown>(Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()], { description }))

export const DeliveryRecord = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    eventId: Type.String(),
    status: enumOf(['success', 'failed', 'pending']),
    error: Type.String({ description: 'Empty on success' }),
    retryCount: Type.Integer(),
    retryLimit: Type.Integer({ description: '3; 0 of a test event' }),
    createdAt: Type.String({ description: 'ISO 8601 UTC with milliseconds' }),
    completedAt: Type.Union([Type.String(), Type.Null()], { description: 'Null while it is under way' }),
    webhookUrl: Type.String({ description: 'URL of the last attempt' }),
    webhookMethod: Type.String(),
    replayCount: Type.Integer({ description: 'Replays of the event so far, whoever asked' }),
    originalJobId: Type.Union([Type.String(), Type.Null()], {
      description: 'For a replay: the delivery that it repeats',
    }),
    payload: EventObject('The event; null when what it was about is no longer kept or cannot be read'),
    webhookPayload: EventObject('The event as it is sent; for a GET callback its four parameters'),
    responseCode: Type.Integer({ description: '0 when nothing answered' }),
    responseStatusCode: Type.Integer({ description: 'The same' }),
    responseBody: Type.String({ description: 'At most 2 kB' }),
  },
  { title: 'Delivery' },
)

export const LogResponse = Type.Object(
  {
    deliveries: Type.Array(DeliveryRecord),
    cursor: Type.Union([Type.String(), Type.Null()], {
      description: 'For the next page; null when there is none',
    }),
    hasMore: Type.Boolean(),
  },
  { title: 'Delivery page' },
)

export const AttemptsResponse = Type.Object(
  {
    attempts: Type.Array(
      Type.Object({
        at: Type.String({ description: 'ISO 8601 UTC with milliseconds' }),
        durationMs: Type.Integer(),
        responseStatusCode: Type.Integer({ description: '0 when nothing answered' }),
        error: Type.String({ description: 'Empty on success' }),
      }),
    ),
  },
  { title: 'Delivery attempts' },
)
