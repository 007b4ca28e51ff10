import { useState } from 'react'
import type { AuditEntry, AuditProof } from '../../api/operator.generated.ts'
import { operator, useOperator } from '../../api/operator.ts'
import { DayFilters, daysOf, filterOf, NoneMatch, TextFilter } from '../../shell/filters.tsx'
import { useFilters } from '../../shell/navigation.tsx'
import { dateTimeText, whenText, ZONE_NAME } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { grouped } from '../../text/numbers.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { UI } from '../../ui/messages.ts'
import { Facts, PageHead, Panel } from '../../ui/panel.tsx'
import { ActionProblem } from '../../ui/problem.tsx'
import { Note, Pill } from '../../ui/state.tsx'
import type { Column } from '../../ui/table.tsx'
import { Table } from '../../ui/table.tsx'
import { useAction } from '../../ui/use-action.ts'
import { CONSOLE } from '../messages.ts'
import { PARTS } from '../parts/messages.ts'
import { FilterLine, Pages } from '../parts/pages.tsx'
import { AUDIT } from './messages.ts'
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
  const [search, _change] = useFilters()
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
        <NoneMatch
          icon="log"
          title={text.none}
          about={text.noneAbout}
          clear={parts.clear}
          filters={NO_FILTERS}
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

/** One record of the log, with the values before and after. */
function EntryDialog({ entry, onClose }: { entry: AuditEntry; onClose: () => void }) {
  const text = useText(AUDIT)
  const ui = useText(UI)
  const { actor, target } = entry
  return (
    <Dialog
      isWide
      title={text.record(entry.sequence)}
      onClose={onClose}
      onSubmit={onClose}
      footer={<Button type="submit">{ui.close}</Button>}
    >
      <Facts
        isLeft
        facts={[
          { term: text.action, value: <span className="mono">{entry.action}</span> },
          { term: text.actor, value: `${actor.name} (${text.kinds[actor.kind]})` },
          actor.address === null ? undefined : { term: text.address, value: actor.address },
          {
            term: text.target,
            value: (
              <>
                {target.kind} <span className="mono">{target.id}</span>
              </>
            ),
          },
          { term: text.time(ZONE_NAME), value: dateTimeText(entry.at) },
          { term: text.reason, value: entry.reason },
        ]}
      />
      <Changes entry={entry} />
    </Dialog>
  )
}

type Line = { readonly name: string; readonly before: string | undefined; readonly after: string | undefined }

function Changes({ entry }: { entry: AuditEntry }) {
  const text = useText(AUDIT)
  const lines = linesOf(entry)
  if (lines.length === 0) return <p className="sub small">{text.noChange}</p>
  const value = (shown: string | undefined) =>
    shown === undefined ? <span className="sub">{text.nothing}</span> : shown
  return (
    <Table
      caption={text.changes}
      isFolding={false}
      rows={lines}
      rowKey={({ name }) => name}
      rowClass={({ before, after }) => (before === after ? undefined : 'is-changed')}
      columns={[
        {
          key: 'field',
          head: text.field,
          cell: ({ name, before, after }) => (
            <>
              <span className="mono">{name}</span>{' '}
              <span className="hide">{before === after ? text.same : text.changed}</span>
            </>
          ),
        },
        { key: 'before', head: text.before, className: 'audit-value', cell: ({ before }) => value(before) },
        { key: 'after', head: text.after, className: 'audit-value', cell: ({ after }) => value(after) },
      ]}
    />
  )
}

/** Values of both sides by name. A side that is not a record of names stands in one line. */
function linesOf({ before, after }: AuditEntry): readonly Line[] {
  if (before === null && after === null) return []
  if (!isRecordOrNull(before) || !isRecordOrNull(after)) {
    return [{ name: '', before: shownText(before ?? undefined), after: shownText(after ?? undefined) }]
  }
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  return names.map((name) => ({
    name,
    before: shownText(before?.[name]),
    after: shownText(after?.[name]),
  }))
}

function isRecordOrNull(value: unknown): value is Record<string, unknown> | null {
  return value === null || (typeof value === 'object' && !Array.isArray(value))
}

function shownText(value: unknown): string | undefined {
  if (value === undefined) return undefined
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Proof that no record was changed. It reads the whole log, so it runs when somebody asks. */
export function ProofPanel() {
  const text = useText(AUDIT)
  const action = useAction({ act: () => operator.call('proveAudit', {}) })
  const proof = action.answer?.data
  return (
    <Panel
      title={text.proof}
      about={text.proofAbout}
      actions={
        <>
          {proof === undefined ? null : (
            <Pill tone={proof.is_whole ? 'ok' : 'critical'} small>
              {proof.is_whole ? text.whole : text.broken}
            </Pill>
          )}
          <Button size="sm" icon="check" isBusy={action.isBusy} onClick={() => action.run()}>
            {proof === undefined ? text.prove : text.proveAgain}
          </Button>
        </>
      }
    >
      <div className="audit-proof" aria-live="polite">
        {action.isBusy ? (
          <p className="sub">{text.proving}</p>
        ) : proof === undefined ? (
          action.error === null ? (
            <p className="sub">{text.notProved}</p>
          ) : null
        ) : (
          <Outcome proof={proof} />
        )}
        <ActionProblem error={action.error} />
      </div>
    </Panel>
  )
}

function Outcome({ proof }: { proof: AuditProof }) {
  const text = useText(AUDIT)
  const { head, broken } = proof
  return (
    <>
      <Note tone={proof.is_whole ? 'ok' : 'critical'}>
        <b>{proof.is_whole ? text.wholeAbout(grouped(proof.records)) : text.brokenAbout}</b>
      </Note>
      <Facts
        isLeft
        facts={[
          head === null ? undefined : { term: text.head, value: head.sequence },
          head === null
            ? undefined
            : {
                term: text.hash,
                value: (
                  <span className="row wrap">
                    <span className="mono audit-hash">{head.hash}</span> <CopyButton value={head.hash} />
                  </span>
                ),
              },
          broken === null
            ? undefined
            : { term: text.brokenAt, value: `${broken.kind} ${broken.sequence ?? ''}` },
          broken === null
            ? undefined
            : { term: text.expected, value: <span className="mono audit-hash">{broken.expected}</span> },
          broken === null
            ? undefined
            : { term: text.found, value: <span className="mono audit-hash">{broken.found}</span> },
        ]}
      />
      {head === null ? null : <p className="sub small">{text.hashAbout}</p>}
    </>
  )
}
