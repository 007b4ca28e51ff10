import { Type } from 'typebox'
import { documentedAs, parameter } from '../../../http/parameters.ts'
import { enumOf } from '../../../http/schemas.ts'
import { required } from '../../../lib/input/parameters.ts'
import type { Stream } from '../types.ts'
import { BALANCE_EVENT_TYPES } from '../types.ts'
import { GRACE, GRACE_SECONDS_MAX, METHOD, TYPES, TYPES_LISTED_MAX, urlRuleOf } from './endpoints.rules.ts'
import type { WebhookStream } from './endpoints.types.ts'

/** Path and names of a stream's operations in the API reference. */
export type Hook<S extends Stream = Stream> = {
  readonly stream: S
  readonly base: string
  readonly tag: string
  /** Part of the operations' names: get…Deliveries. */
  readonly name: string
  readonly noun: string
}

export const CALLBACK_HOOK: Hook<'callback'> = {
  stream: 'callback',
  base: '/v2/callback-url',
  tag: 'Transaction callbacks',
  name: 'Callback',
  noun: 'transaction callbacks',
}

export const BALANCE_HOOK: Hook<'balance'> = {
  stream: 'balance',
  base: '/v2/balance-webhook',
  tag: 'Balance webhook',
  name: 'BalanceWebhook',
  noun: 'balance webhook',
}

export const CATALOG_HOOK: Hook<'catalog'> = {
  stream: 'catalog',
  base: '/v2/catalog-webhook',
  tag: 'Catalog webhook',
  name: 'CatalogWebhook',
  noun: 'catalog webhook',
}

export const ORDER_HOOK: Hook<'order'> = {
  stream: 'order',
  base: '/v2/order-webhook',
  tag: 'Order webhook',
  name: 'OrderWebhook',
  noun: 'order webhook',
}

const HOOK_OF: { readonly [S in Stream]: Hook<S> } = {
  callback: CALLBACK_HOOK,
  balance: BALANCE_HOOK,
  catalog: CATALOG_HOOK,
  order: ORDER_HOOK,
}

export const HOOKS: readonly Hook[] = Object.values(HOOK_OF)

const { callback: _, ...WEBHOOK_OF } = HOOK_OF

/** Hooks of the streams that are configured as webhooks. */
export const WEBHOOK_HOOKS: readonly Hook<WebhookStream>[] = Object.values(WEBHOOK_OF)

const Instant = (description: string) =>
  Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description })

const SECRET = 'Shown this once; whsec_ and Base64 of 32 bytes'

// ── Callback URL ──

const CALLBACK_URL = required('url', urlRuleOf('callback'))

export const CallbackParameters = Type.Object({
  url: parameter(CALLBACK_URL, 'Absolute HTTP or HTTPS URL, in the signed query alone'),
  method: parameter(METHOD, 'How it is called; in the signed query alone'),
})

export const CallbackResponse = Type.Object(
  {
    data: Type.Object({
      Status: Type.String({ description: 'Success; empty when none is set' }),
      CallbackUrl: Type.String({ description: 'Empty when none is set' }),
      Method: Type.String({ description: 'GET or POST; empty when none is set' }),
    }),
    '@metadata': Type.Object({
      status_code: Type.Literal(200),
      last_updated: Type.String({ description: 'dd-MM-yyyy HH:mm:ss, GMT+8' }),
    }),
  },
  { title: 'Callback URL' },
)

export const CallbackSecretResponse = Type.Object(
  {
    secret_last_four: Type.String({ description: 'Empty when there is none' }),
    created_at: Instant('ISO 8601, UTC; null when there is none'),
  },
  { title: 'Callback secret' },
)

export const NewCallbackSecretResponse = Type.Object(
  { webhook_secret: Type.String({ description: SECRET }) },
  { title: 'New callback secret' },
)

// ── Webhooks ──

export const WebhookResponse = Type.Object(
  {
    webhook_url: Type.String({ description: 'Empty when none is configured' }),
    enabled: Type.Boolean({ description: 'False when none is configured' }),
    secret_last_four: Type.String({ description: 'Empty when none is configured' }),
    created_at: Instant('ISO 8601, UTC; null when none is configured'),
    updated_at: Instant('ISO 8601, UTC; null when none is configured'),
  },
  { title: 'Webhook configuration' },
)

export const WebhookBody = Type.Object({
  url: documentedAs(urlRuleOf('catalog'), Type.String({ description: 'Absolute URL' })),
})

export const PutWebhookResponse = Type.Object(
  {
    webhook_url: Type.String(),
    webhook_secret: Type.Optional(
      Type.String({ description: `Only for a new configuration. ${SECRET}`, minLength: 1 }),
    ),
  },
  { title: 'Webhook put' },
)

export const EnabledBody = Type.Object({ enabled: Type.Boolean() }, { title: 'Webhook switch' })

export const EnabledResponse = Type.Object({ enabled: Type.Boolean() }, { title: 'Webhook switch' })

export const RotatedResponse = Type.Object(
  { webhook_url: Type.String(), webhook_secret: Type.String({ description: SECRET }) },
  { title: 'New webhook secret' },
)

export const GraceBody = Type.Object({
  grace_seconds: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: GRACE_SECONDS_MAX,
      description: 'How long the old secret still signs beside the new one; left out, it ends at once',
    }),
  ),
})

/** The contract has no body here. It is read only to refuse a grace period, which this webhook does not have. */
export const NoBody = Type.Object({
  grace_seconds: Type.Optional(
    documentedAs(GRACE, Type.Unknown({ description: 'Refused: the old secret ends at once' })),
  ),
})

const Types = Type.Array(enumOf(BALANCE_EVENT_TYPES))

export const TypesBody = Type.Object({
  types: documentedAs(TYPES, Type.Array(Type.Unknown(), { minItems: 1, maxItems: TYPES_LISTED_MAX })),
})

export const TypesResponse = Type.Object(
  { types: { ...Types, description: 'Which events are sent; empty when none is configured' } },
  { title: 'Event types' },
)

export const StatusResponse = Type.Object(
  {
    enabled: Type.Boolean(),
    paused_at: Instant(
      'When sending was paused, because everything failed for days or by the operator; a change of yours resumes it',
    ),
    failing_since: Instant(
      'Since when nothing was received; null: the last delivery was, or nothing has failed since another URL was set, a new secret made or sending resumed',
    ),
    last_success_at: Instant('When a delivery was last received'),
    pending: Type.Integer({ description: 'Deliveries on their way, counted up to 100,000' }),
  },
  { title: 'Endpoint status' },
)
