import type { ChangeEvent } from 'react'
import { useState } from 'react'
import { usePortal } from '../../api/portal.ts'
import { isoDayFromToday } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { countText } from '../../text/numbers.ts'
import { useRefusalText } from '../../text/remarks.ts'
import { Button } from '../../ui/button.tsx'
import { downloadText } from '../../ui/download.ts'
import { Field, TextAreaField, TextField } from '../../ui/field.tsx'
import { PageHead, Panel, Progress } from '../../ui/panel.tsx'
import { ActionProblem } from '../../ui/problem.tsx'
import { Note } from '../../ui/state.tsx'
import { PORTAL } from '../messages.ts'
import { useMay } from '../session.ts'
import { HistoryPanel } from './history-panel.tsx'
import type { FileProblem } from './lines.ts'
import { FILE_BYTES_MAX, fileText, sampleFile } from './lines.ts'
import { LinesPanel } from './lines-panel.tsx'
import { BULK } from './messages.ts'
import { RunPanel } from './run-panel.tsx'
import { SchedulesPanel } from './schedules-panel.tsx'
import type { Bulk } from './use-bulk.ts'
import { useBulk } from './use-bulk.ts'
import './bulk.css'

/** A file of payments: checked first, then paid line by line. */
export function Page() {
  const text = useText(BULK)
  const pages = useText(PORTAL)
  const mayPay = useMay('bulk')
  const bulk = useBulk(text.sameRefid, useRefusalText())
  const { reading } = bulk
  const [file, setFile] = useState({ contents: '', batch: '' })
  const use = (contents: string) => {
    // Under a name of its own, the same lines are payments of their own.
    setFile({ contents, batch: isoDayFromToday(0) })
    window.scrollTo({ top: 0 })
  }
  return (
    <>
      <PageHead title={pages.bulk} about={text.about} />
      <div className="grid">
        {mayPay ? null : <Note tone="info">{text.viewer}</Note>}
        {mayPay && reading.kind === 'read' ? (
          <>
            <RunPanel bulk={bulk} preview={reading.preview} />
            <LinesPanel rows={bulk.rows} />
          </>
        ) : (
          <>
            {mayPay ? <FilePanel bulk={bulk} file={file} setFile={setFile} /> : null}
            <SchedulesPanel mayChange={mayPay} />
            <HistoryPanel onUse={mayPay ? use : undefined} />
          </>
        )}
      </div>
    </>
  )
}

const BATCH_LENGTH_MAX = 100

type BulkFile = { readonly contents: string; readonly batch: string }

type FilePanelProps = {
  readonly bulk: Bulk
  readonly file: BulkFile
  readonly setFile: (file: BulkFile) => void
}

/** Takes the file, by upload or by paste. It stays in the browser until it is checked. */
function FilePanel({ bulk, file, setFile }: FilePanelProps) {
  const text = useText(BULK)
  const { contents, batch } = file
  const setContents = (contents: string) => setFile({ ...file, contents })
  const setBatch = (batch: string) => setFile({ ...file, batch })
  const [refused, setRefused] = useState<FileProblem | null>(null)
  const catalog = usePortal('portalGetSellCatalog', {})
  const { reading } = bulk
  const choose = async (event: ChangeEvent<HTMLInputElement>) => {
    const chosen = event.target.files?.[0]
    if (chosen === undefined) return
    if (chosen.size > FILE_BYTES_MAX) return setRefused({ kind: 'size' })
    const read = await fileText(new Uint8Array(await chosen.arrayBuffer()))
    setRefused(read.kind === 'problem' ? read.problem : null)
    if (read.kind === 'text') setContents(read.text)
  }
  const products = Object.values(catalog.data?.products ?? {})
  return (
    <Panel
      title={text.file}
      actions={
        <Button
          size="sm"
          icon="down"
          disabled={products.length === 0}
          onClick={() => downloadText(sampleFile(products), 'payments-sample.csv')}
        >
          {text.sample}
        </Button>
      }
    >
      <div className="stack bulk-file">
        <Field label={text.choose} hint={`${text.columns} ${text.limits}`}>
          {(attributes) => (
            <input
              {...attributes}
              type="file"
              accept=".csv,.xlsx,text/csv,text/plain"
              onChange={(event) => void choose(event)}
            />
          )}
        </Field>
        <TextAreaField
          label={text.paste}
          value={contents}
          onValue={(value) => setContents(value.slice(0, FILE_BYTES_MAX))}
          rows={8}
          spellCheck={false}
          placeholder="product,account,amount"
        />
        <TextField
          label={text.batch}
          hint={text.batchHint}
          value={batch}
          onValue={setBatch}
          maxLength={BATCH_LENGTH_MAX}
          autoComplete="off"
        />
        <Note tone="info">{text.safe}</Note>
        {refused === null ? null : <ProblemNote problem={refused} />}
        {reading.kind === 'problem' ? <ProblemNote problem={reading.problem} /> : null}
        {reading.kind === 'failed' ? <ActionProblem error={reading.error} /> : null}
        {reading.kind === 'reading' ? <Progress label={text.checking} share={reading.share} /> : null}
        <div className="row wrap">
          <Button
            look="primary"
            disabled={contents.trim() === ''}
            isBusy={reading.kind === 'reading'}
            onClick={() => void bulk.preview(contents, batch.trim())}
          >
            {text.check}
          </Button>
          <span className="sub small">{text.nothingPaid}</span>
        </div>
      </div>
    </Panel>
  )
}

function useProblemText(problem: FileProblem): string {
  const { problems } = useText(BULK)
  switch (problem.kind) {
    case 'columns':
      return problems.columns(problem.missing.join(', '))
    case 'cell':
    case 'formula':
    case 'digits':
      return problems[problem.kind](countText(problem.line))
    default:
      return problems[problem.kind]
  }
}

function ProblemNote({ problem }: { problem: FileProblem }) {
  return (
    <div role="alert">
      <Note tone="bad">{useProblemText(problem)}</Note>
    </div>
  )
}
