import { useState } from 'react'
import type { Comparison, Difference } from '../../api/portal.generated.ts'
import { PageLink } from '../../shell/navigation.tsx'
import { csvText } from '../../text/csv.ts'
import { useText } from '../../text/language.ts'
import { countText } from '../../text/numbers.ts'
import { Button } from '../../ui/button.tsx'
import { downloadText } from '../../ui/download.ts'
import { Segment } from '../../ui/field.tsx'
import { Empty } from '../../ui/loaded.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Note, Shape } from '../../ui/state.tsx'
import type { Column } from '../../ui/table.tsx'
import { Table } from '../../ui/table.tsx'
import { RECONCILIATION } from './messages.ts'
import type { Books } from './reconciliation-page.tsx'

type Kind = Difference['kind']

const KINDS: readonly Kind[] = [
  'missing_here',
  'missing_there',
  'amount',
  'status',
  'day',
  'duplicate',
  'unreadable',
]

const ROWS_STEP = 50

/** Counts of the comparison, and each place where the two books differ. */
export function ComparisonResult({ books, comparison }: { books: Books; comparison: Comparison }) {
  const text = useText(RECONCILIATION)
  const { differences, differences_total: total } = comparison
  return (
    <Panel
      isFlush
      title={text.result}
      about={text.resultOf(books.file.name, books.from, books.to)}
      actions={
        total === 0 ? undefined : (
          <Button
            size="sm"
            icon="down"
            onClick={() => downloadText(fileOf(differences), text.fileName(books.from, books.to))}
          >
            {text.download}
          </Button>
        )
      }
    >
      <Counts comparison={comparison} />
      {total === 0 ? (
        <Empty icon="check" title={text.allAgree} about={text.allAgreeAbout} />
      ) : (
        <Differences comparison={comparison} />
      )}
    </Panel>
  )
}

function Counts({ comparison }: { comparison: Comparison }) {
  const text = useText(RECONCILIATION)
  const counts = [
    [text.lines, comparison.lines],
    [text.payments, comparison.payments],
    [text.agreed, comparison.agreed],
    [text.differ, comparison.differences_total],
    [text.outside, comparison.outside],
  ] as const
  return (
    <section className="sum wraps top-line" aria-label={text.result}>
      {counts.map(([label, count]) => (
        <div key={label}>
          <small>{label}</small>
          <b>{countText(count)}</b>
        </div>
      ))}
    </section>
  )
}

function Differences({ comparison }: { comparison: Comparison }) {
  const text = useText(RECONCILIATION)
  const [kind, setKind] = useState<Kind | ''>('')
  const columns = useDifferenceColumns()
  const { kinds, differences, differences_total: total } = comparison
  const [rowsMax, setRowsMax] = useState(ROWS_STEP)
  const matching = kind === '' ? differences : differences.filter((each) => each.kind === kind)
  const hidden = matching.length - rowsMax
  const choose = (next: Kind | '') => {
    setKind(next)
    setRowsMax(ROWS_STEP)
  }
  return (
    <>
      <div className="filters ruled">
        <Segment
          label={text.kindFilter}
          value={kind}
          onValue={choose}
          options={[
            { value: '', label: `${text.all} ${countText(total)}` },
            ...KINDS.filter((each) => (kinds[each] ?? 0) > 0).map((each) => ({
              value: each,
              label: `${text.kinds[each]} ${countText(kinds[each] ?? 0)}`,
            })),
          ]}
        />
      </div>
      {differences.length < total ? (
        <div className="in top">
          <Note tone="warning">{text.first(countText(differences.length), countText(total))}</Note>
        </div>
      ) : null}
      {matching.length === 0 ? (
        <Empty title={text.noneOfKind} />
      ) : (
        <Table caption={text.caption} columns={columns} rows={matching.slice(0, rowsMax)} rowKey={keyOf} />
      )}
      {hidden <= 0 ? null : (
        <div className="foot-row">
          <Button size="sm" onClick={() => setRowsMax(rowsMax + ROWS_STEP)}>
            {text.more(countText(Math.min(hidden, ROWS_STEP)))}
          </Button>
        </div>
      )}
    </>
  )
}

function keyOf({ line, kind, refid }: Difference): string {
  return `${line ?? ''} ${kind} ${refid}`
}

function useDifferenceColumns(): readonly Column<Difference>[] {
  const text = useText(RECONCILIATION)
  const causes: Readonly<Record<string, string>> = text.causes
  return [
    {
      key: 'kind',
      head: text.kind,
      folded: 'name',
      className: 'difference',
      cell: ({ kind, cause, detail }) => (
        <div className="who2">
          <span className="st wait">
            <Shape tone="warning" />
            {text.kinds[kind]}
          </span>
          <small>{causes[cause] ?? cause}</small>
          {kind === 'unreadable' && detail !== '' ? <small>{detail}</small> : null}
        </div>
      ),
    },
    {
      key: 'line',
      head: text.line,
      isRight: true,
      folded: 'amount',
      cell: ({ line }) => <span className="sub">{line === null ? '–' : countText(line)}</span>,
    },
    {
      key: 'refid',
      head: text.refid,
      folded: 'detail',
      className: 'cut refid',
      cell: ({ refid, payment_id: id }) =>
        id === null ? (
          <span className="mono">{refid}</span>
        ) : (
          <PageLink className="link mono" to={`/portal/payments/${id}`}>
            {refid}
          </PageLink>
        ),
    },
    { key: 'theirs', head: text.theirs, className: 'cut', cell: ({ theirs }) => theirs || '–' },
    {
      key: 'ours',
      head: text.ours,
      folded: 'time',
      className: 'cut',
      cell: ({ ours }) => ours || '–',
    },
  ]
}

/** Headings are those of `warungd reconcile`, so that one program reads both files. */
const HEADINGS = ['kind', 'cause', 'line', 'refid', 'transaction_id', 'theirs', 'ours', 'detail']

function fileOf(differences: readonly Difference[]): string {
  const rows = differences.map(({ kind, cause, line, refid, payment_id: id, theirs, ours, detail }) => [
    kind,
    cause,
    line === null ? '' : String(line),
    refid,
    id ?? '',
    theirs,
    ours,
    detail,
  ])
  return csvText([HEADINGS, ...rows])
}
