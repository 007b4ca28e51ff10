import { Type } from 'typebox'

const text = (description: string) => Type.Optional(Type.String({ description }))

export const FeedParameters = Type.Object({
  after: text('The last sequence that you have; 0 when left out, which begins with the oldest that is kept'),
  limit: text('1 to 1,000; 100 when left out'),
})

const FeedEvent = Type.Object(
  {
    sequence: Type.Number({ description: 'Your own count of events, without gaps' }),
    id: Type.String({ description: 'As in `webhook-id`, in every attempt and replay' }),
    type: Type.String({
      description:
        'payment.accepted, processing, succeeded, failed or voided; balance.added, deducted, refunded or low; ' +
        'product, option, category or group with created, updated or deleted; delivery.failed, endpoint.paused. ' +
        'event.expired where what it was about is no longer kept. More may be added',
    }),
    created_at: Type.String({ description: 'ISO 8601, UTC' }),
    data: Type.Record(Type.String(), Type.Unknown(), {
      description:
        "payment.*: the payment as the payment operation showed it in that state. balance.*: the webhook's data; " +
        'refid and transactionId where a payment moved it. Catalogue: the envelope of the catalogue webhook',
    }),
  },
  { title: 'Event' },
)

export const FeedResponse = Type.Object(
  {
    data: Type.Array(FeedEvent, { description: 'Oldest first' }),
    next: Type.Number({ description: 'What to send as `after` next' }),
    has_more: Type.Boolean({ description: 'Whether there is more by now' }),
  },
  { title: 'Events' },
)
