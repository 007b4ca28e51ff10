import { Type } from 'typebox'
import { columns, resource } from '../../../http/codec.ts'
import { parameter } from '../../../http/parameters.ts'
import { enumOf, orNull } from '../../../http/schemas.ts'
import { formatMoney, moneyToNumber } from '../../../lib/money.ts'
import { connectionLimits } from '../../providers/connections/connections.rules.ts'
import type { ProviderFloat } from '../../providers/float.rules.ts'
import type { HealthPoint, HealthRow, HealthSeries } from '../../providers/health/health.types.ts'
import { dataOf, Instant, listOf, ProviderCode } from '../kit/schemas.ts'
import { Comparison } from './catalog.schemas.ts'
import type { DetailedConnection, WatchedConnection } from './providers.service.ts'
import { HEALTH_RULES, ROUTE_LIST_RULES } from './providers.service.ts'

const MEASUREMENT = resource<HealthRow>()('Provider measurement', {
  node: [Type.String(), ({ node }) => node],
  state: [
    enumOf(['closed', 'open', 'half_open'], 'open: it is sent no orders for a while'),
    ({ state }) => state,
  ],
  orders: [Type.Integer(), ({ orders }) => orders],
  answered: [Type.Integer(), ({ answered }) => answered],
  timeouts: [Type.Integer(), ({ timeouts }) => timeouts],
  not_acted: [Type.Integer(), (row) => row.not_acted],
  p50_ms: [orNull(Type.Number()), (row) => row.p50_ms],
  p95_ms: [orNull(Type.Number()), (row) => row.p95_ms],
  age_ms: [Type.Integer(), (row) => Math.round(row.age_ms)],
})

const money = (units: bigint | null) => (units === null ? null : formatMoney(units))

const OUR_MONEY = resource<ProviderFloat>()('Provider float', {
  amount: [
    orNull(Type.String(), 'At the last answer; null: it never answered'),
    ({ amount }) => money(amount),
  ],
  currency: [
    Type.String({ description: 'Currency of the amounts here, by ISO 4217' }),
    ({ currency }) => currency,
  ],
  ringgit: [
    orNull(
      Type.String(),
      'The amount by the rate of now; null: it never answered, or the currency has no rate',
    ),
    ({ ringgit }) => money(ringgit),
  ],
  read_at: [orNull(Instant, 'When it gave that answer'), ({ readAt }) => readAt?.toISOString() ?? null],
  alert_below: [orNull(Type.String(), 'null: nobody is alerted'), ({ alertBelow }) => money(alertBelow)],
  is_low: [
    Type.Boolean({ description: 'The amount is below it' }),
    ({ amount, alertBelow }) => amount !== null && alertBelow !== null && amount < alertBelow,
  ],
  spent_per_hour: [orNull(Type.String(), 'null: not known yet'), ({ spentPerHour }) => money(spentPerHour)],
  hours_left: [
    orNull(Type.Number(), 'At that rate, to a tenth; null: nothing is spent, or it is not known'),
    ({ hoursLeft }) => hoursLeft,
  ],
  failing_since: [
    orNull(Instant, 'Since when it gives no answer; null: the last question was answered'),
    ({ failingSince }) => failingSince?.toISOString() ?? null,
  ],
  trouble: [orNull(Type.String(), 'Why there is no answer'), ({ trouble }) => trouble],
})

/** Our money at a provider. */
export const FLOAT = {
  encode: OUR_MONEY.encode,
  schema: { ...OUR_MONEY.schema, description: 'Our money there, asked for every minute' },
}

const SHOWN = columns<WatchedConnection>()({
  code: [Type.String(), ({ connection }) => connection.code],
  kind: [Type.String(), ({ connection }) => connection.kind],
  name: [Type.String(), ({ connection }) => connection.name],
  enabled: [
    Type.Boolean({ description: 'false: no new orders; it is still asked about earlier ones' }),
    ({ connection }) => connection.isEnabled,
  ],
  limits: [
    Type.Object({}, { additionalProperties: true }),
    ({ connection }) => connectionLimits(connection.limits),
  ],
  float_alert: [
    orNull(Type.Number(), 'An alert is raised when our money there falls below this, in its currency'),
    ({ connection: { floatAlert } }) => (floatAlert === null ? null : moneyToNumber(floatAlert)),
  ],
  float: [
    orNull(FLOAT.schema, 'null: it cannot say'),
    ({ float }) => (float === undefined ? null : FLOAT.encode(float)),
  ],
  health: [
    Type.Array(MEASUREMENT.schema, { description: 'By node; empty: no order went there lately' }),
    ({ health }) => health.map((row) => MEASUREMENT.encode(row)),
  ],
  created_at: [Instant, ({ connection }) => connection.createdAt.toISOString()],
  updated_at: [Instant, ({ connection }) => connection.updatedAt.toISOString()],
})

export const PROVIDER = resource<WatchedConnection>()('Provider', SHOWN)
export const ProviderListResponse = listOf(PROVIDER.schema)
export const ProviderParameters = Type.Object({ code: ProviderCode })

/** The configuration is for few roles: an address or a template can reveal almost as much as a secret. */
export const PROVIDER_DETAIL = resource<DetailedConnection, { readonly mayReadConfig: boolean }>()(
  undefined,
  {
    ...SHOWN,
    pack: [
      orNull(Type.String(), 'Pack of which it was made; null: it was connected without one'),
      ({ pack }) => pack,
    ],
    needs_second_person: [
      Type.Boolean({
        description: 'One operator alone prepared it: another one approves that it is enabled',
      }),
      ({ isPreparedAlone }) => isPreparedAlone,
    ],
    config: [
      Type.Unsafe<unknown>(
        orNull(
          Type.Object({}, { additionalProperties: true }),
          'How it is spoken to, for admins alone; secrets are not in it',
        ),
      ),
      ({ connection }, { mayReadConfig }) => (mayReadConfig ? connection.config : null),
    ],
    secrets: [
      Type.Array(Type.Object({ name: Type.String(), set_at: Instant }), {
        description: 'Names alone; for admins alone',
      }),
      ({ connection }, { mayReadConfig }) =>
        mayReadConfig
          ? Object.entries(connection.secretNames).map(([name, at]) => ({ name, set_at: at.toISOString() }))
          : [],
    ],
  },
)

const POINT = columns<Omit<HealthPoint, 'startMs'>>()({
  attempts: [
    Type.Integer({ description: 'Orders sent, which is all of the following together' }),
    ({ attempts }) => attempts,
  ],
  succeeded: [Type.Integer(), ({ counts }) => counts.succeeded],
  failed: [Type.Integer({ description: 'It refused them' }), ({ counts }) => counts.failed],
  pending: [Type.Integer({ description: 'It took them, and decided later' }), ({ counts }) => counts.pending],
  not_acted: [
    Type.Integer({ description: 'It certainly did nothing; another provider may have taken over' }),
    ({ counts }) => counts.not_acted,
  ],
  unknown: [
    Type.Integer({ description: 'No answer in time, or none that can be understood' }),
    ({ counts }) => counts.unknown,
  ],
  p50_ms: [orNull(Type.Number(), 'null: no order'), ({ p50Ms }) => p50Ms],
  p95_ms: [orNull(Type.Number(), 'null: no order'), ({ p95Ms }) => p95Ms],
})

const TOTAL = resource<Omit<HealthPoint, 'startMs'>>()(undefined, POINT)

const INTERVAL = resource<HealthPoint>()(undefined, {
  at: [
    Type.String({ description: 'Its beginning, ISO 8601, UTC' }),
    ({ startMs }) => new Date(startMs).toISOString(),
  ],
  ...POINT,
})

export const HEALTH = resource<HealthSeries, string>()('Provider health', {
  provider: [Type.String(), (_, provider) => provider],
  interval_minutes: [Type.Integer(), ({ stepMs }) => stepMs / 60_000],
  intervals: [
    Type.Array(INTERVAL.schema, { description: 'Oldest first, without gaps; the last one is not over' }),
    ({ points }) => points.map((point) => INTERVAL.encode(point)),
  ],
  total: [{ ...TOTAL.schema, description: 'All intervals together' }, ({ total }) => TOTAL.encode(total)],
})

export const HealthParameters = Type.Object({
  hours: parameter(HEALTH_RULES.hours, 'How far back; intervals are 5 minutes up to 6, 15 up to 24, else 60'),
})
export const HealthResponse = dataOf(HEALTH.schema)

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
