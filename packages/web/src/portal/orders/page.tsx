import type { PortalOperations } from '../../api/portal.ts'
import { usePortal } from '../../api/portal.ts'
import { choiceOf, DayFilters, filterOf, NoneMatch, SelectFilter, TextFilter } from '../../shell/filters.tsx'
import type { Search } from '../../shell/navigation.tsx'
import { PageLink, useFilters, usePaging } from '../../shell/navigation.tsx'
import { dateTimeText, whenText } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Empty, Loaded } from '../../ui/loaded.tsx'
import { Money } from '../../ui/money.tsx'
import { Panel } from '../../ui/panel.tsx'
import { colourOf } from '../../ui/state.tsx'
import type { Column } from '../../ui/table.tsx'
import { Pager, Table } from '../../ui/table.tsx'
import { namesOf, StateOf, toneOf, useWords } from '../states.ts'
import { OrdersHead } from './head.tsx'
import { ORDERS } from './messages.ts'
import '../payments/payments.css'

const PAGE_ROWS = 50

/** Orders of the checkout, newest first. */
export function Page() {
  const text = useText(ORDERS)
  const [search] = useFilters()
  const paging = usePaging()
  const columns = useOrderColumns()
  const query = orderQuery(search)
  const reading = usePortal(
    'portalListOrders',
    { query: { ...query, limit: PAGE_ROWS } },
    { keepsFormer: true },
  )
  return (
    <>
      <OrdersHead about={text.about} />
      <Panel isFlush>
        <OrderFilters />
        <Loaded reading={reading} bones={6}>
          {({ data, cursor }) =>
            data.length === 0 ? (
              <NoOrders isFiltered={Object.keys(query).length > 0} />
            ) : (
              <>
                <Table
                  caption={text.caption}
                  columns={columns}
                  rows={data}
                  rowKey={({ order_id: id }) => id}
                  linkTo={({ order_id: id }) => ({ to: `/portal/orders/${id}` })}
                />
                <Pager onNewer={paging.onNewer} onOlder={paging.olderFrom(cursor)}>
                  {text.shown(data.length)}
                </Pager>
              </>
            )
          }
        </Loaded>
      </Panel>
    </>
  )
}

function OrderFilters() {
  const text = useText(ORDERS)
  const states = useWords('order')
  return (
    <div className="filters ruled">
      <SelectFilter
        name="status"
        label={text.stateFilter}
        options={namesOf('order').map((state) => ({ value: state, label: states[state] }))}
      />
      <DayFilters />
      <TextFilter name="user_id" label={text.user} />
      <TextFilter name="reference" label={text.reference} />
    </div>
  )
}

function NoOrders({ isFiltered }: { isFiltered: boolean }) {
  const text = useText(ORDERS)
  const [, _change] = useFilters()
  if (isFiltered) {
    return (
      <NoneMatch
        icon="sell"
        title={text.noneMatch}
        about={text.noneMatchAbout}
        clear={text.clear}
        filters={NO_FILTERS}
      />
    )
  }
  return (
    <Empty
      icon="sell"
      title={text.none}
      about={text.noneAbout}
      action={
        <PageLink className={buttonClass({ size: 'sm' })} to="/portal/orders/playground">
          {text.toPlayground}
        </PageLink>
      }
    />
  )
}

type OrderRow = PortalOperations['portalListOrders']['answer']['data'][number]

function useOrderColumns(): readonly Column<OrderRow>[] {
  const text = useText(ORDERS)
  const states = useWords('order')
  return [
    {
      key: 'state',
      head: text.state,
      folded: 'shape',
      width: 170,
      cell: ({ status }) => <StateOf kind="order" state={status} />,
    },
    {
      key: 'reference',
      head: text.reference,
      folded: 'name',
      className: 'cut',
      cell: ({ reference }) => <span className="mono">{reference}</span>,
    },
    {
      key: 'user',
      head: text.user,
      folded: 'detail',
      className: 'cut',
      cell: ({ user_id: user }) => user,
    },
    {
      key: 'total',
      head: text.total,
      isRight: true,
      folded: 'amount',
      className: 'nowrap',
      cell: ({ total_amount: total }) => <Money amount={total} />,
    },
    {
      key: 'refund',
      head: text.refund,
      isRight: true,
      rank: 2,
      className: 'nowrap',
      cell: ({ refund_amount: refund }) => <Money amount={refund} />,
    },
    {
      key: 'order',
      head: text.order,
      rank: 3,
      className: 'cut',
      cell: ({ order_id: id }) => <span className="mono sub">{id}</span>,
    },
    {
      key: 'made',
      head: text.made,
      folded: 'time',
      className: 'nowrap',
      cell: ({ created_at: at, status }) => (
        <>
          <span className={`pw ${colourOf(toneOf('order', status))}`}>{states[status]}</span>
          <time className="sub" dateTime={at} title={dateTimeText(at)}>
            {whenText(at)}
          </time>
        </>
      ),
    },
  ]
}

type OrderQuery = NonNullable<PortalOperations['portalListOrders']['query']>

export const NO_FILTERS = {
  status: undefined,
  reference: undefined,
  user_id: undefined,
  from: undefined,
  to: undefined,
  cursor: undefined,
}

/** Filters of the address as the API takes them. Values that cannot be are left out. */
function orderQuery(search: Search): OrderQuery {
  return {
    ...choiceOf(search, 'status', namesOf('order')),
    ...filterOf(search, 'reference', 'user_id', 'from', 'to', 'cursor'),
  }
}
