import type { FormEvent } from 'react'
import { useState } from 'react'
import type { Comparison } from '../../api/portal.generated.ts'
import { portal } from '../../api/portal.ts'
import { useFilters } from '../../shell/navigation.tsx'
import { isoDayFromToday } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { Field, TextField } from '../../ui/field.tsx'
import { Facts, PageHead, Panel } from '../../ui/panel.tsx'
import { ActionProblem, fieldError } from '../../ui/problem.tsx'
import { useAction } from '../../ui/use-action.ts'
import { PORTAL } from '../messages.ts'
import { ComparisonResult } from './comparison-result.tsx'
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
export type Books = { readonly file: File; readonly from: string; readonly to: string }

const FILE_BYTES_MAX = 10 * 1_024 * 1_024
const FILE_SIZE_MAX = '10 MB'
/** Days that are compared unless the reader chooses others: as many as a list shows by itself. */
const FIRST_DAY = -30

export type ComparisonFormProps = {
  readonly onCompare: (books: Books) => void
  readonly isBusy: boolean
  readonly error: unknown
}

export function ComparisonForm({ onCompare, isBusy, error }: ComparisonFormProps) {
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
