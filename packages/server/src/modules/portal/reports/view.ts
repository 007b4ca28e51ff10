import type { DataTable } from '../../../http/streams/tables.ts'
import { formatDay } from '../../../lib/dates.ts'
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
