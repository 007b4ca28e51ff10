import { useEffect, useRef } from 'react'
import { useLiveState } from '../../api/live.ts'
import type { PortalPayment } from '../../api/portal.generated.ts'
import { portal, usePortal } from '../../api/portal.ts'
import { useFilters } from '../../shell/navigation.tsx'
import { usePaging } from '../../shell/paging.ts'
import { useShortcuts } from '../../shell/shortcuts.ts'
import { useText } from '../../text/language.ts'
import { Button, Key, LinkButton } from '../../ui/button.tsx'
import { download } from '../../ui/download.ts'
import { Empty, Loaded } from '../../ui/loaded.tsx'
import { Pager } from '../../ui/pager.tsx'
import { PageHead, Panel } from '../../ui/panel.tsx'
import { Table } from '../../ui/table.tsx'
import { PORTAL } from '../messages.ts'
import { usePaymentColumns } from './columns.tsx'
import { FilterBar } from './filter-bar.tsx'
import { cursorQuery, filterQuery } from './filters.ts'
import { useFreshRows } from './fresh-rows.ts'
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
  const paging = usePaging()
  const file = portal.urlOf('portalExportPayments', { query })
  const reading = usePortal(
    'portalListPayments',
    { query: { ...query, ...cursorQuery(search), limit: PAGE_ROWS } },
    { keepsFormer: true },
  )
  const fresh = useFreshRows(paging, reading.data?.data ?? [])
  const isLive = useLiveState() === 'live'
  useShortcuts({ e: () => download(file) })
  return (
    <>
      <PageHead
        title={pages.payments}
        about={text.about}
        actions={
          <>
            <span className={isLive ? 'live' : 'live is-off'}>
              {isLive ? text.live : text.notLive}
              {fresh.waiting > 0 ? `, ${text.newRows(fresh.waiting)}` : null}
            </span>
            {fresh.waiting > 0 ? <Button onClick={fresh.show}>{text.showNew}</Button> : null}
            <LinkButton icon="down" href={file} download>
              {text.exportCsv} <Key>E</Key>
            </LinkButton>
          </>
        }
      />
      <Panel isFlush className="payments">
        <FilterBar />
        <TotalsBar />
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
          {({ data, cursor }) => (
            <>
              <Rows rows={data} />
              <Pager onNewer={paging.onNewer} onOlder={paging.olderFrom(cursor)}>
                {text.shown(data.length)}
              </Pager>
            </>
          )}
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
      linkTo={({ id }) => ({ to: `/portal/payments/${id}` })}
      rowClass={({ id }) => (former !== undefined && !former.has(id) ? 'is-new' : undefined)}
    />
  )
}
