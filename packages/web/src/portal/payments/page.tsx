import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useLive, useLiveState } from '../../api/live.ts'
import type {
  LivePaymentMessage,
  LivePaymentsMessage,
  PaymentLine,
  PortalPayment,
} from '../../api/portal.generated.ts'
import { portal, portalKey, usePortal } from '../../api/portal.ts'
import { useRenewal } from '../../api/renewal.ts'
import { filterOf, NoneMatch } from '../../shell/filters.tsx'
import type { Paging } from '../../shell/navigation.tsx'
import { useFilters, usePaging } from '../../shell/navigation.tsx'
import { useShortcuts } from '../../shell/shortcuts.ts'
import { useText } from '../../text/language.ts'
import { Button, Key, LinkButton } from '../../ui/button.tsx'
import { download } from '../../ui/download.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { PageHead, Panel } from '../../ui/panel.tsx'
import type { Column } from '../../ui/table.tsx'
import { Pager, Table } from '../../ui/table.tsx'
import { PORTAL } from '../messages.ts'
import { useMay } from '../session.ts'
import { useChosenColumns } from './chosen-columns.tsx'
import { useFurtherColumns, usePaymentColumns } from './columns.tsx'
import { FilterBar, filterQuery, TotalsBar } from './filter-bar.tsx'
import { PAYMENTS } from './messages.ts'
import { SavedFilters } from './saved-filters.tsx'
import type { Selection } from './selection.tsx'
import { NOTHING_CHOSEN, SelectionBar, useChoiceColumn } from './selection.tsx'
import './payments.css'

const PAGE_ROWS = 50

/** Which payment is the customer asking about. */
export function Page() {
  const text = useText(PAYMENTS)
  const pages = useText(PORTAL)
  const [search, _change] = useFilters()
  const query = filterQuery(search)
  const paging = usePaging()
  const file = portal.urlOf('portalExportPayments', { query })
  const reading = usePortal(
    'portalListPayments',
    { query: { ...query, ...filterOf(search, 'cursor'), limit: PAGE_ROWS } },
    { keepsFormer: true },
  )
  const fresh = useFreshRows(paging, reading.data?.data ?? [])
  const { columns, choice } = useChosenColumns([...usePaymentColumns(), ...useFurtherColumns()])
  const [chosen, setChosen] = useState(NOTHING_CHOSEN)
  const isLive = useLiveState() === 'live'
  const mayExport = useMay('payments.read')
  useShortcuts(mayExport ? { e: () => download(file) } : {})
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
            {mayExport ? (
              <LinkButton icon="down" href={file} download>
                {text.exportCsv} <Key>E</Key>
              </LinkButton>
            ) : null}
          </>
        }
      />
      <Panel isFlush className="payments">
        <FilterBar>
          <SavedFilters />
          {choice}
        </FilterBar>
        <SelectionBar chosen={chosen} onDone={() => setChosen(NOTHING_CHOSEN)} />
        <TotalsBar />
        <Loaded
          reading={reading}
          bones={12}
          empty={
            <NoneMatch
              icon="payments"
              title={text.none}
              about={text.noneAbout}
              clear={text.clear}
              filters={NO_FILTERS}
            />
          }
        >
          {({ data, cursor }) => (
            <>
              <Rows rows={data} columns={columns} chosen={chosen} onChoose={setChosen} />
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
  q: undefined,
  from: undefined,
  to: undefined,
  cursor: undefined,
}

type RowsProps = {
  readonly rows: readonly PortalPayment[]
  readonly columns: readonly Column<PortalPayment>[]
  readonly chosen: Selection
  readonly onChoose: (next: Selection) => void
}

function Rows({ rows, columns, chosen, onChoose }: RowsProps) {
  const text = useText(PAYMENTS)
  const choice = useChoiceColumn(rows, chosen, onChoose)
  const known = useRef<ReadonlySet<string> | undefined>(undefined)
  const former = known.current
  useEffect(() => {
    known.current = new Set(rows.map(({ id }) => id))
  }, [rows])
  return (
    <Table
      caption={text.caption}
      columns={[choice, ...columns]}
      rows={rows}
      rowKey={({ id }) => id}
      linkTo={({ id }) => ({ to: `/portal/payments/${id}` })}
      rowClass={({ id }) => (former !== undefined && !former.has(id) ? 'is-new' : undefined)}
    />
  )
}

type Listed = { readonly data: readonly PortalPayment[] }

/** Payments that wait to be shown: those that events named, and the number of those that they only counted. */
type Waiting = { readonly ids: ReadonlySet<string>; readonly unnamed: number }

const NONE: Waiting = { ids: new Set(), unnamed: 0 }
const SCROLLED_PX = 200

/**
 * New payments come in by themselves at the top of the first page; after scrolling, and on other pages, they wait
 * behind a button, so that no row moves under the reader's finger. Rows that are shown change in their place.
 */
function useFreshRows({ isFirstPage, openFirst }: Paging, rows: readonly PortalPayment[]) {
  const client = useQueryClient()
  const renew = useRenewal()
  const [waiting, setWaiting] = useState(NONE)
  const readAgain = () => {
    setWaiting(NONE)
    renew(portalKey('portalListPayments'))
  }
  const isAtTop = () => isFirstPage && scrollY < SCROLLED_PX
  useLive(['payment', 'payments'], () => renew(portalKey('portalSumPayments')))
  useLive(['payment'], (event) => {
    const line = event.data as LivePaymentMessage['data']
    if (isAtTop()) return readAgain()
    client.setQueriesData<Listed>({ queryKey: portalKey('portalListPayments') }, (listed) =>
      listed === undefined ? undefined : withLine(listed, line),
    )
    if (!isNewerThan(rows[0], line)) return
    setWaiting(({ ids, unnamed }) => ({ ids: new Set([...ids, line.id]), unnamed }))
  })
  useLive(['payments'], (event) => {
    const { changed } = event.data as LivePaymentsMessage['data']
    if (isAtTop()) return readAgain()
    setWaiting(({ ids, unnamed }) => ({ ids, unnamed: unnamed + changed }))
  })
  const show = () => {
    scrollTo({ top: 0 })
    readAgain()
    if (!isFirstPage) openFirst()
  }
  return { waiting: waiting.ids.size + waiting.unnamed, show }
}

function isNewerThan(newest: PortalPayment | undefined, line: PaymentLine): boolean {
  return newest === undefined || Date.parse(line.created_at) > Date.parse(newest.created_at)
}

function withLine(listed: Listed, line: PaymentLine): Listed {
  return { ...listed, data: listed.data.map((row) => (row.id === line.id ? { ...row, ...line } : row)) }
}
