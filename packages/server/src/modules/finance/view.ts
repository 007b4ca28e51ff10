import { formatDay } from '../../lib/dates.ts'
import { formatMoney } from '../../lib/money.ts'
import type { Movement, Movements } from '../wallet/statement/periods.types.ts'
import type { MonthStatement, ShownDay } from './closings/types.ts'
import type { Comparison } from './compare.service.ts'
import type { Mismatch } from './reconcile/reconcile.types.ts'

export function monthView(statement: MonthStatement, today: number) {
  const { account, month, opening, totals, closing, days } = statement
  return {
    account,
    month: month.name,
    opening: formatMoney(opening),
    totals: movementsView(totals),
    closing: formatMoney(closing),
    is_closed: month.to < today && days.every(({ closedAt }) => closedAt !== null),
    days: days.map(dayView),
  }
}

function dayView({ day, opening, movements, closing, firstSequence, lastSequence, closedAt }: ShownDay) {
  return {
    day: formatDay(day),
    opening: formatMoney(opening),
    movements: movementsView(movements),
    closing: formatMoney(closing),
    first_entry: String(firstSequence),
    last_entry: String(lastSequence),
    closed_at: closedAt?.toISOString() ?? null,
  }
}

function movementsView({ deposit, adjustment, payment, refund, commission }: Movements) {
  return {
    deposit: movementView(deposit),
    adjustment: movementView(adjustment),
    payment: movementView(payment),
    refund: movementView(refund),
    commission: movementView(commission),
  }
}

function movementView({ count, amount }: Movement) {
  return { count: Number(count), amount: formatMoney(amount) }
}

export function comparisonView(account: string, { summary, differences }: Comparison) {
  const { mismatches, kinds, lines, payments, agreed, outside } = summary
  return {
    account,
    lines,
    payments,
    agreed,
    outside,
    kinds,
    differences_total: mismatches,
    differences: differences.map(differenceView),
  }
}

function differenceView({ kind, cause, line, refid, paymentId, theirs, ours, detail }: Mismatch) {
  return {
    kind,
    cause,
    line: line === 0 ? null : line,
    refid,
    payment_id: paymentId === null ? null : String(paymentId),
    theirs,
    ours,
    detail,
  }
}
