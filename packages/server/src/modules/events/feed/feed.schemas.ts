import type { TSchema } from 'typebox'
import { Type } from 'typebox'
import { parameter } from '../../../http/parameters.ts'
import { enumOf } from '../../../http/schemas.ts'
import {
  BALANCE_EVENT_TYPES,
  CASE_EVENT_TYPES,
  ORDER_EVENT_TYPES,
  PAYMENT_EVENT_TYPES,
  STREAMS,
} from '../types.ts'
import { FEED_RULES } from './feed.rules.ts'

export const FeedParameters = Type.Object({
  after: parameter(
    FEED_RULES.after,
    'The last sequence that you have; 0 begins with the oldest that is kept',
  ),
  limit: parameter(FEED_RULES.limit, 'Events of a page'),
})

/** Schemas of the events' data that other modules own. */
export type EventContents = {
  readonly payment: TSchema
  readonly case: TSchema
  readonly order: TSchema
  /** Envelopes of the catalogue webhook by resource. */
  readonly catalog: Readonly<Record<CatalogSubject, TSchema>>
}

export type CatalogSubject = 'product' | 'option' | 'category' | 'group'

const CHANGES = ['created', 'updated', 'deleted'] as const

export function catalogTypes(subject: CatalogSubject): string[] {
  return CHANGES.map((change) => `${subject}.${change}`)
}

/** Data of a balance event, in the webhook and in the feed. */
export const BalanceEventData = Type.Object(
  {
    resellerCode: Type.String({ description: 'Your account' }),
    amount: Type.Number({ description: 'Amount moved, without a sign: the type says in which direction' }),
    balance: Type.Number({ description: 'The wallet afterwards' }),
    description: Type.String(),
    refid: Type.Optional(Type.String({ description: 'Only if a payment moved it' })),
    transactionId: Type.Optional(Type.String({ description: 'Only if a payment moved it' })),
    threshold: Type.Optional(Type.Number({ description: 'balance.low: the threshold, in MYR' })),
  },
  { title: 'Balance event data' },
)

const DeliveryFailedData = Type.Object(
  {
    stream: enumOf(STREAMS),
    jobId: Type.String({ description: 'The delivery, as the log has it' }),
    eventId: Type.String({ description: 'The event that was not received' }),
    url: Type.String({ description: 'Without its query' }),
    error: Type.String(),
    attempts: Type.Integer(),
  },
  { title: 'Delivery failed data' },
)

const EndpointPausedData = Type.Object(
  {
    stream: enumOf(STREAMS),
    url: Type.String({ description: 'Without its query' }),
    since: Type.String({ description: 'Since when nothing was received' }),
  },
  { title: 'Endpoint paused data' },
)

const DepositRefusedData = Type.Object(
  {
    id: Type.String({ description: 'The deposit request' }),
    amount: Type.Number({ description: 'MYR' }),
    bank_reference: Type.String(),
    reason: Type.String(),
  },
  { title: 'Deposit refused data' },
)

function event(title: string, types: readonly string[], data: TSchema) {
  return Type.Object(
    {
      sequence: Type.Integer({ description: 'Your own count of events, without gaps' }),
      id: Type.String({ description: 'As in `webhook-id`, in every attempt and replay' }),
      type: enumOf(types),
      created_at: Type.String({ format: 'date-time', description: 'ISO 8601, UTC' }),
      data,
    },
    { title },
  )
}

/** Union of all events, discriminated by `type`. */
function eventOf({ payment, case: opened, order, catalog }: EventContents) {
  const { product, option, category, group } = catalog
  return Type.Union(
    [
      event('Payment event', PAYMENT_EVENT_TYPES, payment),
      event('Balance event', BALANCE_EVENT_TYPES, BalanceEventData),
      event('Product event', catalogTypes('product'), product),
      event('Option event', catalogTypes('option'), option),
      event('Category event', catalogTypes('category'), category),
      event('Group event', catalogTypes('group'), group),
      event('Case event', CASE_EVENT_TYPES, opened),
      event('Order event', ORDER_EVENT_TYPES, order),
      event('Delivery failed event', ['delivery.failed'], DeliveryFailedData),
      event('Endpoint paused event', ['endpoint.paused'], EndpointPausedData),
      event('Deposit refused event', ['deposit.refused'], DepositRefusedData),
      event('Expired event', ['event.expired'], Type.Object({}, { title: 'Expired event data' })),
    ],
    {
      title: 'Event',
      discriminator: { propertyName: 'type' },
      description:
        'payment.*: the payment as the payment operation showed it in that state. Catalogue: the envelope of the ' +
        'catalogue webhook. event.expired: its subject is no longer kept. More types may be added: ignore ' +
        'those that you do not know',
    },
  )
}

export function feedResponse(contents: EventContents) {
  return Type.Object(
    {
      data: Type.Array(eventOf(contents), { description: 'Oldest first' }),
      next: Type.Integer({ description: 'Value of `after` for the next page' }),
      has_more: Type.Boolean({ description: 'Whether there is more by now' }),
    },
    { title: 'Event page' },
  )
}
