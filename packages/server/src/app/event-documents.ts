import { Type } from 'typebox'
import type { WebhookDocs } from '../http/openapi/openapi-webhooks.ts'
import { enumOf } from '../http/schemas.ts'
import { CaseEventData } from '../modules/cases/schemas.ts'
import {
  CategoryEventData,
  catalogEnvelope,
  GroupEventData,
  OptionEventData,
  ProductEventData,
} from '../modules/catalog/changes/events.schemas.ts'
import {
  BALANCE_HOOK,
  CALLBACK_HOOK,
  CATALOG_HOOK,
  ORDER_HOOK,
} from '../modules/events/endpoints/endpoints.schemas.ts'
import type { EventContents } from '../modules/events/feed/feed.schemas.ts'
import { BalanceEventData, catalogTypes } from '../modules/events/feed/feed.schemas.ts'
import type { Stream } from '../modules/events/types.ts'
import { BALANCE_EVENT_TYPES, ORDER_EVENT_TYPES } from '../modules/events/types.ts'
import { OrderEventData, orderEventMembers } from '../modules/orders/core/schemas.ts'
import { CallbackData, PaymentData } from '../modules/payments/core/schemas.ts'
import { WEBHOOK_EXAMPLES } from './event-examples.ts'

// Events as the documents show them. They hold payments and parts of the catalogue, whose modules the module of events
// does not know: the schemas are combined here.

export const EVENT_CONTENTS: EventContents = {
  payment: PaymentData,
  case: CaseEventData,
  order: OrderEventData,
  catalog: {
    product: catalogEnvelope('Product change', catalogTypes('product'), 'products', ProductEventData),
    option: catalogEnvelope('Option change', catalogTypes('option'), 'options', OptionEventData),
    category: catalogEnvelope('Category change', catalogTypes('category'), 'categories', CategoryEventData),
    group: catalogEnvelope('Group change', catalogTypes('group'), 'groups', GroupEventData),
  },
}

const CatalogChange = Type.Union(Object.values(EVENT_CONTENTS.catalog), {
  title: 'Catalog change',
  discriminator: { propertyName: 'type' },
})

const BalanceChange = Type.Object(
  {
    type: enumOf(BALANCE_EVENT_TYPES),
    version: Type.Literal('1'),
    id: Type.String({ description: 'The same as in `webhook-id`' }),
    created_at: Type.String({ format: 'date-time', description: 'ISO 8601, UTC' }),
    data: BalanceEventData,
  },
  { title: 'Balance change' },
)

const OrderEnd = Type.Object(
  {
    type: enumOf(ORDER_EVENT_TYPES),
    version: Type.Literal('1'),
    id: Type.String({ description: 'The same as in `webhook-id`' }),
    created_at: Type.String({ format: 'date-time', description: 'ISO 8601, UTC' }),
    ...orderEventMembers,
  },
  { title: 'Order end' },
)

const SIGNED_HEADERS = {
  'webhook-id': Type.String({ description: 'The id of the event: equal in every attempt and replay' }),
  'webhook-timestamp': Type.String({
    pattern: '^\\d+$',
    description: 'Unix time of this attempt, in seconds',
  }),
  'webhook-signature': Type.String({
    description:
      '`v1,` and the Base64 of HMAC-SHA256 over `{webhook-id}.{webhook-timestamp}.{payload}`, keyed with the decoded ' +
      'secret; two of them, with a space between, while an old secret still signs',
  }),
  'X-Webhook-Test': Type.Literal('true', { description: 'Only on test events' }),
}

const WEBHOOK_HEADERS = {
  ...SIGNED_HEADERS,
  'X-Webhook-Signature': Type.String({
    pattern: '^sha256=[0-9a-f]{64}$',
    description:
      '`sha256=` and the hexadecimal HMAC-SHA256 of the body, keyed with the secret as it was shown',
  }),
}

const AGAIN =
  'An answer of 2xx takes it; anything else is tried again. Events may arrive twice: compare `webhook-id`.'

const WEBHOOKS_OF: Readonly<Record<Stream, readonly WebhookDocs[]>> = {
  callback: [
    {
      name: 'transactionCallback',
      method: 'POST',
      operationId: 'transactionCallback',
      summary: 'A payment changed its state',
      description: `Sent to the callback URL when its method is POST. ${AGAIN}`,
      tag: CALLBACK_HOOK.tag,
      headers: SIGNED_HEADERS,
      body: Type.Object({ data: CallbackData }, { title: 'Transaction callback' }),
      examples: WEBHOOK_EXAMPLES.postedCallback,
    },
    {
      name: 'transactionCallback',
      method: 'GET',
      operationId: 'transactionCallbackByQuery',
      summary: 'A payment changed its state, in the query',
      description: `Sent to the callback URL when its method is GET; the signed payload is the raw query. ${AGAIN}`,
      tag: CALLBACK_HOOK.tag,
      headers: SIGNED_HEADERS,
      query: {
        refid: Type.String(),
        status: Type.Integer({ description: 'The statusCode of the payment' }),
        price: Type.Number({ description: 'The cost of the payment' }),
        message: Type.String({
          contentMediaType: 'application/json',
          description: 'The payment as JSON, as in a POST; its timestamp has milliseconds',
        }),
      },
      examples: WEBHOOK_EXAMPLES.queriedCallback,
    },
  ],
  catalog: [
    {
      name: 'catalogChange',
      method: 'POST',
      operationId: 'catalogChange',
      summary: 'Something in the catalogue changed',
      description: `Sent to the catalog webhook. ${AGAIN}`,
      tag: CATALOG_HOOK.tag,
      headers: WEBHOOK_HEADERS,
      body: CatalogChange,
      examples: WEBHOOK_EXAMPLES.catalogChange,
    },
  ],
  balance: [
    {
      name: 'balanceChange',
      method: 'POST',
      operationId: 'balanceChange',
      summary: 'The balance moved, or fell below a threshold',
      description: `Sent to the balance webhook: the types that you chose. ${AGAIN}`,
      tag: BALANCE_HOOK.tag,
      headers: WEBHOOK_HEADERS,
      body: BalanceChange,
      examples: WEBHOOK_EXAMPLES.balanceChange,
    },
  ],
  order: [
    {
      name: 'orderEnd',
      method: 'POST',
      operationId: 'orderEnd',
      summary: 'An order of the hosted checkout became final',
      description: `Sent to the order webhook, once for each order. ${AGAIN}`,
      tag: ORDER_HOOK.tag,
      headers: WEBHOOK_HEADERS,
      body: OrderEnd,
      examples: WEBHOOK_EXAMPLES.orderEnd,
    },
  ],
}

/** Requests to receivers, for the `webhooks` of the document. */
export const WEBHOOKS: readonly WebhookDocs[] = Object.values(WEBHOOKS_OF).flat()
