import type { SalesReport } from '../../api/portal.generated.ts'
import { portal, usePortal } from '../../api/portal.ts'
import { choiceOf, DayFilters, filterOf, SegmentFilter } from '../../shell/filters.tsx'
import { useFilters } from '../../shell/navigation.tsx'
import { useShortcuts } from '../../shell/shortcuts.ts'
import { dayText, isoDayFromToday, momentOfDay } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { countText, moneyText, percentText } from '../../text/numbers.ts'
import { Key, LinkButton } from '../../ui/button.tsx'
import { BarChart } from '../../ui/chart.tsx'
import { download } from '../../ui/download.ts'
import { Empty, Loaded } from '../../ui/loaded.tsx'
import { Figure, Money } from '../../ui/money.tsx'
import { PageHead, Panel } from '../../ui/panel.tsx'
import type { Column } from '../../ui/table.tsx'
import { Table } from '../../ui/table.tsx'
import { PORTAL } from '../messages.ts'
import { changeOf } from './change.ts'
import { REPORTS } from './messages.ts'
import './reports.css'

type Line = SalesReport['lines'][number]

const DIMENSIONS = ['product', 'category', 'hour', 'seller', 'branch', 'till'] as const

/** Sales of some days, beside the days before. */
export function Page() {
  const text = useText(REPORTS)
  const pages = useText(PORTAL)
  const [search] = useFilters()
  const query = { ...choiceOf(search, 'by', DIMENSIONS), ...filterOf(search, 'from', 'to') }
  const reading = usePortal('portalGetReport', { query }, { keepsFormer: true })
  const csv = portal.urlOf('portalExportReport', { query })
  const shown = reading.data?.data
  useShortcuts({ e: () => download(csv) })
  return (
    <>
      <PageHead
        title={pages.reports}
        about={text.about}
        actions={
          <>
            <LinkButton icon="down" href={portal.urlOf('portalExportReportSheet', { query })} download>
              {text.exportXlsx}
            </LinkButton>
            <LinkButton icon="down" href={portal.urlOf('portalPrintReport', { query })} download>
              {text.exportPdf}
            </LinkButton>
            <LinkButton icon="down" href={csv} download>
              {text.exportCsv} <Key>E</Key>
            </LinkButton>
          </>
        }
      />
      <Panel isFlush>
        <div className="filters ruled">
          <SegmentFilter
            name="by"
            label={text.by}
            any={text.dimensions.day}
            options={DIMENSIONS.map((value) => ({ value, label: text.dimensions[value] }))}
          />
          <DayFilters shown={shown} />
        </div>
        <Loaded reading={reading} bones={12}>
          {({ data }) => <Report report={data} />}
        </Loaded>
      </Panel>
    </>
  )
}

function Report({ report }: { report: SalesReport }) {
  const text = useText(REPORTS)
  const columns = useColumns(report)
  const { total, before } = report
  if (total.payments === 0 && total.before.payments === 0) {
    return <Empty icon="scale" title={text.none} about={text.noneAbout} />
  }
  const span = text.comparedWith(dayText(momentOfDay(before.from)), dayText(momentOfDay(before.to)))
  return (
    <>
      <section className="figs" aria-label={span}>
        {(['sales', 'cost', 'margin'] as const).map((name) => (
          <div key={name}>
            <span className="lab">{text[name]}</span>
            <Figure size="s" amount={total[name]} currency="MYR" />
            <small>
              {text.was(moneyText(total.before[name], 'MYR'))} {changeOf(total[name], total.before[name])}
            </small>
          </div>
        ))}
        <div>
          <span className="lab">{text.payments}</span>
          <div className="fig s">{countText(total.payments)}</div>
          <small>{text.was(countText(total.before.payments))}</small>
        </div>
      </section>
      <p className="report-span">
        {span}. {text.marginAbout}
      </p>
      <SalesChart report={report} />
      <div className="scroll-x">
        <Table
          caption={text.caption(text.dimensions[report.by])}
          columns={columns}
          rows={report.lines}
          rowKey={({ key }) => key}
        />
      </div>
    </>
  )
}

/** Sales in the order of time; others have no order that a chart could show. The table below has every figure. */
function SalesChart({ report: { by, lines } }: { report: SalesReport }) {
  const text = useText(REPORTS)
  const today = isoDayFromToday(0)
  if ((by !== 'day' && by !== 'hour') || lines.length < 2) return null
  const points = lines.map(({ key, sales }) => ({
    label: by === 'day' ? dayText(momentOfDay(key)) : hourText(key),
    value: Number(sales),
    text: moneyText(sales, 'MYR'),
    isOpen: by === 'day' && key === today,
  }))
  const every = Math.ceil(points.length / 6)
  const label = text.chart(by === 'day' ? text.dayWord : text.hourWord)
  return (
    <figure className="report-chart">
      <figcaption className="lab">{label}</figcaption>
      <BarChart
        label={label}
        points={points}
        ticks={points.flatMap((point, at) => (at % every === 0 ? [{ at, text: point.label }] : []))}
        axisText={(value) => countText(value)}
      />
    </figure>
  )
}

/** 09:00–10:00 */
function hourText(hour: string): string {
  const two = (value: number) => String(value).padStart(2, '0')
  return `${two(Number(hour))}:00–${two(Number(hour) + 1)}:00`
}

function useNameOf(by: SalesReport['by']): (line: Line) => string {
  const text = useText(REPORTS)
  return ({ key, name }) => {
    if (by === 'day') return dayText(momentOfDay(key))
    if (by === 'hour') return hourText(key)
    if (by === 'seller' && key === 'orders') return text.orders
    if (by === 'category' && key === '') return text.unknownCategory
    if ((by === 'branch' || by === 'till') && key === '') return text.outside
    return name ?? (by === 'seller' ? text.someone(key) : key)
  }
}

function useColumns({ by }: SalesReport): readonly Column<Line>[] {
  const text = useText(REPORTS)
  const nameOf = useNameOf(by)
  return [
    {
      key: 'name',
      head: text.dimensions[by],
      folded: 'name',
      cell: (line) => nameOf(line),
    },
    {
      key: 'payments',
      head: text.payments,
      isRight: true,
      folded: 'detail',
      cell: ({ payments }) => (
        <>
          <span className="pw">{text.payments}</span>
          {countText(payments)}
        </>
      ),
    },
    {
      key: 'rate',
      head: text.successRate,
      isRight: true,
      rank: 3,
      cell: ({ success_rate: rate }) => (rate === null ? '–' : `${percentText(rate)}%`),
    },
    {
      key: 'sales',
      head: text.sales,
      isRight: true,
      folded: 'amount',
      cell: ({ sales }) => <Money amount={sales} alignTo={2} />,
    },
    {
      key: 'cost',
      head: text.cost,
      isRight: true,
      rank: 2,
      cell: ({ cost }) => <Money amount={cost} alignTo={2} />,
    },
    {
      key: 'margin',
      head: text.margin,
      isRight: true,
      cell: ({ margin }) => <Money amount={margin} alignTo={2} />,
    },
    {
      key: 'before',
      head: text.before,
      isRight: true,
      rank: 2,
      cell: ({ before }) => <Money amount={before.sales} alignTo={2} />,
    },
    {
      key: 'change',
      head: text.change,
      isRight: true,
      folded: 'time',
      cell: ({ sales, before }) => <span className="sub">{changeOf(sales, before.sales)}</span>,
    },
  ]
}
