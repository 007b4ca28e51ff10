import type { AuditEntry } from '../../api/operator.generated.ts'
import { dateTimeText, ZONE_NAME } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { UI } from '../../ui/messages.ts'
import { Facts } from '../../ui/panel.tsx'
import { Table } from '../../ui/table.tsx'
import { AUDIT } from './messages.ts'

/** One record of the log, with the values before and after. */
export function EntryDialog({ entry, onClose }: { entry: AuditEntry; onClose: () => void }) {
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
