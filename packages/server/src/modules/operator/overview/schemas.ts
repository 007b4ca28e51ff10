import { Type } from 'typebox'
import { enumOf, orNull } from '../../../http/schemas.ts'
import { ALERT } from '../../alerts/core/alerts.codec.ts'
import { RESELLER_CASE } from '../../cases/operators.codec.ts'
import { DELIVERY_QUEUE } from '../../events/endpoints/operators.codec.ts'
import { Float } from '../catalog/providers.schemas.ts'
import { APPROVAL_KINDS } from '../kit/approvals.rules.ts'
import { dataOf, Instant } from '../kit/schemas.ts'
import { StuckPayment } from '../payments/payments.schemas.ts'
import { APPROVALS_MAX, QUEUES_MAX } from './service.ts'

const ringgit = (description: string) => Type.String({ description: `${description}, in ringgit` })
const count = (description: string) => Type.Integer({ description })
const age = Type.Integer({ description: 'Seconds since then' })

const Alerts = Type.Object({
  critical: count('Open ones'),
  warning: count('Open ones'),
  first: Type.Array(ALERT.schema, { description: 'Critical ones first, then the newest; at most 10' }),
})

const Stuck = Type.Object({
  payments: count('Past their due time'),
  cost: ringgit('Sum that their resellers paid'),
  oldest_due_at: orNull(Instant),
  oldest_age_seconds: orNull(Type.Integer()),
  first: Type.Array(Type.Object({ ...StuckPayment.properties, age_seconds: age }), {
    description: 'Longest overdue first; at most 10',
  }),
})

const Approvals = Type.Object({
  pending: count(`Requests that wait and that your role may read; counted up to ${APPROVALS_MAX}`),
  own: count('Your own requests among them'),
  may_decide: count('Requests among them that you may decide'),
  first: Type.Array(
    Type.Object({
      id: Type.String(),
      kind: Type.Unsafe<string>(enumOf(APPROVAL_KINDS)),
      target: Type.Object({ kind: Type.String(), id: Type.String() }),
      reason: Type.String(),
      requested_by: Type.String({ description: "The operator's address" }),
      requested_at: Instant,
      expires_at: Instant,
      is_own: Type.Boolean(),
      may_decide: Type.Boolean(),
    }),
    { description: 'Requests that you may decide first, then by expiry; at most 10' },
  ),
})

const Cases = Type.Object({
  open: count('Open or in progress'),
  overdue: count('Requests past their due time'),
  first: Type.Array(Type.Object({ ...RESELLER_CASE.schema.properties, is_overdue: Type.Boolean() }), {
    description: 'By due time; at most 10',
  }),
})

const Provider = Type.Object({
  code: Type.String(),
  name: Type.String(),
  enabled: Type.Boolean(),
  is_connected: Type.Boolean({ description: 'false: staging’s own simulator, which nobody connected' }),
  health: orNull(
    Type.Object({
      state: enumOf(['closed', 'open', 'half_open'], 'open: it is sent no orders for a while'),
      orders: Type.Integer(),
      answered: Type.Integer(),
      timeouts: Type.Integer(),
      not_acted: Type.Integer(),
      p50_ms: orNull(Type.Number()),
      p95_ms: orNull(Type.Number()),
    }),
    'All nodes together, over the last half minute; null: no order went there',
  ),
  float: orNull(Float, 'null: it cannot say'),
})

const Receivers = Type.Object({
  as_of: Instant,
  lagging: count('Receivers whose oldest delivery waits for more than a minute'),
  pending: count(`Deliveries that wait, at the first ${QUEUES_MAX} receivers`),
  first: Type.Array(Type.Object({ ...DELIVERY_QUEUE.schema.properties, age_seconds: age }), {
    description: 'Lagging ones, longest wait first; at most 10',
  }),
})

const Ledger = Type.Object({
  running_since: orNull(Instant, 'A proof is under way since then'),
  last: orNull(
    Type.Object({
      id: Type.String(),
      finished_at: orNull(Instant),
      is_whole: orNull(Type.Boolean(), 'null: it has no report'),
      wallets: orNull(Type.Number()),
      entries: orNull(Type.String()),
      total: orNull(Type.String(), 'Wallets and house accounts together, in ringgit: 0.00'),
      trouble: orNull(Type.String(), 'Why there is no report'),
    }),
    'The last one that ended; null: the ledger was never gone through',
  ),
})

const figures = {
  payments: Type.Integer(),
  successful: Type.Integer(),
  pending: Type.Integer(),
  failed: Type.Integer(),
  refunded: Type.Integer(),
  value: ringgit('Face value of what succeeded or still may'),
  charged: ringgit('Sum that the resellers paid for it'),
  margin: orNull(
    Type.String(),
    'charged minus what suppliers said that they took, in ringgit; where they did not, an estimate by the present cost of the cheapest route; null: no cost is known',
  ),
  margin_by_price_list: orNull(Type.String(), 'The same by the costs of routes alone'),
  margin_covers: orNull(Type.Number(), 'Share of the value whose cost is known, 0 to 1; null: no value'),
  margin_told: orNull(
    Type.Number(),
    'Share of the value whose suppliers said what they took; null: no value',
  ),
  success_rate: orNull(Type.Number(), '0 to 1, of what succeeded or failed; null: nothing did'),
}

const Payments = Type.Object({
  currency: Type.Literal('MYR'),
  as_of: Instant,
  today: Type.Object(figures),
  last_30_days: Type.Object(figures),
  by_day: Type.Array(Type.Object({ day: Type.String({ description: 'yyyy-MM-dd, GMT+8' }), ...figures }), {
    description: 'Oldest first; the last one is today',
  }),
})

export const OperatorOverviewResponse = dataOf(
  Type.Object(
    {
      as_of: Instant,
      late: Type.Array(enumOf(['receivers', 'payments']), {
        description: 'Parts that are null because they could not be read in time',
      }),
      alerts: orNull(Alerts),
      stuck: orNull(Stuck),
      approvals: orNull(Approvals),
      cases: orNull(Cases),
      providers: orNull(Type.Array(Provider)),
      receivers: orNull(Receivers),
      ledger: orNull(Ledger),
      payments: orNull(Payments),
    },
    { title: 'Operator overview', description: 'A part is null if your role may not read it' },
  ),
)
