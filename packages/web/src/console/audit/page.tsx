import { useState } from 'react'
import type { AuditEntry } from '../../api/operator.generated.ts'
import { useOperator } from '../../api/operator.ts'
import { useFilters } from '../../shell/navigation.tsx'
import { whenText, ZONE_NAME } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { Empty, Loaded } from '../../ui/loaded.tsx'
import { PageHead, Panel } from '../../ui/panel.tsx'
import type { Column } from '../../ui/table.tsx'
import { Table } from '../../ui/table.tsx'
import { CONSOLE } from '../messages.ts'
import { DayFilters, FilterLine, TextFilter } from '../parts/filters.tsx'
import { PARTS } from '../parts/messages.ts'
import { Pages } from '../parts/pages.tsx'
import { daysOf, filterOf } from '../parts/query.ts'
import { EntryDialog } from './entry-dialog.tsx'
import { AUDIT } from './messages.ts'
import { ProofPanel } from './proof-panel.tsx'
import './audit.css'

/** Log of who changed what, when and why. */
export function Page() {
  const text = useText(AUDIT)
  const pages = useText(CONSOLE)
  return (
    <>
      <PageHead title={pages.audit} about={text.about} />
      <div className="grid">
        <ProofPanel />
        <Panel isFlush>
          <FilterLine>
            <TextFilter name="actor" label={text.actorFilter} isFinder />
            <TextFilter name="action" label={text.actionFilter} />
            <TextFilter name="target_kind" label={text.targetKind} />
            <TextFilter name="target" label={text.targetFilter} />
            <DayFilters />
          </FilterLine>
          <Records />
        </Panel>
      </div>
    </>
  )
}

const PAGE_ROWS = 50

const NO_FILTERS = {
  actor: undefined,
  action: undefined,
  target_kind: undefined,
  target: undefined,
  from: undefined,
  to: undefined,
  cursor: undefined,
}

function Records() {
  const text = useText(AUDIT)
  const parts = useText(PARTS)
  const columns = useColumns()
  const [search, change] = useFilters()
  const [opened, setOpened] = useState<AuditEntry | undefined>(undefined)
  const reading = useOperator(
    'listAudit',
    {
      query: {
        limit: PAGE_ROWS,
        ...filterOf(search, 'actor'),
        ...filterOf(search, 'action'),
        ...filterOf(search, 'target_kind'),
        ...filterOf(search, 'target'),
        ...daysOf(search),
        ...filterOf(search, 'cursor'),
      },
    },
    { keepsFormer: true },
  )
  return (
    <Loaded
      reading={reading}
      bones={10}
      empty={
        <Empty
          icon="log"
          title={text.none}
          about={text.noneAbout}
          action={
            <Button size="sm" onClick={() => change(NO_FILTERS)}>
              {parts.clear}
            </Button>
          }
        />
      }
    >
      {({ data, cursor, has_more: hasMore }) => (
        <>
          <Table
            caption={text.caption}
            columns={columns}
            rows={data}
            rowKey={({ sequence }) => sequence}
            onOpen={setOpened}
          />
          <Pages rows={data.length} cursor={cursor} hasMore={hasMore} />
          {opened === undefined ? null : <EntryDialog entry={opened} onClose={() => setOpened(undefined)} />}
        </>
      )}
    </Loaded>
  )
}

function useColumns(): readonly Column<AuditEntry>[] {
  const text = useText(AUDIT)
  return [
    {
      key: 'time',
      head: text.time(ZONE_NAME),
      folded: 'time',
      className: 'nowrap sub',
      cell: ({ at }) => whenText(at),
    },
    {
      key: 'actor',
      head: text.actor,
      folded: 'detail',
      cell: ({ actor }) => (
        <span className="who2">
          <span className="cut">{actor.name}</span>
          <small className="wide-only">{text.kinds[actor.kind]}</small>
        </span>
      ),
    },
    {
      key: 'action',
      head: text.action,
      folded: 'name',
      cell: ({ action }) => <span className="mono">{action}</span>,
    },
    {
      key: 'target',
      head: text.target,
      folded: 'amount',
      className: 'audit-target',
      cell: ({ target }) => (
        <span className="who2">
          <span className="mono cut">{target.id}</span>
          <small className="wide-only">{target.kind}</small>
        </span>
      ),
    },
    { key: 'reason', head: text.reason, className: 'wide-text', cell: ({ reason }) => reason },
  ]
}
