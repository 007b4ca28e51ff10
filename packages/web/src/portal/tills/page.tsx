import type { Shift } from '../../api/portal.generated.ts'
import { usePortal } from '../../api/portal.ts'
import { useFilters, usePaging } from '../../shell/navigation.tsx'
import { dateTimeText } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { Empty, Loaded } from '../../ui/loaded.tsx'
import { Money } from '../../ui/money.tsx'
import { PageHead, Panel } from '../../ui/panel.tsx'
import { State } from '../../ui/state.tsx'
import type { Column } from '../../ui/table.tsx'
import { Pager, Table } from '../../ui/table.tsx'
import { PORTAL } from '../messages.ts'
import { useMay } from '../session.ts'
import { TILLS } from './messages.ts'
import { OwnShiftPanel } from './own-shift.tsx'
import { PlacesPanel } from './places-panel.tsx'

/** Shift of this till, the shifts before it, and the places at which the shop sells. */
export function Page() {
  const text = useText(TILLS)
  const pages = useText(PORTAL)
  const sells = useMay('sell')
  const readsPlaces = useMay('tills.read')
  return (
    <>
      <PageHead title={pages.shifts} about={text.about} />
      <div className="grid">
        {sells ? <OwnShiftPanel /> : null}
        <ShiftsPanel />
        {readsPlaces ? <PlacesPanel /> : null}
      </div>
    </>
  )
}

const PAGE_ROWS = '20'

function ShiftsPanel() {
  const text = useText(TILLS)
  const [search] = useFilters()
  const paging = usePaging()
  const columns = useColumns()
  const query = { limit: PAGE_ROWS, ...(search.cursor !== undefined && { cursor: search.cursor }) }
  const reading = usePortal('portalListShifts', { query: query as never }, { keepsFormer: true })
  return (
    <Panel title={text.shifts} isFlush>
      <Loaded reading={reading} bones={4}>
        {({ data, cursor }) =>
          data.length === 0 ? (
            <Empty icon="clock" title={text.none} about={text.noneAbout} />
          ) : (
            <>
              <Table
                caption={text.shifts}
                columns={columns}
                rows={data}
                rowKey={({ id }) => id}
                linkTo={({ id }) => ({ to: `/portal/shifts/${id}` })}
              />
              <Pager onNewer={paging.onNewer} onOlder={paging.olderFrom(cursor)}>
                {text.shown(data.length)}
              </Pager>
            </>
          )
        }
      </Loaded>
    </Panel>
  )
}

function useColumns(): readonly Column<Shift>[] {
  const text = useText(TILLS)
  return [
    {
      key: 'number',
      head: text.number,
      folded: 'shape',
      width: 110,
      cell: ({ end }) =>
        end === null ? <State tone="wait">{text.isOpen}</State> : <span>{text.numbered(end.number)}</span>,
    },
    {
      key: 'till',
      head: text.till,
      folded: 'name',
      cell: ({ till }) => text.hereIs(till.name, till.branch.name),
    },
    { key: 'by', head: text.openedBy, folded: 'detail', cell: ({ opened_by: by }) => by },
    {
      key: 'opened',
      head: text.openedAt,
      className: 'nowrap',
      folded: 'time',
      cell: ({ opened_at: at }) => <span className="sub">{dateTimeText(at)}</span>,
    },
    {
      key: 'closed',
      head: text.closedAt,
      className: 'nowrap',
      rank: 2,
      cell: ({ end }) => <span className="sub">{end === null ? '–' : dateTimeText(end.closed_at)}</span>,
    },
    {
      key: 'expected',
      head: text.expected,
      isRight: true,
      rank: 2,
      cell: ({ end }) => (end === null ? '–' : <Money amount={end.expected} alignTo={2} />),
    },
    {
      key: 'counted',
      head: text.counted,
      isRight: true,
      rank: 3,
      cell: ({ end }) => (end === null ? '–' : <Money amount={end.counted} alignTo={2} />),
    },
    {
      key: 'difference',
      head: text.difference,
      isRight: true,
      folded: 'amount',
      cell: ({ end }) => (end === null ? '–' : <Money amount={end.difference} alignTo={2} />),
    },
  ]
}
