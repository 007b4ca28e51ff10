import { formatDay } from '../../../lib/dates.ts'
import { formatMoney } from '../../../lib/money.ts'
import type { FigureDay } from './overview.rules.ts'
import { figuresOf, rateOf } from './overview.rules.ts'
import type { Overview } from './overview.service.ts'

export function overviewView(overview: Overview) {
  return {
    currency: 'MYR' as const,
    balance: formatMoney(overview.balance),
    days_left: overview.daysLeft,
    runway: {
      spent_per_day: moneyOrNull(overview.runway.spentPerDay),
      threshold: moneyOrNull(overview.runway.threshold),
      days_to_threshold: overview.runway.daysToThreshold,
    },
    today: figuresView(overview.days.slice(-1)),
    last_30_days: figuresView(overview.days),
    by_day: overview.days.map((day) => ({ day: formatDay(day.day), ...figuresView([day]) })),
    balance_by_day: overview.balances.map(({ day, closing, deposited }) => ({
      day: formatDay(day),
      balance: formatMoney(closing),
      deposited: formatMoney(deposited),
    })),
    deliveries_by_day: overview.deliveries.map(({ day, succeeded, failed, pending }) => ({
      day: formatDay(day),
      succeeded,
      failed,
      pending,
      success_rate: rateOf(BigInt(succeeded), BigInt(failed)),
    })),
    interruptions: overview.interruptions.map((each) => ({ ...each, since: each.since.toISOString() })),
    attention: overview.attention,
  }
}

function moneyOrNull(units: bigint | null): string | null {
  return units === null ? null : formatMoney(units)
}

export function figuresView(days: readonly FigureDay[]) {
  const figures = figuresOf(days)
  return {
    payments: Number(figures.payments),
    successful: Number(figures.successful),
    pending: Number(figures.pending),
    failed: Number(figures.failed),
    refunded: Number(figures.refunded),
    sales: formatMoney(figures.sales),
    cost: formatMoney(figures.cost),
    margin: formatMoney(figures.margin),
    success_rate: figures.successRate,
  }
}
