import type { PortalListMonthsResponse, WalletDay, WalletMonth } from '../../api/portal.generated.ts'
import { portal, usePortal } from '../../api/portal.ts'
import { PageLink, useFilters } from '../../shell/navigation.tsx'
import { dayText, isoDayFromToday, momentOfDay, monthText } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { countText, moneyText } from '../../text/numbers.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { BarChart, TwinTable, useTwin } from '../../ui/chart.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Empty, Loaded } from '../../ui/loaded.tsx'
import { Money } from '../../ui/money.tsx'
import { PageHead, Panel } from '../../ui/panel.tsx'
import { Note, State } from '../../ui/state.tsx'
import type { Column } from '../../ui/table.tsx'
import { Table } from '../../ui/table.tsx'
import { PORTAL } from '../messages.ts'
import { STATEMENT } from './messages.ts'
import { StatementTabs, SummaryBar } from './parts.tsx'

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

/** Statement of a month as files, and everything that closes the month. */
function MonthFiles({ month, size }: { month: string; size?: 'sm' }) {
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
      <LinkButton
        {...look}
        icon="down"
        href={portal.urlOf('portalPackMonth', { query: { month } })}
        aria-label={text.packOf(name)}
        download
      >
        {text.pack}
      </LinkButton>
    </>
  )
}

/** One month day by day: what it opened with, what moved, what it closed with. */
export function MonthView({ month }: { month: string }) {
  const text = useText(STATEMENT)
  const pages = useText(PORTAL)
  const reading = usePortal('portalListDays', { query: { month } })
  const name = monthText(momentOfDay(`${month}-01`))
  return (
    <>
      <PageHead
        crumbs={
          <>
            <PageLink to="/portal/statement">{pages.statement}</PageLink>
            <Icon name="chevronRight" small />
            <PageLink to="/portal/statement" search={{ view: 'months' }}>
              {text.months}
            </PageLink>
            <Icon name="chevronRight" small />
            <span>{name}</span>
          </>
        }
        title={name}
        about={text.inFile}
        actions={<MonthFiles month={month} />}
      />
      <Loaded reading={reading} bones={12}>
        {({ data }) => <Month month={data} name={name} />}
      </Loaded>
    </>
  )
}

function Month({ month, name }: { month: WalletMonth; name: string }) {
  const text = useText(STATEMENT)
  const columns = useDayColumns()
  const { totals } = month
  return (
    <div className="grid">
      <Panel isFlush>
        <SummaryBar
          label={text.totals}
          opening={month.opening}
          closing={month.closing}
          lines={[
            { label: text.types.deposit, total: totals.deposit },
            { label: text.kinds.adjustment, total: totals.adjustment },
            { label: text.types.payment, total: totals.payment },
            { label: text.types.refund, total: totals.refund },
            { label: text.types.commission, total: totals.commission },
          ]}
        />
        {month.days.length === 0 ? (
          <Empty icon="statement" title={text.noDays} about={text.noDaysAbout} />
        ) : (
          <PaymentsChart month={month} name={name} />
        )}
      </Panel>
      {month.days.length === 0 ? null : (
        <Panel isFlush title={text.days} about={text.daysAbout}>
          <div className="scroll-x">
            <Table
              caption={text.daysCaption(name)}
              columns={columns}
              rows={month.days}
              rowKey={({ day }) => day}
            />
          </div>
        </Panel>
      )}
    </div>
  )
}

/** Payments of each day as bars. Amounts are below zero in the ledger; a bar shows how much was taken. */
function PaymentsChart({ month, name }: { month: WalletMonth; name: string }) {
  const text = useText(STATEMENT)
  const twin = useTwin()
  const points = month.days.map(({ day, movements: { payment }, closed_at: closedAt }) => ({
    label: dayText(momentOfDay(day)),
    value: Math.abs(Number(payment.amount)),
    text: moneyText(payment.amount, 'MYR'),
    isOpen: closedAt === null,
  }))
  const ticks = [0, points.length - 1].map((at) => ({ at, text: points[at]?.label ?? '' }))
  return (
    <div className="month-chart">
      <figure>
        <figcaption className="lab">{text.byDay}</figcaption>
        {twin.isTable ? (
          <TwinTable
            caption={text.chart(name)}
            heads={[text.day, text.types.payment]}
            rows={points.map((point) => [point.label, point.text])}
          />
        ) : (
          <BarChart
            label={text.chart(name)}
            points={points}
            ticks={points.length > 1 ? ticks : ticks.slice(0, 1)}
            axisText={(value) => countText(value)}
          />
        )}
      </figure>
      <div className="stack tight">
        {twin.button}
        <Note tone={month.is_closed ? 'ok' : 'info'}>
          {month.is_closed ? text.monthClosed : text.monthOpen}
        </Note>
      </div>
    </div>
  )
}

function useDayColumns(): readonly Column<WalletDay>[] {
  const text = useText(STATEMENT)
  const movement = (kind: keyof WalletDay['movements'], head: string) =>
    ({
      key: kind,
      head,
      isRight: true,
      className: 'sum-cell',
      cell: ({ movements }: WalletDay) =>
        movements[kind].count === 0 ? (
          <span className="sub">–</span>
        ) : (
          <>
            <span className="pw">{head}</span>
            <Money amount={movements[kind].amount} alignTo={2} />
          </>
        ),
    }) as const
  return [
    {
      key: 'day',
      head: text.day,
      folded: 'name',
      className: 'nowrap',
      cell: ({ day }) => (
        <PageLink className="link" to="/portal/statement" search={{ from: day, to: day }}>
          {dayText(momentOfDay(day))}
        </PageLink>
      ),
    },
    // Amounts have no rank: whatever the width, those that are shown add up from opening to closing.
    {
      key: 'opening',
      head: text.openingMyr,
      isRight: true,
      className: 'sum-cell',
      cell: ({ opening }) => <Money amount={opening} alignTo={2} />,
    },
    movement('deposit', text.types.deposit),
    movement('adjustment', text.kinds.adjustment),
    { ...movement('payment', text.types.payment), folded: 'detail' },
    movement('refund', text.types.refund),
    movement('commission', text.types.commission),
    {
      key: 'closing',
      head: text.closingMyr,
      isRight: true,
      folded: 'amount',
      className: 'sum-cell',
      cell: ({ closing }) => (
        <>
          <span className="pw">{text.balanceWord}</span>
          <Money amount={closing} alignTo={2} />
        </>
      ),
    },
    {
      key: 'closed',
      head: text.closedHead,
      rank: 3,
      folded: 'shape',
      cell: ({ closed_at: at }) =>
        at === null ? <State tone="wait">{text.notClosed}</State> : <State tone="ok">{text.closed}</State>,
    },
  ]
}
