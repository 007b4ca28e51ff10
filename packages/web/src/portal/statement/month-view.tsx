import type { WalletDay, WalletMonth } from '../../api/portal.generated.ts'
import { usePortal } from '../../api/portal.ts'
import { PageLink } from '../../shell/navigation.tsx'
import { dayText, momentOfDay, monthText } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { countText, moneyText } from '../../text/numbers.ts'
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
import { MonthFiles } from './months-view.tsx'
import { SummaryBar } from './summary-bar.tsx'

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
