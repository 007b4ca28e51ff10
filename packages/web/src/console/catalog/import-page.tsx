import { useEffect, useState } from 'react'
import { ApiProblem } from '../../api/errors.ts'
import type { CatalogueFile, PreviewCatalogueResponse } from '../../api/operator.generated.ts'
import { operator } from '../../api/operator.ts'
import { PageLink } from '../../shell/navigation.tsx'
import { durationText } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { countText } from '../../text/numbers.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Checkbox, Field } from '../../ui/field.tsx'
import { PageHead, Panel, Progress } from '../../ui/panel.tsx'
import { ActionProblem } from '../../ui/problem.tsx'
import { Note, Shape } from '../../ui/state.tsx'
import { useAction } from '../../ui/use-action.ts'
import { CONSOLE } from '../messages.ts'
import { ChangeReview } from './change-review.tsx'
import { CHANGE } from './messages.ts'
import './supply.css'

const STEPS = ['read', 'preview', 'review', 'import'] as const
const BYTES_MAX = 64 * 1024 * 1024

type Request = { readonly files: CatalogueFile[]; readonly deactivate_missing: boolean }

/** Files become a change: looked at first, then made. */
export function Page() {
  const text = useText(CHANGE)
  const pages = useText(CONSOLE)
  const [chosen, setChosen] = useState<readonly File[]>([])
  const [deactivates, setDeactivates] = useState(false)
  const [step, setStep] = useState<number | undefined>(undefined)
  const [version, setVersion] = useState<number | undefined>(undefined)
  const preview = useAction<void, { request: Request; data: PreviewCatalogueResponse['data'] }>({
    act: async () => {
      setStep(0)
      const files = await Promise.all(
        chosen.map(async (file) => ({ name: file.name, content: await file.text() })),
      )
      setStep(1)
      const request = { files, deactivate_missing: deactivates }
      const { data } = await operator.call('previewCatalogue', { body: request })
      setStep(2)
      return { request, data }
    },
  })
  const restart = () => {
    preview.reset()
    setStep(undefined)
    setVersion(undefined)
    setChosen([])
  }
  const isRunning = step === 0 || step === 1 || step === 3
  return (
    <>
      <PageHead
        crumbs={
          <>
            <PageLink to="/operator/catalogue">{pages.catalogue}</PageLink> › {pages.import}
          </>
        }
        title={text.title}
        about={text.about}
      />
      <div className="grid c84">
        <div className="stack">
          {preview.answer === undefined ? (
            <FilesPanel
              chosen={chosen}
              onChosen={setChosen}
              deactivates={deactivates}
              onDeactivates={setDeactivates}
              isBusy={preview.isBusy}
              error={preview.error}
              onPreview={() => preview.run()}
            />
          ) : (
            <Panel
              title={text.whatChanges}
              actions={
                <Button size="sm" onClick={restart} disabled={step === 3}>
                  {version === undefined ? text.again : text.another}
                </Button>
              }
            >
              {version === undefined ? (
                <ChangeReview
                  request={preview.answer.request}
                  preview={preview.answer.data}
                  onBusy={(isBusy) => setStep(isBusy ? 3 : 2)}
                  onDone={setVersion}
                />
              ) : (
                <div className="stack">
                  <Note tone="ok">
                    {text.done} {version}
                  </Note>
                  <p>
                    <PageLink className={buttonClass({})} to="/operator/catalogue">
                      {text.toCatalog}
                    </PageLink>
                  </p>
                </div>
              )}
            </Panel>
          )}
        </div>
        <Panel title={text.progress}>
          <Steps at={version === undefined ? step : STEPS.length} isRunning={isRunning} />
        </Panel>
      </div>
    </>
  )
}

type FilesPanelProps = {
  chosen: readonly File[]
  onChosen: (files: readonly File[]) => void
  deactivates: boolean
  onDeactivates: (isOn: boolean) => void
  isBusy: boolean
  error: unknown
  onPreview: () => void
}

function FilesPanel(props: FilesPanelProps) {
  const { chosen, onChosen, deactivates, onDeactivates, isBusy, error, onPreview } = props
  const text = useText(CHANGE)
  const bytes = chosen.reduce((sum, { size }) => sum + size, 0)
  const isTooLarge = bytes > BYTES_MAX
  return (
    <Panel title={text.files}>
      <div className="stack">
        <Field
          label={text.files}
          hint={chosen.length === 0 ? text.filesHint : text.chosen(chosen.length, sizeText(bytes))}
          error={isTooLarge ? text.tooLarge : undefined}
        >
          {(attributes) => (
            <input
              {...attributes}
              type="file"
              multiple
              accept=".csv,.json,text/csv,application/json"
              onChange={(event) => onChosen([...(event.target.files ?? [])])}
            />
          )}
        </Field>
        <Checkbox
          label={
            <>
              {text.missing} <span className="sub">{text.missingAbout}</span>
            </>
          }
          isOn={deactivates}
          onToggle={onDeactivates}
        />
        <ActionProblem error={error} />
        <LineProblems error={error} />
        <div className="row">
          <Button
            look="primary"
            disabled={chosen.length === 0 || isTooLarge}
            isBusy={isBusy}
            onClick={onPreview}
          >
            {text.preview}
          </Button>
        </div>
      </div>
    </Panel>
  )
}

/** Problems of the files, each with its file and line. */
function LineProblems({ error }: { error: unknown }) {
  if (!(error instanceof ApiProblem)) return null
  const problems = Object.entries(error.fields).flatMap(([place, messages]) =>
    messages.map((message) => ({ place, message })),
  )
  if (problems.length === 0) return null
  return (
    <ul className="list framed">
      {problems.map(({ place, message }) => (
        <li key={`${place} ${message}`}>
          <Shape tone="bad" isColoured />
          <div className="t">
            <b className="mono">{place}</b> {message}
          </div>
        </li>
      ))}
    </ul>
  )
}

function sizeText(bytes: number): string {
  return bytes < 1024 ? `${bytes} B` : `${countText(bytes / 1024)} kB`
}

function Steps({ at, isRunning }: { at: number | undefined; isRunning: boolean }) {
  const text = useText(CHANGE)
  return (
    <div className="stack">
      <Progress label={text.progress} share={(at ?? 0) / STEPS.length} />
      <ol className="steps">
        {STEPS.map((step, index) => (
          <li key={step} aria-current={index === at ? 'step' : undefined}>
            <Shape tone={at !== undefined && index < at ? 'ok' : index === at ? 'wait' : 'off'} isColoured />
            <span className={index === at ? 'strong' : 'mid'}>{text.steps[step]}</span>
          </li>
        ))}
      </ol>
      {isRunning ? <Elapsed key={at} /> : null}
    </div>
  )
}

/** Time that the current step takes, so that a large file does not look stuck. */
function Elapsed() {
  const text = useText(CHANGE)
  const [startedAt] = useState(() => Date.now())
  const [now, setNow] = useState(startedAt)
  useEffect(() => {
    const timer = window.setInterval(() => setNow(Date.now()), 1_000)
    return () => window.clearInterval(timer)
  }, [])
  return <p className="sub small">{text.elapsed(durationText(now - startedAt + 1))}</p>
}
