import { Type } from 'typebox'
import { parameter } from '../../../http/parameters.ts'
import { enumOf, orNull } from '../../../http/schemas.ts'
import { dataOf, Instant, listOf, ProviderCode } from '../kit/schemas.ts'
import { Comparison } from './catalog.schemas.ts'
import { HEALTH_RULES, ROUTE_LIST_RULES } from './providers.service.ts'

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

export const Float = Type.Object(
  {
    amount: orNull(Type.String(), 'At the last answer; null: it never answered'),
    currency: Type.String({ description: 'Currency of the amounts here, by ISO 4217' }),
    ringgit: orNull(
      Type.String(),
      'The amount by the rate of now; null: it never answered, or the currency has no rate',
    ),
    read_at: orNull(Instant, 'When it gave that answer'),
    alert_below: orNull(Type.String(), 'null: nobody is alerted'),
    is_low: Type.Boolean({ description: 'The amount is below it' }),
    spent_per_hour: orNull(Type.String(), 'null: not known yet'),
    hours_left: orNull(Type.Number(), 'At that rate, to a tenth; null: nothing is spent, or it is not known'),
    failing_since: orNull(Instant, 'Since when it gives no answer; null: the last question was answered'),
    trouble: orNull(Type.String(), 'Why there is no answer'),
  },
  { title: 'Provider float', description: 'Our money there, asked for every minute' },
)

const provider = {
  code: Type.String(),
  kind: Type.String(),
  name: Type.String(),
  enabled: Type.Boolean({ description: 'false: no new orders; it is still asked about earlier ones' }),
  limits: Type.Object({}, { additionalProperties: true }),
  float_alert: orNull(
    Type.Number(),
    'An alert is raised when our money there falls below this, in its currency',
  ),
  float: orNull(Float, 'null: it cannot say'),
  health: Type.Array(Health, { description: 'By node; empty: no order went there lately' }),
  created_at: Instant,
  updated_at: Instant,
}

export const ProviderListResponse = listOf(Type.Object(provider, { title: 'Provider' }))
export const ProviderParameters = Type.Object({ code: ProviderCode })

export const ProviderDetail = Type.Object({
  ...provider,
  pack: orNull(Type.String(), 'Pack of which it was made; null: it was connected without one'),
  needs_second_person: Type.Boolean({
    description: 'One operator alone prepared it: another one approves that it is enabled',
  }),
  config: Type.Unsafe<unknown>(
    orNull(
      Type.Object({}, { additionalProperties: true }),
      'How it is spoken to, for admins alone; secrets are not in it',
    ),
  ),
  secrets: Type.Array(Type.Object({ name: Type.String(), set_at: Instant }), {
    description: 'Names alone; for admins alone',
  }),
})

const point = {
  attempts: Type.Integer({ description: 'Orders sent, which is all of the following together' }),
  succeeded: Type.Integer(),
  failed: Type.Integer({ description: 'It refused them' }),
  pending: Type.Integer({ description: 'It took them, and decided later' }),
  not_acted: Type.Integer({ description: 'It certainly did nothing; another provider may have taken over' }),
  unknown: Type.Integer({ description: 'No answer in time, or none that can be understood' }),
  p50_ms: orNull(Type.Number(), 'null: no order'),
  p95_ms: orNull(Type.Number(), 'null: no order'),
}

export const HealthParameters = Type.Object({
  hours: parameter(HEALTH_RULES.hours, 'How far back; intervals are 5 minutes up to 6, 15 up to 24, else 60'),
})

export const HealthResponse = dataOf(
  Type.Object(
    {
      provider: Type.String(),
      interval_minutes: Type.Integer(),
      intervals: Type.Array(
        Type.Object({ at: Type.String({ description: 'Its beginning, ISO 8601, UTC' }), ...point }),
        { description: 'Oldest first, without gaps; the last one is not over' },
      ),
      total: Type.Object(point, { description: 'All intervals together' }),
    },
    { title: 'Provider health' },
  ),
)

export const Route = Type.Object(
  {
    product: Type.String({ description: 'Or * for every product without routes of its own' }),
    provider: Type.String(),
    priority: Type.Integer({ description: 'The smallest comes first' }),
    weight: orNull(Type.Integer(), 'Its share within its priority; null: the cheapest takes the order'),
    cost: orNull(Type.String(), 'Charge of the provider: "97.5%" of the face value, or an amount per order'),
    windows: Type.Array(Type.String(), {
      description: 'When it is open, by GMT+8, such as "mon-fri 08:00-22:30"; empty: always',
    }),
    enabled: Type.Boolean(),
  },
  { title: 'Route' },
)

export const RouteListParameters = Type.Object({
  product: parameter(ROUTE_LIST_RULES.product, 'Routes of this product alone'),
  provider: parameter(ROUTE_LIST_RULES.provider, 'Routes to this provider alone'),
})

export const RouteListResponse = listOf(Route)
export const SavedRoute = Type.Object({ ...Route.properties, comparison: Comparison })
