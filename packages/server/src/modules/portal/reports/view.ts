import type { DataTable } from '../../../http/streams/tables.ts'
import type { DayRange } from '../../../lib/dates.ts'
import { formatDay, startOfDayMs } from '../../../lib/dates.ts'
import { formatMoney } from '../../../lib/money.ts'
import type { MonthStatement } from '../../finance/closings/types.ts'
import { printTablesPdf } from '../../finance/statement/tables-pdf.view.ts'
import { figuresView } from '../payments/overview.view.ts'
import type { ReportLine } from './rules.ts'
import { totalOf } from './rules.ts'
import type { Report } from './service.ts'

export function reportView({ by, days, before, lines }: Report) {
  return {
    by,
    from: formatDay(days.from),
    to: formatDay(days.to),
    before: { from: formatDay(before.from), to: formatDay(before.to) },
    total: lineFigures(totalLine(lines)),
    lines: lines.map((line) => ({ key: line.key, name: line.name, ...lineFigures(line) })),
  }
}

function lineFigures({ now, before }: Pick<ReportLine, 'now' | 'before'>) {
  return { ...figuresView([now]), before: figuresView([before]) }
}

function totalLine(lines: readonly ReportLine[]): Pick<ReportLine, 'now' | 'before'> {
  return { now: totalOf(lines.map(({ now }) => now)), before: totalOf(lines.map(({ before }) => before)) }
}

const TITLES = {
  day: 'Sales by day',
  product: 'Sales by product',
  category: 'Sales by category',
  hour: 'Sales by hour',
  seller: 'Sales by seller',
  branch: 'Sales by branch',
  till: 'Sales by till',
} as const

/** Makes the table of the files. `hasTotal`: a last row for people, which a program would count twice. */
export function reportTable({ by, lines }: Report, hasTotal: boolean): DataTable {
  const rows = lines.map((line) => [line.key, line.name ?? '', ...cellsOf(line)])
  return {
    title: TITLES[by],
    columns: [
      { name: by, kind: 'text' },
      { name: 'name', kind: 'text' },
      { name: 'payments', kind: 'count' },
      { name: 'successful', kind: 'count' },
      { name: 'pending', kind: 'count' },
      { name: 'failed', kind: 'count' },
      { name: 'refunded', kind: 'count' },
      { name: 'sales_myr', kind: 'money' },
      { name: 'cost_myr', kind: 'money' },
      { name: 'margin_myr', kind: 'money' },
      { name: 'success_rate', kind: 'share' },
      { name: 'before_payments', kind: 'count' },
      { name: 'before_sales_myr', kind: 'money' },
      { name: 'before_cost_myr', kind: 'money' },
      { name: 'before_margin_myr', kind: 'money' },
    ],
    rows: hasTotal ? [...rows, ['Total', '', ...cellsOf(totalLine(lines))]] : rows,
  }
}

function cellsOf(line: Pick<ReportLine, 'now' | 'before'>): string[] {
  const now = figuresView([line.now])
  const before = figuresView([line.before])
  return [
    String(now.payments),
    String(now.successful),
    String(now.pending),
    String(now.failed),
    String(now.refunded),
    now.sales,
    now.cost,
    now.margin,
    now.success_rate === null ? '' : String(now.success_rate),
    String(before.payments),
    before.sales,
    before.cost,
    before.margin,
  ]
}

/** Makes the table of a page of paper, which has room for fewer columns. */
export function paperTable({ by, lines }: Report): DataTable {
  const row = (name: string, line: Pick<ReportLine, 'now' | 'before'>) => {
    const now = figuresView([line.now])
    const before = figuresView([line.before])
    return [name, String(now.payments), String(now.failed), now.sales, now.cost, now.margin, before.sales]
  }
  return {
    title: TITLES[by],
    columns: [
      { name: TITLES[by], kind: 'text' },
      { name: 'Payments', kind: 'count' },
      { name: 'Failed', kind: 'count' },
      { name: 'Sales', kind: 'money' },
      { name: 'Cost', kind: 'money' },
      { name: 'Margin', kind: 'money' },
      { name: 'Before', kind: 'money' },
    ],
    rows: [...lines.map((line) => row(line.name ?? line.key, line)), row('Total', totalLine(lines))],
  }
}

/** Prints reports on paper, with whose they are and of which days. */
export function reportsPdf(
  { account, name }: { readonly account: string; readonly name: string },
  issuer: string,
  reports: readonly [Report, ...Report[]],
): AsyncIterable<Uint8Array> {
  const [{ days, before }] = reports
  const span = ({ from, to }: DayRange) => `${formatDay(from)} to ${formatDay(to)}`
  return printTablesPdf({
    title: `Sales ${span(days)}, account ${account}`,
    subject: 'Report of sales',
    heading: 'Sales',
    issuer,
    at: new Date(startOfDayMs(days.to + 1)),
    fields: [
      ['Issued by', issuer],
      ['Account', account],
      ['Name', name],
      ['Days', span(days)],
      ['Before', span(before)],
      ['Zone', 'GMT+8'],
      ['Currency', 'MYR'],
    ],
    tables: reports.map(paperTable),
  })
}

/** Totals that close a month: of the wallet, and of the payments for which there are receipts. */
export function monthTotals(statement: MonthStatement, report: Report): DataTable {
  const { now } = totalLine(report.lines)
  const receipts = figuresView([now])
  const moved = (item: string, { count, amount }: { count: bigint; amount: bigint }) => [
    item,
    String(count),
    formatMoney(amount),
  ]
  const { totals } = statement
  return {
    title: 'Totals',
    columns: [
      { name: 'item', kind: 'text' },
      { name: 'count', kind: 'count' },
      { name: 'amount_myr', kind: 'money' },
    ],
    rows: [
      ['opening_balance', '', formatMoney(statement.opening)],
      moved('deposits', totals.deposit),
      moved('adjustments', totals.adjustment),
      moved('payments', totals.payment),
      moved('refunds', totals.refund),
      moved('commissions', totals.commission),
      ['closing_balance', '', formatMoney(statement.closing)],
      ['receipts_face_value', String(receipts.successful), receipts.sales],
      ['receipts_cost', String(receipts.successful), receipts.cost],
      ['receipts_margin', String(receipts.successful), receipts.margin],
      ['not_ended', String(receipts.pending), ''],
    ],
  }
}
