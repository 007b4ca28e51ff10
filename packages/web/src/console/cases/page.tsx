import type { ResellerCase } from '../../api/operator.generated.ts'
import { useOperator } from '../../api/operator.ts'
import { useFilters, usePaging } from '../../shell/navigation.tsx'
import { whenText } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { Empty, Loaded } from '../../ui/loaded.tsx'
import { PageHead, Panel } from '../../ui/panel.tsx'
import type { Column } from '../../ui/table.tsx'
import { Pager, Table } from '../../ui/table.tsx'
import { CONSOLE } from '../messages.ts'
import { namesOf, StateOf } from '../states.ts'
import { CaseFilters, DueTime, isOverdue, KINDS } from './filters.tsx'
import { CASES } from './messages.ts'
import './cases.css'

const PAGE_ROWS = 50

/** Which case is due next. */
export function Page() {
  const text = useText(CASES)
  const pages = useText(CONSOLE)
  return (
    <>
      <PageHead title={pages.cases} about={text.about} />
      <Panel isFlush>
        <CaseFilters />
        <CaseList />
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

/** Cases that wait, the first to be due first; or closed ones and all, newest first. */
function CaseList() {
  const text = useText(CASES)
  const [search] = useFilters()
  const paging = usePaging()
  const state = namesOf('case').find((each) => each === search.state)
  const isByDueTime = search.state === undefined || state === 'open' || state === 'in_progress'
  const query = {
    ...useCaseQuery(),
    ...(state === undefined ? {} : { state }),
    ...(search.cursor === undefined ? {} : { cursor: search.cursor }),
    order: isByDueTime ? ('due' as const) : ('newest' as const),
    limit: PAGE_ROWS,
  }
  const reading = useOperator('listAllCases', { query }, { keepsFormer: true })
  return (
    <Loaded reading={reading} bones={8}>
      {({ data, ...around }) => (
        <>
          <Cases cases={data} />
          {data.length === 0 ? null : (
            <Pager
              onNewer={paging.onNewer}
              onOlder={around.has_more ? paging.olderFrom(around.cursor) : undefined}
              order={isByDueTime ? 'other' : 'age'}
            >
              {text.shown(data.length)}
            </Pager>
          )}
        </>
      )}
    </Loaded>
  )
}

function Cases({ cases }: { cases: readonly ResellerCase[] }) {
  const text = useText(CASES)
  const columns: Column<ResellerCase>[] = [
    {
      key: 'state',
      head: text.state,
      folded: 'shape',
      cell: ({ state }) => <StateOf kind="case" state={state} />,
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
      linkTo={({ number }) => ({ to: `/operator/cases/${number}` })}
      rowClass={(each) => (isOverdue(each) ? 'is-overdue' : undefined)}
    />
  )
}
