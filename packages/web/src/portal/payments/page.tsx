import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useLive } from '../../api/live.ts'
import type { PortalPayment } from '../../api/portal.generated.ts'
import { portal, portalKey, usePortal } from '../../api/portal.ts'
import { useFilters, useGo } from '../../shell/navigation.tsx'
import { useText } from '../../text/language.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Empty, Loaded } from '../../ui/loaded.tsx'
import { Pager } from '../../ui/pager.tsx'
import { PageHead, Panel } from '../../ui/panel.tsx'
import { Table } from '../../ui/table.tsx'
import { PORTAL } from '../messages.ts'
import { usePaymentColumns } from './columns.tsx'
import { FilterBar } from './filter-bar.tsx'
import { cursorQuery, filterQuery } from './filters.ts'
import { PAYMENTS } from './messages.ts'
import { TotalsBar } from './totals-bar.tsx'
import './payments.css'

const PAGE_ROWS = 50

/** Which payment is the customer asking about. */
export function Page() {
  const text = useText(PAYMENTS)
  const pages = useText(PORTAL)
  const [search, change] = useFilters()
  const query = filterQuery(search)
  const isFirstPage = search.cursor === undefined
  const reading = usePortal(
    'portalListPayments',
    { query: { ...query, ...cursorQuery(search), limit: PAGE_ROWS } },
    { keepsFormer: true },
  )
  const fresh = useFreshRows(isFirstPage)
  return (
    <>
      <PageHead
        title={pages.payments}
        about={text.about}
        actions={
          <>
            <span className="live">
              {text.live}
              {fresh.waiting > 0 ? `, ${text.newRows(fresh.waiting)}` : null}
            </span>
            {fresh.waiting > 0 ? <Button onClick={fresh.show}>{text.showNew}</Button> : null}
            <LinkButton icon="down" href={portal.urlOf('portalExportPayments', { query })} download>
              {text.exportCsv}
            </LinkButton>
          </>
        }
      />
      <Panel isFlush className="payments">
        <FilterBar />
        <TotalsBar />
        <Loaded reading={reading} bones={12}>
          {({ data, cursor, has_more: hasMore }) =>
            data.length === 0 ? (
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
            ) : (
              <>
                <Rows rows={data} />
                <Pager
                  onNewer={isFirstPage ? undefined : () => history.back()}
                  onOlder={hasMore && cursor !== null ? () => change({ cursor }) : undefined}
                >
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

const NO_FILTERS = {
  status: undefined,
  product: undefined,
  account: undefined,
  refid: undefined,
  from: undefined,
  to: undefined,
  cursor: undefined,
}

function Rows({ rows }: { rows: readonly PortalPayment[] }) {
  const text = useText(PAYMENTS)
  const go = useGo()
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
      onOpen={({ id }) => go(`/portal/payments/${id}`)}
      rowClass={({ id }) => (former !== undefined && !former.has(id) ? 'is-new' : undefined)}
    />
  )
}

/** New payments come in by themselves at the top of the first page; after scrolling they wait behind a button. */
function useFreshRows(isFirstPage: boolean) {
  const client = useQueryClient()
  const [waiting, setWaiting] = useState(0)
  const show = () => {
    setWaiting(0)
    scrollTo({ top: 0 })
    void client.invalidateQueries({ queryKey: portalKey('portalListPayments') })
    void client.invalidateQueries({ queryKey: portalKey('portalSumPayments') })
  }
  useLive(['payment', 'payments'], () => {
    if (isFirstPage && scrollY < SCROLLED_PX) show()
    else setWaiting((count) => count + 1)
  })
  return { waiting, show }
}

const SCROLLED_PX = 200
