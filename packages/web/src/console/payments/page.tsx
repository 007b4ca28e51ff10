import { useEffect, useRef } from 'react'
import type { ResellerPayment } from '../../api/operator.generated.ts'
import { useOperator } from '../../api/operator.ts'
import { useFilters } from '../../shell/navigation.tsx'
import { usePaging } from '../../shell/paging.ts'
import { useText } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { Empty, Loaded } from '../../ui/loaded.tsx'
import { Pager } from '../../ui/pager.tsx'
import { PageHead, Panel } from '../../ui/panel.tsx'
import { Table } from '../../ui/table.tsx'
import { CONSOLE } from '../messages.ts'
import { usePaymentColumns } from './columns.tsx'
import { NO_FILTERS, searchQuery } from './filters.ts'
import { PAYMENTS } from './messages.ts'
import { SearchForm } from './search-form.tsx'
import { PaymentTabs } from './tabs.tsx'
import './payments.css'

const PAGE_ROWS = 50

/** Page that searches the payments of all resellers. */
export function Page() {
  const text = useText(PAYMENTS)
  const pages = useText(CONSOLE)
  const [search, change] = useFilters()
  const paging = usePaging()
  const query = searchQuery(search)
  const reading = useOperator(
    'searchPayments',
    { query: { ...query, limit: PAGE_ROWS } },
    { keepsFormer: true },
  )
  return (
    <>
      <PageHead
        title={pages.payments}
        about={text.about}
        actions={<span className="live">{text.live}</span>}
      />
      <PaymentTabs current="search" />
      <Panel isFlush className="payments">
        <SearchForm />
        <Loaded
          reading={reading}
          bones={12}
          empty={
            <Empty
              icon="payments"
              title={text.none}
              about={text.noneAbout}
              action={
                <Button size="sm" onClick={() => change(NO_FILTERS)}>
                  {text.clear}
                </Button>
              }
            />
          }
        >
          {({ data, ...around }) => (
            <>
              <Rows rows={data} />
              <Pager
                onNewer={paging.onNewer}
                onOlder={around.has_more ? paging.olderFrom(around.cursor) : undefined}
              >
                {text.shown(data.length)}
              </Pager>
            </>
          )}
        </Loaded>
      </Panel>
    </>
  )
}

function Rows({ rows }: { rows: readonly ResellerPayment[] }) {
  const text = useText(PAYMENTS)
  const columns = usePaymentColumns()
  const known = useRef<ReadonlySet<string> | undefined>(undefined)
  const former = known.current
  useEffect(() => {
    known.current = new Set(rows.map(({ id }) => id))
  }, [rows])
  return (
    <Table
      caption={text.caption}
      columns={columns}
      rows={rows}
      rowKey={({ id }) => id}
      linkTo={({ id }) => ({ to: `/operator/payments/${id}` })}
      rowClass={({ id }) => (former !== undefined && !former.has(id) ? 'is-new' : undefined)}
    />
  )
}
