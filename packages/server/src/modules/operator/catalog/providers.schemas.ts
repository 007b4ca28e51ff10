import { Type } from 'typebox'
import { bodyOf, dataOf, enumOf, Instant, listOf, orNull, Reason } from '../console/schemas.ts'
import { Comparison } from './catalog.schemas.ts'

const Health = Type.Object(
  {
    node: Type.String(),
    state: enumOf(['closed', 'open', 'half_open'], 'open: it is sent no orders for a while'),
    orders: Type.Integer(),
    answered: Type.Integer(),
    timeouts: Type.Integer(),
    not_acted: Type.Integer(),
    p50_ms: orNull(Type.Number()),
    p95_ms: orNull(Type.Number()),
    age_ms: Type.Integer(),
  },
  { title: 'Provider measurement' },
)

const provider = {
  code: Type.String(),
  kind: Type.String(),
  name: Type.String(),
  enabled: Type.Boolean({ description: 'false: no new orders; those it has are still asked about' }),
  limits: Type.Object({}, { additionalProperties: true }),
  float_alert: orNull(Type.Number(), 'An alert is raised when our money there falls below this'),
  health: Type.Array(Health, { description: 'By node; empty: no order went there lately' }),
  created_at: Instant,
  updated_at: Instant,
}

export const ProviderListResponse = listOf(Type.Object(provider, { title: 'Provider' }))
export const ProviderParameters = Type.Object({ code: Type.String() })

export const ProviderResponse = dataOf(
  Type.Object({
    ...provider,
    config: orNull(
      Type.Object({}, { additionalProperties: true }),
      'How it is spoken to, for admins alone; secrets are not in it',
    ),
    secrets: Type.Array(Type.Object({ name: Type.String(), set_at: Instant }), {
      description: 'Names alone; for admins alone',
    }),
  }),
)

export const ProviderBody = bodyOf('Switch provider request', { enabled: Type.Boolean(), reason: Reason })

const Route = Type.Object(
  {
    product: Type.String({ description: 'Or * for every product without routes of its own' }),
    provider: Type.String(),
    priority: Type.Integer({ description: 'The smallest comes first' }),
    weight: orNull(Type.Integer(), 'Its share within its priority; null: the cheapest takes the order'),
    cost: orNull(
      Type.String(),
      'What the provider charges: "97.5%" of the face value, or an amount per order',
    ),
    windows: Type.Array(Type.String(), {
      description: 'When it is open, by GMT+8, such as "mon-fri 08:00-22:30"; empty: always',
    }),
    enabled: Type.Boolean(),
  },
  { title: 'Route' },
)

export const RouteListParameters = Type.Object({
  product: Type.Optional(Type.String()),
  provider: Type.Optional(Type.String()),
})

export const RouteListResponse = listOf(Route)
export const RouteParameters = Type.Object({ product: Type.String(), provider: Type.String() })
export const RouteResponse = dataOf(Type.Object({ ...Route.properties, comparison: Comparison }))

const DryRun = Type.Optional(Type.Boolean({ description: 'Check and measure it, and change nothing' }))

export const RouteBody = bodyOf('Route request', {
  priority: Type.Optional(Type.Integer({ description: '1 to 1000, 1 when left out' })),
  weight: Type.Optional(orNull(Type.Integer(), '0 to 1000, 100 when left out; null: by cost')),
  cost: Type.Optional(orNull(Type.String())),
  windows: Type.Optional(Type.Array(Type.String())),
  enabled: Type.Optional(Type.Boolean({ description: 'true when left out' })),
  dry_run: DryRun,
  reason: Reason,
})

export const RemoveRouteBody = bodyOf('Remove route request', {
  to_any: Type.Optional(
    Type.Boolean({ description: "When it is the product's last, the product may be sold through *" }),
  ),
  reason: Reason,
})

export const RemovedRouteResponse = dataOf(Route, 'The route as it was')
