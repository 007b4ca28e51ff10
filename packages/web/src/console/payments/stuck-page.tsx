import type { StuckPayment } from '../../api/operator.generated.ts'
import { useOperator } from '../../api/operator.ts'
import { PageLink } from '../../shell/navigation.tsx'
import { whenText } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Empty, Loaded } from '../../ui/loaded.tsx'
import { Money } from '../../ui/money.tsx'
import { PageHead, Panel } from '../../ui/panel.tsx'
import { State } from '../../ui/state.tsx'
import type { Column } from '../../ui/table.tsx'
import { Table } from '../../ui/table.tsx'
import { CONSOLE } from '../messages.ts'
import { useMay } from '../roles.ts'
import { ageText } from './columns.tsx'
import { PAYMENTS } from './messages.ts'
import { PaymentTabs } from './tabs.tsx'
import './payments.css'

const ROWS_MAX = 500

/** Payments that only a person can end. */
export function Page() {
  const text = useText(PAYMENTS)
  const pages = useText(CONSOLE)
  const reading = useOperator('listStuckPayments', { query: { limit: ROWS_MAX } })
  return (
    <>
      <PageHead
        title={pages.payments}
        about={text.stuckAbout}
        actions={<span className="live">{text.live}</span>}
      />
      <PaymentTabs current="stuck" />
      <Panel isFlush className="payments">
        <Loaded
          reading={reading}
          bones={8}
          empty={<Empty icon="check" title={text.stuckNone} about={text.stuckNoneAbout} />}
        >
          {({ data, has_more: hasMore }) => (
            <>
              <StuckTable payments={data} />
              <div className="foot-row">
                <span>
                  {text.stuckShown(data.length)} {hasMore ? text.stuckMore : null}
                </span>
              </div>
            </>
          )}
        </Loaded>
      </Panel>
    </>
  )
}

const LONG_MS = 3_600_000

/** Stuck payments with their age, the longest past due first. */
export function StuckTable({ payments }: { payments: readonly StuckPayment[] }) {
  const text = useText(PAYMENTS)
  const may = useMay()
  const columns: Column<StuckPayment>[] = [
    {
      key: 'age',
      head: text.age,
      folded: 'shape',
      cell: ({ due_at: due }) => (
        <State tone={Date.now() - Date.parse(due) >= LONG_MS ? 'critical' : 'wait'}>{ageText(due)}</State>
      ),
    },
    {
      key: 'reseller',
      head: text.reseller,
      folded: 'detail',
      cell: ({ reseller, reseller_name: name }) => (
        <div className="who2">
          <span className="mid-weight">{name}</span>
          <small className="wide-only">{reseller}</small>
        </div>
      ),
    },
    {
      key: 'payment',
      head: text.payment,
      folded: 'name',
      cell: ({ product, refid }) => (
        <div className="who2">
          <span>{product}</span>
          <small className="mono cut wide-only">{refid}</small>
        </div>
      ),
    },
    {
      key: 'cost',
      head: text.held,
      isRight: true,
      folded: 'amount',
      cell: ({ cost }) => <Money amount={cost} currency="MYR" />,
    },
    {
      key: 'phone-age',
      head: <span className="hide">{text.age}</span>,
      folded: 'time',
      className: 'phone-only',
      cell: ({ due_at: due }) => ageText(due),
    },
    {
      key: 'provider',
      head: text.provider,
      rank: 2,
      cell: ({ provider, questions, next_at: next }) => (
        <div className="who2">
          <span className="mono">{provider}</span>
          <small>{text.asked(questions, whenText(next))}</small>
        </div>
      ),
    },
    {
      key: 'act',
      head: <span className="hide">{text.act}</span>,
      className: 'doing',
      cell: ({ id }) => (
        <PageLink className={buttonClass({ size: 'sm' })} to={`/operator/payments/${id}`}>
          {may('payments.resolve') ? text.resolve : text.look}
        </PageLink>
      ),
    },
  ]
  return (
    <Table
      caption={text.stuckCaption}
      columns={columns}
      rows={payments}
      rowKey={({ id }) => id}
      linkTo={({ id }) => ({ to: `/operator/payments/${id}` })}
    />
  )
}
