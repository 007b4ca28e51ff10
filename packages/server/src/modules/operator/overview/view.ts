import { formatDay } from '../../../lib/dates.ts'
import { formatMoney } from '../../../lib/money.ts'
import { ALERT } from '../../alerts/core/alerts.codec.ts'
import type { PendingApproval } from '../../approvals/types.ts'
import { RESELLER_CASE } from '../../cases/operators.codec.ts'
import { DELIVERY_QUEUE } from '../../events/endpoints/operators.codec.ts'
import { floatView } from '../catalog/providers.view.ts'
import type { ProofRow } from '../money/ledger.sql.ts'
import { stuckPaymentView } from '../payments/payments.view.ts'
import type { SalesFigures } from './rules.ts'
import { salesByDay, salesFigures } from './rules.ts'
import type { Dated, DeliveryQueue, OperatorOverview, Sales, WatchedProvider } from './service.ts'

const FIRST = 10
/** Age of the oldest delivery from which a receiver lags. */
const LAGS_AFTER_MS = 60_000

export function operatorOverviewView(overview: OperatorOverview) {
  const { nowMs, alerts, stuck, approvals, cases, providers, proofs, receivers, sales } = overview
  return {
    as_of: new Date(nowMs).toISOString(),
    late: [
      ...(receivers === 'late' ? (['receivers'] as const) : []),
      ...(sales === 'late' ? (['payments'] as const) : []),
    ],
    alerts: alerts && { ...alerts.counts, first: alerts.first.map((alert) => ALERT.encode(alert)) },
    stuck: stuck && stuckView(stuck, nowMs),
    approvals: approvals && approvalsView(approvals),
    cases: cases && {
      open: cases.open,
      overdue: cases.overdue,
      first: cases.first.map((each) => ({
        ...RESELLER_CASE.encode(each),
        is_overdue: each.dueAt.getTime() < nowMs,
      })),
    },
    providers: providers === null ? null : providers.map(providerLineView),
    receivers: receivers === 'late' ? null : receivers && receiversView(receivers, nowMs),
    ledger: proofs && ledgerView(proofs),
    payments: sales === 'late' ? null : sales && salesView(sales),
  }
}

function stuckView(
  { payments, oldestDueAt, cost, first }: NonNullable<OperatorOverview['stuck']>,
  nowMs: number,
) {
  return {
    payments,
    cost: formatMoney(cost),
    oldest_due_at: oldestDueAt?.toISOString() ?? null,
    oldest_age_seconds: oldestDueAt === null ? null : ageSeconds(oldestDueAt, nowMs),
    first: first.map((each) => ({ ...stuckPaymentView(each), age_seconds: ageSeconds(each.dueAt, nowMs) })),
  }
}

function ageSeconds(since: Date, nowMs: number): number {
  return Math.max(0, Math.floor((nowMs - since.getTime()) / 1_000))
}

/** Requests that the caller may decide come first, and then those that expire first. */
function approvalsView(pending: readonly PendingApproval[]) {
  const sorted = pending.toSorted(
    (a, b) => Number(b.mayDecide) - Number(a.mayDecide) || a.expiresAt.getTime() - b.expiresAt.getTime(),
  )
  return {
    pending: pending.length,
    own: pending.filter(({ isOwn }) => isOwn).length,
    may_decide: pending.filter(({ mayDecide }) => mayDecide).length,
    first: sorted.slice(0, FIRST).map((each) => ({
      id: String(each.id),
      kind: each.kind,
      target: each.target,
      reason: each.reason,
      requested_by: each.requestedBy.email,
      requested_at: each.requestedAt.toISOString(),
      expires_at: each.expiresAt.toISOString(),
      is_own: each.isOwn,
      may_decide: each.mayDecide,
    })),
  }
}

function providerLineView({ code, name, isEnabled, isConnected, health, float }: WatchedProvider) {
  return {
    code,
    name,
    enabled: isEnabled,
    is_connected: isConnected,
    health: health === undefined ? null : healthView(health),
    float: float === undefined ? null : floatView(float),
  }
}

function healthView(health: NonNullable<WatchedProvider['health']>) {
  return {
    state: health.state,
    orders: health.orders,
    answered: health.orders - health.timeouts - health.notActed,
    timeouts: health.timeouts,
    not_acted: health.notActed,
    p50_ms: health.p50Ms,
    p95_ms: health.p95Ms,
  }
}

function receiversView({ value: queues, atMs }: Dated<readonly DeliveryQueue[]>, nowMs: number) {
  const lagging = queues.filter(({ oldestAt }) => nowMs - oldestAt.getTime() > LAGS_AFTER_MS)
  return {
    as_of: new Date(atMs).toISOString(),
    lagging: lagging.length,
    pending: queues.reduce((sum, { pending }) => sum + pending, 0),
    first: lagging.slice(0, FIRST).map((queue) => ({
      ...DELIVERY_QUEUE.encode(queue),
      age_seconds: ageSeconds(queue.oldestAt, nowMs),
    })),
  }
}

type ProofReport = { is_whole: boolean; wallets: number; entries: string; sums: { total: string } | null }

function ledgerView([newest, before]: readonly ProofRow[]) {
  const isRunning = newest !== undefined && newest.finished_at === null
  const last = isRunning ? before : newest
  const report = (last?.report ?? null) as ProofReport | null
  return {
    running_since: isRunning ? newest.started_at.toISOString() : null,
    last:
      last === undefined
        ? null
        : {
            id: String(last.id),
            finished_at: last.finished_at?.toISOString() ?? null,
            is_whole: report?.is_whole ?? null,
            wallets: report?.wallets ?? null,
            entries: report?.entries ?? null,
            total: report?.sums?.total ?? null,
            trouble: last.trouble,
          },
  }
}

function salesView({ value: { days, sales, suppliers }, atMs }: Dated<Sales>) {
  const byDay = salesByDay(sales, days, suppliers)
  const today = byDay.at(-1) ?? salesFigures([], suppliers)
  return {
    currency: 'MYR' as const,
    as_of: new Date(atMs).toISOString(),
    today: figuresView(today),
    last_30_days: figuresView(salesFigures(sales, suppliers)),
    by_day: byDay.map((each) => ({ day: formatDay(each.day), ...figuresView(each) })),
  }
}

function figuresView(figures: SalesFigures) {
  return {
    payments: Number(figures.payments),
    successful: Number(figures.successful),
    pending: Number(figures.pending),
    failed: Number(figures.failed),
    refunded: Number(figures.refunded),
    value: formatMoney(figures.value),
    charged: formatMoney(figures.charged),
    margin: figures.margin === null ? null : formatMoney(figures.margin),
    margin_by_price_list: figures.marginListed === null ? null : formatMoney(figures.marginListed),
    margin_covers: figures.marginCovers,
    margin_told: figures.marginTold,
    success_rate: figures.successRate,
  }
}
