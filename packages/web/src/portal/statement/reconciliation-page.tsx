import type { FormEvent } from 'react'
import { useState } from 'react'
import type { Comparison, Difference } from '../../api/portal.generated.ts'
import { portal } from '../../api/portal.ts'
import { PageLink, useFilters } from '../../shell/navigation.tsx'
import { csvText } from '../../text/csv.ts'
import { isoDayFromToday } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { countText } from '../../text/numbers.ts'
import { Button } from '../../ui/button.tsx'
import { downloadText } from '../../ui/download.ts'
import { Field, Segment, TextField } from '../../ui/field.tsx'
import { Empty } from '../../ui/loaded.tsx'
import { Facts, PageHead, Panel } from '../../ui/panel.tsx'
import { ActionProblem, fieldError } from '../../ui/problem.tsx'
import { Note, Shape } from '../../ui/state.tsx'
import type { Column } from '../../ui/table.tsx'
import { Table } from '../../ui/table.tsx'
import { useAction } from '../../ui/use-action.ts'
import { PORTAL } from '../messages.ts'
import { RECONCILIATION } from './messages.ts'
import { StatementTabs } from './parts.tsx'
import '../payments/payments.css'
import './statement.css'

type Result = { readonly books: Books; readonly comparison: Comparison }

/** Comparison of the reseller's own list of payments with the service's. */
export function Page() {
  const text = useText(RECONCILIATION)
  const pages = useText(PORTAL)
  const [result, setResult] = useState<Result | undefined>(undefined)
  const action = useAction({
    act: async ({ file, from, to }: Books) =>
      portal.call('portalCompareBooks', { query: { from, to }, body: await file.text() }),
    onDone: ({ data }, books) => setResult({ books, comparison: data }),
  })
  const compare = (books: Books) => {
    setResult(undefined)
    action.run(books)
  }
  return (
    <>
      <PageHead title={pages.reconciliation} about={text.about} />
      <StatementTabs current="reconciliation" />
      <div className="grid">
        <ComparisonForm onCompare={compare} isBusy={action.isBusy} error={action.error} />
        {result === undefined ? null : <ComparisonResult {...result} />}
      </div>
    </>
  )
}

/** File of a reseller, and the days that it is about. */
type Books = { readonly file: File; readonly from: string; readonly to: string }

const FILE_BYTES_MAX = 10 * 1_024 * 1_024
const FILE_SIZE_MAX = '10 MB'
/** Days that are compared unless the reader chooses others: as many as a list shows by itself. */
const FIRST_DAY = -30

type ComparisonFormProps = {
  readonly onCompare: (books: Books) => void
  readonly isBusy: boolean
  readonly error: unknown
}

function ComparisonForm({ onCompare, isBusy, error }: ComparisonFormProps) {
  const text = useText(RECONCILIATION)
  const [search, change] = useFilters()
  const from = search.from ?? isoDayFromToday(FIRST_DAY)
  const to = search.to ?? isoDayFromToday(0)
  const [file, setFile] = useState<File | undefined>(undefined)
  const [isAsked, setAsked] = useState(false)
  const fileProblem =
    file === undefined
      ? text.fileNeeded
      : file.size > FILE_BYTES_MAX
        ? text.fileTooLarge(FILE_SIZE_MAX)
        : undefined
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setAsked(true)
    if (file !== undefined && fileProblem === undefined && !isBusy) onCompare({ file, from, to })
  }
  return (
    <Panel title={text.yourFile}>
      <form className="grid c2" onSubmit={submit} noValidate>
        <div className="stack">
          <FileField
            error={isAsked ? fileProblem : undefined}
            onFile={(chosen) => {
              setFile(chosen)
              setAsked(false)
            }}
          />
          <div className="grid c2">
            <TextField
              type="date"
              label={text.from}
              value={from}
              onValue={(value) => change({ from: value })}
              error={fieldError(error, 'from')}
            />
            <TextField
              type="date"
              label={text.to}
              value={to}
              onValue={(value) => change({ to: value })}
              error={fieldError(error, 'to')}
            />
          </div>
          <ActionProblem error={error} />
          <div className="row">
            <Button type="submit" look="primary" isBusy={isBusy}>
              {text.compare}
            </Button>
            <span className="sub small" role="status">
              {isBusy ? text.comparing : text.fileAbout}
            </span>
          </div>
        </div>
        <Columns />
      </form>
    </Panel>
  )
}

function FileField({
  error,
  onFile,
}: {
  error: string | undefined
  onFile: (file: File | undefined) => void
}) {
  const text = useText(RECONCILIATION)
  return (
    <Field label={text.file} hint={text.fileHint(FILE_SIZE_MAX)} error={error}>
      {(attributes) => (
        <input
          {...attributes}
          type="file"
          className={`input file${error === undefined ? '' : ' is-bad'}`}
          accept=".csv,.txt,.tsv,text/csv,text/plain"
          onChange={(event) => onFile(event.target.files?.[0])}
        />
      )}
    </Field>
  )
}

/** Headings that the service knows. */
function Columns() {
  const text = useText(RECONCILIATION)
  const columns = ['refid', 'amount', 'status', 'date'] as const
  return (
    <div className="stack tight">
      <h3 className="lab">{text.columnsTitle}</h3>
      <Facts
        isLeft
        facts={columns.map((name) => ({
          term: <span className="mono">{name}</span>,
          value: text.columns[name],
        }))}
      />
      <p className="sub small">{text.columnsAbout}</p>
    </div>
  )
}

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
function ComparisonResult({ books, comparison }: { books: Books; comparison: Comparison }) {
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
