import { useState } from 'react'
import type { Reseller } from '../../api/operator.generated.ts'
import { useOperator } from '../../api/operator.ts'
import { choiceOf, filterOf, SegmentFilter, SelectFilter, TextFilter } from '../../shell/filters.tsx'
import { useFilters } from '../../shell/navigation.tsx'
import { dayText, ZONE_NAME } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { Empty, Loaded } from '../../ui/loaded.tsx'
import { PageHead, Panel } from '../../ui/panel.tsx'
import type { Column } from '../../ui/table.tsx'
import { Table } from '../../ui/table.tsx'
import { CONSOLE } from '../messages.ts'
import { FilterLine, Pages } from '../parts/pages.tsx'
import { useMay } from '../roles.ts'
import { namesOf, StateOf, useWords } from '../states.ts'
import { RESELLERS } from './messages.ts'
import { AccessState, NewResellerDialog } from './settings-panel.tsx'
import './resellers.css'

const PAGE_ROWS = 50

/** Which reseller is it about. */
export function Page() {
  const text = useText(RESELLERS)
  const pages = useText(CONSOLE)
  const may = useMay()
  const [isMaking, setMaking] = useState(false)
  return (
    <>
      <PageHead
        title={pages.resellers}
        about={text.about}
        actions={
          may('resellers.write') ? (
            <Button look="primary" icon="plus" onClick={() => setMaking(true)}>
              {text.add}
            </Button>
          ) : undefined
        }
      />
      <Panel isFlush>
        <Filters />
        <List />
      </Panel>
      {isMaking ? <NewResellerDialog onClose={() => setMaking(false)} /> : null}
    </>
  )
}

function Filters() {
  const text = useText(RESELLERS)
  const statuses = useWords('reseller')
  const levels = useOperator('listLevels', {})
  return (
    <FilterLine>
      <SegmentFilter
        name="status"
        label={text.status}
        options={namesOf('reseller').map((value) => ({ value, label: statuses[value] }))}
      />
      <SelectFilter
        name="price_level"
        label={text.level}
        options={(levels.data?.data ?? []).map(({ code, name }) => ({ value: code, label: name }))}
      />
      <span className="push">
        <TextFilter name="search" label={text.find} isFinder />
      </span>
    </FilterLine>
  )
}

function List() {
  const text = useText(RESELLERS)
  const columns = useColumns()
  const [search] = useFilters()
  const reading = useOperator(
    'listResellers',
    {
      query: {
        limit: PAGE_ROWS,
        ...filterOf(search, 'search'),
        ...choiceOf(search, 'status', namesOf('reseller')),
        ...filterOf(search, 'price_level'),
        ...filterOf(search, 'cursor'),
      },
    },
    { keepsFormer: true },
  )
  return (
    <Loaded
      reading={reading}
      bones={10}
      empty={<Empty icon="team" title={text.none} about={text.noneAbout} />}
    >
      {({ data, cursor, has_more: hasMore }) => (
        <>
          <Table
            caption={text.caption}
            columns={columns}
            rows={data}
            rowKey={({ account }) => account}
            linkTo={({ account }) => ({ to: `/operator/resellers/${account}` })}
          />
          <Pages rows={data.length} cursor={cursor} hasMore={hasMore} />
        </>
      )}
    </Loaded>
  )
}

function useColumns(): readonly Column<Reseller>[] {
  const text = useText(RESELLERS)
  return [
    {
      key: 'status',
      head: text.status,
      folded: 'shape',
      width: 130,
      cell: ({ status }) => <StateOf kind="reseller" state={status} />,
    },
    {
      key: 'name',
      head: text.name,
      folded: 'name',
      cell: ({ account, name, demo }) => (
        <span className="who2">
          <span>
            {name} {demo ? <span className="tag">{text.demo}</span> : null}
          </span>
          <small className="wide-only">{account}</small>
        </span>
      ),
    },
    { key: 'email', head: text.email, rank: 2, className: 'cut email', cell: ({ email }) => email },
    {
      key: 'level',
      head: text.level,
      folded: 'amount',
      cell: ({ price_level: level }) => <span className="mono">{level}</span>,
    },
    {
      key: 'access',
      head: text.access,
      folded: 'time',
      cell: ({ access }) => <AccessState access={access} />,
    },
    { key: 'account', head: '', folded: 'detail', className: 'fold-only', cell: ({ account }) => account },
    {
      key: 'created',
      head: text.created(ZONE_NAME),
      className: 'nowrap sub',
      cell: ({ created_at: at }) => dayText(at),
    },
  ]
}
