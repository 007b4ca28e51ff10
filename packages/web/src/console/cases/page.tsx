import type { ResellerCase } from '../../api/operator.generated.ts'
import { useOperator } from '../../api/operator.ts'
import { useFilters, useGo } from '../../shell/navigation.tsx'
import { usePaging } from '../../shell/paging.ts'
import { whenText } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { Empty, Loaded } from '../../ui/loaded.tsx'
import { Pager } from '../../ui/pager.tsx'
import { PageHead, Panel } from '../../ui/panel.tsx'
import { Note, State } from '../../ui/state.tsx'
import type { Column } from '../../ui/table.tsx'
import { Table } from '../../ui/table.tsx'
import { CONSOLE } from '../messages.ts'
import { CaseFilters, KINDS } from './filters.tsx'
import { CASES } from './messages.ts'
import { DueTime, isOverdue, STATE_TONES, STATES } from './state.tsx'
import './cases.css'

const PAGE_ROWS = 50
/** Cases of one state that the list of waiting ones reads; the API gives no more at once. */
const WAITING_ROWS = 200

/** Which case is due next. */
export function Page() {
  const text = useText(CASES)
  const pages = useText(CONSOLE)
  const [search] = useFilters()
  const isWaiting = search.state === undefined
  return (
    <>
      <PageHead title={pages.cases} about={text.about} />
      <Panel isFlush>
        <CaseFilters />
        {isWaiting ? <WaitingCases /> : <StateCases />}
      </Panel>
    </>
  )
}

function useCaseQuery() {
  const [search] = useFilters()
  const kind = KINDS.find((each) => each === search.kind)
  return {
    ...(kind === undefined ? {} : { kind }),
    ...(search.account === undefined ? {} : { account: search.account }),
  }
}

/** Open cases and those that somebody works on, together. The API filters by one state, so both are asked at once. */
function WaitingCases() {
  const text = useText(CASES)
  const query = { ...useCaseQuery(), limit: WAITING_ROWS }
  const open = useOperator('listAllCases', { query: { ...query, state: 'open' } })
  const taken = useOperator('listAllCases', { query: { ...query, state: 'in_progress' } })
  const both = {
    data:
      open.data === undefined || taken.data === undefined
        ? undefined
        : {
            cases: [...open.data.data, ...taken.data.data].sort(byDueTime),
            hasMore: open.data.has_more || taken.data.has_more,
          },
    error: open.error ?? taken.error,
    refetch: () => Promise.all([open.refetch(), taken.refetch()]),
  }
  return (
    <Loaded reading={both} bones={8}>
      {({ cases, hasMore }) => (
        <>
          {hasMore ? <Note tone="wait">{text.moreOpen}</Note> : null}
          <Cases cases={cases} />
        </>
      )}
    </Loaded>
  )
}

/** Cases of one state, or all, page by page. */
function StateCases() {
  const text = useText(CASES)
  const [search] = useFilters()
  const paging = usePaging()
  const state = STATES.find((each) => each === search.state)
  const query = {
    ...useCaseQuery(),
    ...(state === undefined ? {} : { state }),
    ...(search.cursor === undefined ? {} : { cursor: search.cursor }),
    limit: PAGE_ROWS,
  }
  const reading = useOperator('listAllCases', { query }, { keepsFormer: true })
  return (
    <Loaded reading={reading} bones={8}>
      {({ data, ...around }) => (
        <>
          <Cases cases={[...data].sort(byDueTime)} />
          {data.length === 0 ? null : (
            <Pager
              onNewer={paging.onNewer}
              onOlder={around.has_more ? paging.olderFrom(around.cursor) : undefined}
            >
              {text.shown(data.length)}
            </Pager>
          )}
        </>
      )}
    </Loaded>
  )
}

/** Cases that wait before closed ones, the first to be due first. */
function byDueTime(a: ResellerCase, b: ResellerCase): number {
  const rank = ({ closed_at: closed }: ResellerCase) => (closed === null ? 0 : 1)
  return rank(a) - rank(b) || Date.parse(a.due_at) - Date.parse(b.due_at)
}

function Cases({ cases }: { cases: readonly ResellerCase[] }) {
  const text = useText(CASES)
  const go = useGo()
  const columns: Column<ResellerCase>[] = [
    {
      key: 'state',
      head: text.state,
      folded: 'shape',
      cell: ({ state }) => <State tone={STATE_TONES[state]}>{text.states[state]}</State>,
    },
    {
      key: 'number',
      head: text.number,
      folded: 'name',
      cell: ({ number, kind }) => (
        <span className="nowrap">
          <span className="mid-weight">{text.kinds[kind]}</span> <span className="mono">{number}</span>
        </span>
      ),
    },
    { key: 'due', head: text.due, folded: 'amount', cell: (each) => <DueTime {...each} /> },
    { key: 'reseller', head: text.reseller, folded: 'detail', cell: ({ reseller }) => reseller },
    {
      key: 'refid',
      head: text.refid,
      className: 'cut refid',
      cell: ({ refid }) => <span className="mono">{refid}</span>,
    },
    {
      key: 'opened',
      head: text.opened,
      folded: 'time',
      className: 'nowrap',
      isRight: true,
      cell: ({ created_at: at }) => whenText(at),
    },
  ]
  if (cases.length === 0) return <Empty icon="cases" title={text.none} about={text.noneAbout} />
  return (
    <Table
      caption={text.caption}
      columns={columns}
      rows={cases}
      rowKey={({ number }) => number}
      onOpen={({ number }) => go(`/operator/cases/${number}`)}
      rowClass={(each) => (isOverdue(each) ? 'is-overdue' : undefined)}
    />
  )
}
