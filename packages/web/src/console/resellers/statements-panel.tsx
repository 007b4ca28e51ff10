import type { Reseller, WalletDay, WalletMonth } from '../../api/operator.generated.ts'
import { operator, useOperator } from '../../api/operator.ts'
import { useFilters } from '../../shell/navigation.tsx'
import { dayText, isoDayFromToday, momentOfDay } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { LinkButton } from '../../ui/button.tsx'
import { Empty, Loaded } from '../../ui/loaded.tsx'
import { Money } from '../../ui/money.tsx'
import { Panel } from '../../ui/panel.tsx'
import { State } from '../../ui/state.tsx'
import type { Column } from '../../ui/table.tsx'
import { Table } from '../../ui/table.tsx'
import { FilterLine } from '../parts/filters.tsx'
import { useMay } from '../roles.ts'
import { ReconcilePanel } from './reconcile-panel.tsx'
import { WALLET } from './wallet-messages.ts'

const KINDS = ['deposit', 'adjustment', 'payment', 'refund', 'commission'] as const
const MONTH = /^\d{4}-\d{2}$/

/** Month statements of a reseller, and the comparison with its own books. */
export function StatementsPanel({ reseller }: { reseller: Reseller }) {
  const text = useText(WALLET)
  const may = useMay()
  const [search, change] = useFilters()
  const current = isoDayFromToday(0).slice(0, 7)
  const month = MONTH.test(search.month ?? '') ? (search.month ?? current) : current
  const input = { params: { account: reseller.account }, query: { month } }
  const reading = useOperator('listResellerDays', input, { keepsFormer: true })
  return (
    <div className="grid">
      <Panel
        isFlush
        title={text.statement}
        actions={
          <>
            <LinkButton size="sm" icon="down" href={operator.urlOf('exportResellerMonth', input)} download>
              {text.csv}
            </LinkButton>
            <LinkButton size="sm" icon="down" href={operator.urlOf('printResellerMonth', input)} download>
              {text.pdf}
            </LinkButton>
          </>
        }
      >
        <FilterLine>
          <label className="chip">
            <span className="sub">{text.month}</span>
            <input
              type="month"
              max={current}
              value={month}
              onChange={(event) => change({ month: event.target.value })}
            />
          </label>
        </FilterLine>
        <Loaded reading={reading} bones={6}>
          {({ data }) => <Month month={data} />}
        </Loaded>
      </Panel>
      {may('money.compare') ? <ReconcilePanel account={reseller.account} month={month} /> : null}
    </div>
  )
}

function Month({ month }: { month: WalletMonth }) {
  const text = useText(WALLET)
  const columns = useDayColumns()
  return (
    <>
      <div className="month-sums">
        <div>
          <small>{text.opening}</small>
          <b>
            <Money amount={month.opening} currency="MYR" />
          </b>
        </div>
        {KINDS.map((kind) => (
          <div key={kind}>
            <small>
              {text.kinds[kind]}, {text.times(month.totals[kind].count)}
            </small>
            <b>
              <Money amount={month.totals[kind].amount} currency="MYR" />
            </b>
          </div>
        ))}
        <div>
          <small>{text.closing}</small>
          <b>
            <Money amount={month.closing} currency="MYR" />
          </b>
          <div>
            <ClosedState isClosed={month.is_closed} />
          </div>
        </div>
      </div>
      {month.days.length === 0 ? (
        <Empty icon="statement" title={text.noDays} />
      ) : (
        <Table caption={text.daysCaption} columns={columns} rows={month.days} rowKey={({ day }) => day} />
      )}
    </>
  )
}

function ClosedState({ isClosed }: { isClosed: boolean }) {
  const text = useText(WALLET)
  return <State tone={isClosed ? 'ok' : 'wait'}>{isClosed ? text.closed : text.open}</State>
}

function useDayColumns(): readonly Column<WalletDay>[] {
  const text = useText(WALLET)
  return [
    {
      key: 'day',
      head: text.day,
      folded: 'name',
      className: 'nowrap',
      cell: ({ day }) => dayText(momentOfDay(day)),
    },
    {
      key: 'opening',
      head: `${text.opening}, MYR`,
      isRight: true,
      rank: 2,
      cell: ({ opening }) => <Money amount={opening} alignTo={4} />,
    },
    ...KINDS.map((kind) => ({
      key: kind,
      head: text.kinds[kind],
      isRight: true,
      cell: ({ movements }: WalletDay) =>
        movements[kind].count === 0 ? (
          <span className="sub">–</span>
        ) : (
          <>
            <span className="pw">{text.kinds[kind]}</span>
            <Money amount={movements[kind].amount} alignTo={4} />
          </>
        ),
      ...(kind === 'payment' ? { folded: 'detail' as const } : {}),
      ...(kind === 'adjustment' || kind === 'commission' ? { rank: 2 as const } : {}),
    })),
    {
      key: 'closing',
      head: `${text.closing}, MYR`,
      isRight: true,
      folded: 'amount',
      cell: ({ closing }) => <Money amount={closing} alignTo={4} />,
    },
    {
      key: 'state',
      head: text.state,
      folded: 'shape',
      cell: ({ closed_at: at }) => <ClosedState isClosed={at !== null} />,
    },
  ]
}
