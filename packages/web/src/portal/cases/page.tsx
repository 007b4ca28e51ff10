import type { PortalOperations } from '../../api/portal.ts'
import { usePortal } from '../../api/portal.ts'
import {
  choiceOf,
  DayFilters,
  filterOf,
  NoneMatch,
  SegmentFilter,
  SelectFilter,
} from '../../shell/filters.tsx'
import type { Search } from '../../shell/navigation.tsx'
import { PageLink, useFilters, usePaging } from '../../shell/navigation.tsx'
import { useText } from '../../text/language.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Empty, Loaded } from '../../ui/loaded.tsx'
import { PageHead, Panel } from '../../ui/panel.tsx'
import { Pager, Table } from '../../ui/table.tsx'
import { PORTAL } from '../messages.ts'
import { namesOf, toneOf, useWords } from '../states.ts'
import { useCaseColumns } from './columns.tsx'
import { CASE_WORDS, CASES } from './messages.ts'
import '../payments/payments.css'

const PAGE_ROWS = 50

/** Cases of the reseller: the state of each, and until when an answer is due. */
export function Page() {
  const text = useText(CASES)
  const pages = useText(PORTAL)
  const [search] = useFilters()
  const paging = usePaging()
  const columns = useCaseColumns()
  const query = caseQuery(search)
  const reading = usePortal(
    'portalListCases',
    { query: { ...query, limit: PAGE_ROWS } },
    { keepsFormer: true },
  )
  return (
    <>
      <PageHead title={pages.cases} about={text.about} />
      <Panel isFlush>
        <CaseFilters />
        <Loaded reading={reading} bones={6}>
          {({ data, cursor }) =>
            data.length === 0 ? (
              <NoCases isFiltered={Object.keys(query).length > 0} />
            ) : (
              <>
                <Table
                  caption={text.caption}
                  columns={columns}
                  rows={data}
                  rowKey={({ number }) => number}
                  linkTo={({ number }) => ({ to: `/portal/cases/${number}` })}
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

function CaseFilters() {
  const text = useText(CASES)
  const { kinds } = useText(CASE_WORDS)
  const states = useWords('case')
  return (
    <div className="filters ruled">
      <SegmentFilter
        name="state"
        label={text.stateFilter}
        options={namesOf('case').map((value) => ({
          value,
          label: states[value],
          tone: toneOf('case', value),
        }))}
      />
      <SelectFilter
        name="kind"
        label={text.kind}
        any={text.anyKind}
        options={KINDS.map((kind) => ({ value: kind, label: kinds[kind] }))}
      />
      <DayFilters />
    </div>
  )
}

function NoCases({ isFiltered }: { isFiltered: boolean }) {
  const text = useText(CASES)
  const [, _change] = useFilters()
  if (isFiltered) {
    return (
      <NoneMatch
        icon="cases"
        title={text.noneMatch}
        about={text.noneMatchAbout}
        clear={text.clear}
        filters={NO_FILTERS}
      />
    )
  }
  return (
    <Empty
      icon="cases"
      title={text.none}
      about={text.noneAbout}
      action={
        <PageLink className={buttonClass({ size: 'sm' })} to="/portal/payments">
          {text.toPayments}
        </PageLink>
      }
    />
  )
}

type CaseQuery = NonNullable<PortalOperations['portalListCases']['query']>

export const KINDS = ['dispute', 'void'] as const

export const NO_FILTERS = {
  state: undefined,
  kind: undefined,
  from: undefined,
  to: undefined,
  cursor: undefined,
}

/** Filters of the address as the API takes them. Values that cannot be are left out. */
function caseQuery(search: Search): CaseQuery {
  return {
    ...choiceOf(search, 'state', namesOf('case')),
    ...choiceOf(search, 'kind', KINDS),
    ...filterOf(search, 'from', 'to', 'cursor'),
  }
}
