import { usePortal } from '../../api/portal.ts'
import { PageLink, useFilters } from '../../shell/navigation.tsx'
import { usePaging } from '../../shell/paging.ts'
import { useText } from '../../text/language.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Empty, Loaded } from '../../ui/loaded.tsx'
import { Pager } from '../../ui/pager.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Table } from '../../ui/table.tsx'
import { DateChip, TextChip } from '../developers/filter-chips.tsx'
import { namesOf, useWords } from '../states.ts'
import { useOrderColumns } from './columns.tsx'
import { NO_FILTERS, orderQuery } from './filters.ts'
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
  const [search, change] = useFilters()
  return (
    <div className="filters ruled">
      <label className={`chip${search.status === undefined ? '' : ' on'}`}>
        <span className="sub">{text.stateFilter}</span>
        <select
          value={search.status ?? ''}
          onChange={(event) => change({ status: event.target.value, cursor: undefined })}
        >
          <option value="">{text.all}</option>
          {namesOf('order').map((state) => (
            <option key={state} value={state}>
              {states[state]}
            </option>
          ))}
        </select>
      </label>
      <DateChip name="from" label={text.from} />
      <DateChip name="to" label={text.to} />
      <TextChip name="user_id" label={text.user} />
      <TextChip name="reference" label={text.reference} />
    </div>
  )
}

function NoOrders({ isFiltered }: { isFiltered: boolean }) {
  const text = useText(ORDERS)
  const [, change] = useFilters()
  if (isFiltered) {
    return (
      <Empty
        icon="sell"
        title={text.noneMatch}
        about={text.noneMatchAbout}
        action={
          <Button size="sm" onClick={() => change(NO_FILTERS)}>
            {text.clear}
          </Button>
        }
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
