import type { PortalListMonthsResponse } from '../../api/portal.generated.ts'
import { portal, usePortal } from '../../api/portal.ts'
import { useFilters } from '../../shell/navigation.tsx'
import { isoDayFromToday, momentOfDay, monthText } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Empty, Loaded } from '../../ui/loaded.tsx'
import { Money } from '../../ui/money.tsx'
import { PageHead, Panel } from '../../ui/panel.tsx'
import type { Column } from '../../ui/table.tsx'
import { Table } from '../../ui/table.tsx'
import { PORTAL } from '../messages.ts'
import { STATEMENT } from './messages.ts'
import { StatementTabs } from './tabs.tsx'

type MonthSummary = PortalListMonthsResponse['data'][number]

const MONTHS = 12
const MONTHS_MAX = 36

/** Movements of each month in the wallet, with its statement as a file. */
export function MonthsView() {
  const text = useText(STATEMENT)
  const pages = useText(PORTAL)
  const [search, change] = useFilters()
  const columns = useMonthColumns()
  const isLong = search.months === String(MONTHS_MAX)
  const reading = usePortal(
    'portalListMonths',
    { query: { months: isLong ? MONTHS_MAX : MONTHS } },
    { keepsFormer: true },
  )
  return (
    <>
      <PageHead title={pages.statement} about={text.monthsAbout} />
      <StatementTabs current="months" />
      <Panel isFlush>
        <Loaded reading={reading} bones={12}>
          {({ data }) => {
            const months = fromFirstUsed(data)
            return months.length === 0 ? (
              <Empty icon="statement" title={text.noMonths} about={text.noMonthsAbout} />
            ) : (
              <div className="scroll-x">
                <Table
                  caption={text.monthsCaption}
                  columns={columns}
                  rows={months}
                  rowKey={({ month }) => month}
                  linkTo={({ month }) => ({ to: '/portal/statement', search: { view: 'months', month } })}
                />
              </div>
            )
          }}
        </Loaded>
        <div className="foot-row">
          <span>{text.inFile}</span>
          <Button
            size="sm"
            className="push"
            onClick={() => change({ months: isLong ? undefined : String(MONTHS_MAX) })}
          >
            {isLong ? text.fewerMonths : text.moreMonths}
          </Button>
        </div>
      </Panel>
    </>
  )
}

/** Leaves out the months before the wallet's first entry. The newest month comes first. */
function fromFirstUsed(months: readonly MonthSummary[]): readonly MonthSummary[] {
  const isQuiet = ({ deposits, payments, refunds, commissions }: MonthSummary) =>
    [deposits, payments, refunds, commissions].every(({ count }) => count === 0)
  const first = months.findLastIndex((month) => !isQuiet(month) || Number(month.opening) !== 0)
  return months.slice(0, first + 1)
}

function useMonthColumns(): readonly Column<MonthSummary>[] {
  const text = useText(STATEMENT)
  const present = isoDayFromToday(0).slice(0, 'yyyy-MM'.length)
  const amount = (key: keyof MonthSummary & string, head: string, of: (month: MonthSummary) => string) =>
    ({
      key,
      head,
      isRight: true,
      className: 'sum-cell',
      cell: (month: MonthSummary) => <Money amount={of(month)} alignTo={2} />,
    }) as const
  return [
    {
      key: 'month',
      head: text.month,
      folded: 'name',
      className: 'nowrap',
      cell: ({ month }) => (
        <>
          <span className="link">{monthText(momentOfDay(`${month}-01`))}</span>{' '}
          {month === present ? <span className="sub">{text.soFar}</span> : null}
        </>
      ),
    },
    // Amounts have no rank: whatever the width, those that are shown add up from opening to closing.
    amount('opening', text.openingMyr, ({ opening }) => opening),
    amount('deposits', text.types.deposit, ({ deposits }) => deposits.amount),
    amount('payments', text.types.payment, ({ payments }) => payments.amount),
    amount('refunds', text.types.refund, ({ refunds }) => refunds.amount),
    amount('commissions', text.types.commission, ({ commissions }) => commissions.amount),
    { ...amount('closing', text.closingMyr, ({ closing }) => closing), folded: 'amount' },
    {
      key: 'files',
      head: text.file,
      isRight: true,
      rank: 2,
      folded: 'detail',
      className: 'files',
      cell: ({ month }) => <MonthFiles month={month} size="sm" />,
    },
  ]
}

/** Statement of a month as a file. */
export function MonthFiles({ month, size }: { month: string; size?: 'sm' }) {
  const text = useText(STATEMENT)
  const name = monthText(momentOfDay(`${month}-01`))
  const look = size === undefined ? {} : ({ size, look: 'quiet' } as const)
  return (
    <>
      <LinkButton
        {...look}
        icon="down"
        href={portal.urlOf('portalExportMonth', { query: { month } })}
        aria-label={text.csvOf(name)}
        download
      >
        {text.csv}
      </LinkButton>
      <LinkButton
        {...look}
        icon="down"
        href={portal.urlOf('portalPrintMonth', { query: { month } })}
        aria-label={text.pdfOf(name)}
        download
      >
        {text.pdf}
      </LinkButton>
    </>
  )
}
