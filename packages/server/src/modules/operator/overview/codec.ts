import { Type } from 'typebox'
import { resource } from '../../../http/codec.ts'
import { enumOf, orNull } from '../../../http/schemas.ts'
import { formatDay } from '../../../lib/dates.ts'
import { formatMoney } from '../../../lib/money.ts'
import { ALERT } from '../../alerts/core/alerts.codec.ts'
import type { PendingApproval } from '../../approvals/types.ts'
import { RESELLER_CASE } from '../../cases/operators.codec.ts'
import { DELIVERY_QUEUE } from '../../events/endpoints/operators.codec.ts'
import { FLOAT } from '../catalog/providers.codec.ts'
import { APPROVAL_KINDS } from '../kit/approvals.rules.ts'
import { dataOf, Instant } from '../kit/schemas.ts'
import type { ProofRow } from '../money/ledger.sql.ts'
import { STUCK_PAYMENT } from '../payments/payments.codec.ts'
import type { SalesFigures } from './rules.ts'
import { salesByDay, salesFigures } from './rules.ts'
import type { Dated, DeliveryQueue, OperatorOverview, Sales, WatchedProvider } from './service.ts'
import { APPROVALS_MAX, QUEUES_MAX } from './service.ts'

const FIRST = 10
/** Age of the oldest delivery from which a receiver lags. */
const LAGS_AFTER_MS = 60_000

const ringgit = (description: string) => Type.String({ description: `${description}, in ringgit` })
const orNone = (amount: bigint | null) => (amount === null ? null : formatMoney(amount))
const count = (description: string) => Type.Integer({ description })
const age = Type.Integer({ description: 'Seconds since then' })

function ageSeconds(since: Date, nowMs: number): number {
  return Math.max(0, Math.floor((nowMs - since.getTime()) / 1_000))
}

const ALERTS = resource<NonNullable<OperatorOverview['alerts']>>()(undefined, {
  critical: [count('Open ones'), ({ counts }) => counts.critical],
  warning: [count('Open ones'), ({ counts }) => counts.warning],
  first: [
    Type.Array(ALERT.schema, { description: 'Critical ones first, then the newest; at most 10' }),
    ({ first }) => first.map((alert) => ALERT.encode(alert)),
  ],
})

const STUCK = resource<NonNullable<OperatorOverview['stuck']>, number>()(undefined, {
  payments: [count('Past their due time'), ({ payments }) => payments],
  cost: [ringgit('Sum that their resellers paid'), ({ cost }) => formatMoney(cost)],
  oldest_due_at: [orNull(Instant), ({ oldestDueAt }) => oldestDueAt?.toISOString() ?? null],
  oldest_age_seconds: [
    orNull(Type.Integer()),
    ({ oldestDueAt }, nowMs) => (oldestDueAt === null ? null : ageSeconds(oldestDueAt, nowMs)),
  ],
  first: [
    Type.Array(Type.Object({ ...STUCK_PAYMENT.schema.properties, age_seconds: age }), {
      description: 'Longest overdue first; at most 10',
    }),
    ({ first }, nowMs) =>
      first.map((each) => ({ ...STUCK_PAYMENT.encode(each), age_seconds: ageSeconds(each.dueAt, nowMs) })),
  ],
})

const APPROVAL_LINE = resource<PendingApproval>()(undefined, {
  id: [Type.String(), ({ id }) => String(id)],
  kind: [Type.Unsafe<string>(enumOf(APPROVAL_KINDS)), ({ kind }) => kind],
  target: [Type.Object({ kind: Type.String(), id: Type.String() }), ({ target }) => target],
  reason: [Type.String(), ({ reason }) => reason],
  requested_by: [
    Type.String({ description: "The operator's address" }),
    ({ requestedBy }) => requestedBy.email,
  ],
  requested_at: [Instant, ({ requestedAt }) => requestedAt.toISOString()],
  expires_at: [Instant, ({ expiresAt }) => expiresAt.toISOString()],
  is_own: [Type.Boolean(), ({ isOwn }) => isOwn],
  may_decide: [Type.Boolean(), ({ mayDecide }) => mayDecide],
})

const APPROVALS = resource<readonly PendingApproval[]>()(undefined, {
  pending: [
    count(`Requests that wait and that your role may read; counted up to ${APPROVALS_MAX}`),
    (pending) => pending.length,
  ],
  own: [count('Your own requests among them'), (pending) => pending.filter(({ isOwn }) => isOwn).length],
  may_decide: [
    count('Requests among them that you may decide'),
    (pending) => pending.filter(({ mayDecide }) => mayDecide).length,
  ],
  first: [
    Type.Array(APPROVAL_LINE.schema, {
      description: 'Requests that you may decide first, then by expiry; at most 10',
    }),
    (pending) => {
      const sorted = pending.toSorted(
        (a, b) => Number(b.mayDecide) - Number(a.mayDecide) || a.expiresAt.getTime() - b.expiresAt.getTime(),
      )
      return sorted.slice(0, FIRST).map((each) => APPROVAL_LINE.encode(each))
    },
  ],
})

const CASES = resource<NonNullable<OperatorOverview['cases']>, number>()(undefined, {
  open: [count('Open or in progress'), ({ open }) => open],
  overdue: [count('Requests past their due time'), ({ overdue }) => overdue],
  first: [
    Type.Array(Type.Object({ ...RESELLER_CASE.schema.properties, is_overdue: Type.Boolean() }), {
      description: 'By due time; at most 10',
    }),
    ({ first }, nowMs) =>
      first.map((each) => ({
        ...RESELLER_CASE.encode(each),
        is_overdue: each.dueAt.getTime() < nowMs,
      })),
  ],
})

const HEALTH = resource<NonNullable<WatchedProvider['health']>>()(undefined, {
  state: [
    enumOf(['closed', 'open', 'half_open'], 'open: it is sent no orders for a while'),
    ({ state }) => state,
  ],
  orders: [Type.Integer(), ({ orders }) => orders],
  answered: [Type.Integer(), ({ orders, timeouts, notActed }) => orders - timeouts - notActed],
  timeouts: [Type.Integer(), ({ timeouts }) => timeouts],
  not_acted: [Type.Integer(), ({ notActed }) => notActed],
  p50_ms: [orNull(Type.Number()), ({ p50Ms }) => p50Ms],
  p95_ms: [orNull(Type.Number()), ({ p95Ms }) => p95Ms],
})

const PROVIDER = resource<WatchedProvider>()(undefined, {
  code: [Type.String(), ({ code }) => code],
  name: [Type.String(), ({ name }) => name],
  enabled: [Type.Boolean(), ({ isEnabled }) => isEnabled],
  is_connected: [
    Type.Boolean({ description: 'false: staging’s own simulator, which nobody connected' }),
    ({ isConnected }) => isConnected,
  ],
  health: [
    orNull(HEALTH.schema, 'All nodes together, over the last half minute; null: no order went there'),
    ({ health }) => (health === undefined ? null : HEALTH.encode(health)),
  ],
  float: [
    orNull(FLOAT.schema, 'null: it cannot say'),
    ({ float }) => (float === undefined ? null : FLOAT.encode(float)),
  ],
})

const RECEIVERS = resource<
  Dated<readonly DeliveryQueue[]> & { readonly lagging: readonly DeliveryQueue[] },
  number
>()(undefined, {
  as_of: [Instant, ({ atMs }) => new Date(atMs).toISOString()],
  lagging: [
    count('Receivers whose oldest delivery waits for more than a minute'),
    ({ lagging }) => lagging.length,
  ],
  pending: [
    count(`Deliveries that wait, at the first ${QUEUES_MAX} receivers`),
    ({ value }) => value.reduce((sum, { pending }) => sum + pending, 0),
  ],
  first: [
    Type.Array(Type.Object({ ...DELIVERY_QUEUE.schema.properties, age_seconds: age }), {
      description: 'Lagging ones, longest wait first; at most 10',
    }),
    ({ lagging }, nowMs) =>
      lagging.slice(0, FIRST).map((queue) => ({
        ...DELIVERY_QUEUE.encode(queue),
        age_seconds: ageSeconds(queue.oldestAt, nowMs),
      })),
  ],
})

type ProofReport = { is_whole: boolean; wallets: number; entries: string; sums: { total: string } | null }

const reportOf = ({ report }: ProofRow) => (report ?? null) as ProofReport | null

const PROOF = resource<ProofRow>()(undefined, {
  id: [Type.String(), ({ id }) => String(id)],
  finished_at: [orNull(Instant), (proof) => proof.finished_at?.toISOString() ?? null],
  is_whole: [orNull(Type.Boolean(), 'null: it has no report'), (proof) => reportOf(proof)?.is_whole ?? null],
  wallets: [orNull(Type.Number()), (proof) => reportOf(proof)?.wallets ?? null],
  entries: [orNull(Type.String()), (proof) => reportOf(proof)?.entries ?? null],
  total: [
    orNull(Type.String(), 'Wallets and house accounts together, in ringgit: 0.00'),
    (proof) => reportOf(proof)?.sums?.total ?? null,
  ],
  trouble: [orNull(Type.String(), 'Why there is no report'), ({ trouble }) => trouble],
})

const isRunning = (proof: ProofRow | undefined): proof is ProofRow =>
  proof !== undefined && proof.finished_at === null

const LEDGER = resource<readonly ProofRow[]>()(undefined, {
  running_since: [
    orNull(Instant, 'A proof is under way since then'),
    ([newest]) => (isRunning(newest) ? newest.started_at.toISOString() : null),
  ],
  last: [
    orNull(PROOF.schema, 'The last one that ended; null: the ledger was never gone through'),
    ([newest, before]) => {
      const last = isRunning(newest) ? before : newest
      return last === undefined ? null : PROOF.encode(last)
    },
  ],
})

const FIGURES = resource<SalesFigures>()(undefined, {
  payments: [Type.Integer(), ({ payments }) => Number(payments)],
  successful: [Type.Integer(), ({ successful }) => Number(successful)],
  pending: [Type.Integer(), ({ pending }) => Number(pending)],
  failed: [Type.Integer(), ({ failed }) => Number(failed)],
  refunded: [Type.Integer(), ({ refunded }) => Number(refunded)],
  value: [ringgit('Face value of what succeeded or still may'), ({ value }) => formatMoney(value)],
  charged: [ringgit('Sum that the resellers paid for it'), ({ charged }) => formatMoney(charged)],
  margin: [
    orNull(
      Type.String(),
      'charged minus what suppliers said that they took, in ringgit; where they did not, an estimate by the present cost of the cheapest route; null: no cost is known',
    ),
    ({ margin }) => orNone(margin),
  ],
  margin_by_price_list: [
    orNull(Type.String(), 'The same by the costs of routes alone'),
    ({ marginListed }) => orNone(marginListed),
  ],
  margin_covers: [
    orNull(Type.Number(), 'Share of the value whose cost is known, 0 to 1; null: no value'),
    ({ marginCovers }) => marginCovers,
  ],
  margin_told: [
    orNull(Type.Number(), 'Share of the value whose suppliers said what they took; null: no value'),
    ({ marginTold }) => marginTold,
  ],
  success_rate: [
    orNull(Type.Number(), '0 to 1, of what succeeded or failed; null: nothing did'),
    ({ successRate }) => successRate,
  ],
})

const byDayOf = ({ value: { days, sales, suppliers } }: Dated<Sales>) => salesByDay(sales, days, suppliers)

const PAYMENTS = resource<Dated<Sales>>()(undefined, {
  currency: [Type.Literal('MYR'), () => 'MYR' as const],
  as_of: [Instant, ({ atMs }) => new Date(atMs).toISOString()],
  today: [
    FIGURES.schema,
    (sales) => FIGURES.encode(byDayOf(sales).at(-1) ?? salesFigures([], sales.value.suppliers)),
  ],
  last_30_days: [
    FIGURES.schema,
    ({ value: { sales, suppliers } }) => FIGURES.encode(salesFigures(sales, suppliers)),
  ],
  by_day: [
    Type.Array(
      Type.Object({ day: Type.String({ description: 'yyyy-MM-dd, GMT+8' }), ...FIGURES.schema.properties }),
      { description: 'Oldest first; the last one is today' },
    ),
    (sales) => byDayOf(sales).map((each) => ({ day: formatDay(each.day), ...FIGURES.encode(each) })),
  ],
})

/** Overview for one operator. */
export const OVERVIEW = resource<OperatorOverview>()('Operator overview', {
  as_of: [Instant, ({ nowMs }) => new Date(nowMs).toISOString()],
  late: [
    Type.Array(enumOf(['receivers', 'payments']), {
      description: 'Parts that are null because they could not be read in time',
    }),
    ({ receivers, sales }) => [
      ...(receivers === 'late' ? (['receivers'] as const) : []),
      ...(sales === 'late' ? (['payments'] as const) : []),
    ],
  ],
  alerts: [orNull(ALERTS.schema), ({ alerts }) => alerts && ALERTS.encode(alerts)],
  stuck: [orNull(STUCK.schema), ({ stuck, nowMs }) => stuck && STUCK.encode(stuck, nowMs)],
  approvals: [orNull(APPROVALS.schema), ({ approvals }) => approvals && APPROVALS.encode(approvals)],
  cases: [orNull(CASES.schema), ({ cases, nowMs }) => cases && CASES.encode(cases, nowMs)],
  providers: [
    orNull(Type.Array(PROVIDER.schema)),
    ({ providers }) => (providers === null ? null : providers.map((each) => PROVIDER.encode(each))),
  ],
  receivers: [
    orNull(RECEIVERS.schema),
    ({ receivers, nowMs }) => {
      if (receivers === 'late' || receivers === null) return null
      const lags = ({ oldestAt }: DeliveryQueue) => nowMs - oldestAt.getTime() > LAGS_AFTER_MS
      return RECEIVERS.encode({ ...receivers, lagging: receivers.value.filter(lags) }, nowMs)
    },
  ],
  ledger: [orNull(LEDGER.schema), ({ proofs }) => proofs && LEDGER.encode(proofs)],
  payments: [
    orNull(PAYMENTS.schema),
    ({ sales }) => (sales === 'late' ? null : sales && PAYMENTS.encode(sales)),
  ],
})

export const OperatorOverviewResponse = dataOf({
  ...OVERVIEW.schema,
  description: 'A part is null if your role may not read it',
})
