import type { PortalEntry, PortalEntryPage } from '../../api/portal.generated.ts'
import { portal, usePortal } from '../../api/portal.ts'
import { DayFilters, NoneMatch, SegmentFilter } from '../../shell/filters.tsx'
import { PageLink, useFilters, usePaging } from '../../shell/navigation.tsx'
import { useShortcuts } from '../../shell/shortcuts.ts'
import { dateTimeText, dayText, momentOfDay } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { useRemarks } from '../../text/remarks.ts'
import { Key, LinkButton } from '../../ui/button.tsx'
import { download } from '../../ui/download.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { Money } from '../../ui/money.tsx'
import { PageHead, Panel } from '../../ui/panel.tsx'
import type { Column } from '../../ui/table.tsx'
import { Pager, Table } from '../../ui/table.tsx'
import { PORTAL } from '../messages.ts'
import { STATEMENT } from './messages.ts'
import { MonthsView, MonthView } from './months-view.tsx'
import { EntryKind, entryQuery, monthOf, NO_FILTERS, StatementTabs, SummaryBar, TYPES } from './parts.tsx'
import '../payments/payments.css'
import './statement.css'

/** Movements of the wallet. The address says which view: entries, months, or one month. */
export function Page() {
  const [search] = useFilters()
  const month = monthOf(search)
  if (month !== undefined) return <MonthView month={month} />
  return search.view === 'months' ? <MonthsView /> : <EntriesView />
}

const PAGE_ROWS = 50

/** Entries of the wallet, newest first, with what it held after each. */
function EntriesView() {
  const text = useText(STATEMENT)
  const pages = useText(PORTAL)
  const [search] = useFilters()
  const query = entryQuery(search)
  const cursor = search.cursor === undefined ? {} : { cursor: search.cursor }
  const reading = usePortal(
    'portalGetStatement',
    { query: { ...query, ...cursor, limit: PAGE_ROWS } },
    { keepsFormer: true },
  )
  const file = portal.urlOf('portalExportStatement', { query })
  useShortcuts({ e: () => download(file) })
  return (
    <>
      <PageHead
        title={pages.statement}
        about={text.about}
        actions={
          <LinkButton icon="down" href={file} download>
            {text.exportCsv} <Key>E</Key>
          </LinkButton>
        }
      />
      <StatementTabs current="entries" />
      <Panel isFlush>
        <EntryFilters days={reading.data?.summary} />
        <Loaded reading={reading} bones={12}>
          {(page) => <Entries page={page} />}
        </Loaded>
      </Panel>
    </>
  )
}

/** Days that the address leaves open are shown as the service has chosen them. */
function EntryFilters({ days }: { days: { readonly from: string; readonly to: string } | undefined }) {
  const text = useText(STATEMENT)
  return (
    <div className="filters ruled">
      <SegmentFilter
        name="type"
        label={text.typeFilter}
        options={TYPES.map((value) => ({ value, label: text.types[value] }))}
      />
      <DayFilters shown={days} />
    </div>
  )
}

function Entries({ page }: { page: PortalEntryPage }) {
  const text = useText(STATEMENT)
  const [, _change] = useFilters()
  const paging = usePaging()
  const columns = useEntryColumns()
  const { summary } = page
  const span = text.totalsOf(dayText(momentOfDay(summary.from)), dayText(momentOfDay(summary.to)))
  return (
    <>
      <SummaryBar
        label={`${text.totals}: ${span}`}
        opening={summary.opening}
        closing={summary.closing}
        lines={[
          { label: text.deposits, total: summary.deposits },
          { label: text.types.payment, total: summary.payments },
          { label: text.types.refund, total: summary.refunds },
          { label: text.types.commission, total: summary.commissions },
        ]}
      />
      {page.data.length === 0 ? (
        <NoneMatch
          icon="statement"
          title={text.none}
          about={text.noneAbout}
          clear={text.clear}
          filters={NO_FILTERS}
        />
      ) : (
        <>
          <Table caption={text.caption} columns={columns} rows={page.data} rowKey={({ number }) => number} />
          <Pager onNewer={paging.onNewer} onOlder={paging.olderFrom(page.cursor)}>
            {text.shown(page.data.length)}
          </Pager>
        </>
      )}
    </>
  )
}

function useEntryColumns(): readonly Column<PortalEntry>[] {
  const text = useText(STATEMENT)
  const say = useRemarks()
  return [
    {
      key: 'type',
      head: text.type,
      folded: 'shape',
      width: 150,
      cell: ({ kind }) => <EntryKind kind={kind} />,
    },
    {
      key: 'time',
      head: text.time,
      folded: 'detail',
      className: 'nowrap',
      cell: ({ created_at: at }) => <span className="sub">{dateTimeText(at)}</span>,
    },
    {
      key: 'remarks',
      head: text.remarks,
      folded: 'name',
      className: 'cut remarks',
      cell: ({ payment_id: id, remarks, kind }) =>
        id === null ? (
          remarks || text.kinds[kind]
        ) : (
          <PageLink className="link" to={`/portal/payments/${id}`}>
            {say(remarks) || text.kinds[kind]}
          </PageLink>
        ),
    },
    {
      key: 'refid',
      head: text.refid,
      rank: 2,
      className: 'cut',
      cell: ({ refid }) => <span className="sub mono">{refid}</span>,
    },
    {
      key: 'amount',
      head: text.amount,
      isRight: true,
      folded: 'amount',
      cell: ({ amount }) => <Money amount={amount} alignTo={2} />,
    },
    {
      key: 'balance',
      head: text.balance,
      isRight: true,
      folded: 'time',
      cell: ({ balance }) => (
        <>
          <span className="pw">{text.balanceWord}</span>
          <Money amount={balance} alignTo={2} />
        </>
      ),
    },
    {
      key: 'number',
      head: text.number,
      isRight: true,
      rank: 3,
      cell: ({ number }) => <span className="sub mono">{number}</span>,
    },
  ]
}
