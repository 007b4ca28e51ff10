import { useState } from 'react'
import type { CanonicalComparison, LoggedRequestDetails } from '../../api/portal.generated.ts'
import { portal } from '../../api/portal.ts'
import { useText } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { TextAreaField } from '../../ui/field.tsx'
import { Panel } from '../../ui/panel.tsx'
import { ActionProblem, fieldError } from '../../ui/problem.tsx'
import { Note, State } from '../../ui/state.tsx'
import { useAction } from '../../ui/use-action.ts'
import { differingOf, visible } from './differing.ts'
import { useMistakeText } from './help.tsx'
import { REQUESTS } from './messages.ts'

type Canonical = NonNullable<LoggedRequestDetails['canonical_string']>

const YOURS_LENGTH_MAX = 16_384

/** The signed text as the service built it, beside the reader's own. */
export function ComparePanel({ request }: { request: LoggedRequestDetails }) {
  const text = useText(REQUESTS)
  const { canonical_string: canonical } = request
  return (
    <Panel title={text.canonical}>
      {canonical === null ? (
        <p className="sub small">{text.noCanonical}</p>
      ) : (
        <Compare id={request.id} canonical={canonical} />
      )}
    </Panel>
  )
}

function Compare({ id, canonical }: { id: string; canonical: Canonical }) {
  const text = useText(REQUESTS)
  const [yours, setYours] = useState('')
  const compare = useAction({
    act: (pasted: string) =>
      portal
        .call('portalCompareCanonical', { params: { id }, body: { yours: pasted } })
        .then(({ data }) => ({ pasted, comparison: data })),
  })
  return (
    <div className="stack">
      <p className="mid">{text.canonicalAbout}</p>
      <div className="field">
        <div className="l">
          <span>{text.ours}</span>
          <span className="push">
            <CopyButton value={canonical.text} />
          </span>
        </div>
        <pre className="code wrap">{canonical.text}</pre>
        {canonical.cut ? <span className="hint">{text.cut}</span> : null}
      </div>
      <form
        className="stack tight requests-compare"
        onSubmit={(event) => {
          event.preventDefault()
          compare.run(yours)
        }}
      >
        <TextAreaField
          label={text.yours}
          error={fieldError(compare.error, 'yours')}
          value={yours}
          onValue={setYours}
          spellCheck={false}
          maxLength={YOURS_LENGTH_MAX}
        />
        <ActionProblem error={compare.error} />
        <div>
          <Button type="submit" look="primary" disabled={yours === ''} isBusy={compare.isBusy}>
            {text.compare}
          </Button>
        </div>
      </form>
      {compare.answer === undefined ? null : (
        <Result canonical={canonical} yours={compare.answer.pasted} comparison={compare.answer.comparison} />
      )}
    </div>
  )
}

type ResultProps = {
  readonly canonical: Canonical
  readonly yours: string
  readonly comparison: CanonicalComparison
}

function Result({ canonical, yours, comparison }: ResultProps) {
  const text = useText(REQUESTS)
  const mistakeText = useMistakeText()
  const { difference, mistake } = comparison
  return (
    <section className="stack tight" aria-label={text.result} aria-live="polite">
      {difference === null ? (
        <State tone="ok">{canonical.cut ? text.equalCut : text.equal}</State>
      ) : (
        <>
          <State tone="bad">
            {text.differs(text.parts[difference.part], difference.line, difference.column)}
          </State>
          <Both canonical={canonical} yours={yours} />
        </>
      )}
      {mistake !== null ? (
        <Note tone="warning">
          <b>{text.mistake}:</b> {mistakeText(mistake)} <span className="mono sub">{mistake.code}</span>
        </Note>
      ) : difference === null ? null : (
        <Note tone="info">{text.noMistake}</Note>
      )}
    </section>
  )
}

/** Both texts, with the part that differs marked in each. */
function Both({ canonical, yours }: { canonical: Canonical; yours: string }) {
  const text = useText(REQUESTS)
  const parts = differingOf(canonical.text, yours, canonical.cut)
  const line = (differing: string) => (
    <pre className="code wrap">
      {parts.before}
      <mark className={differing === '' ? 'empty-mark' : undefined}>
        {differing === '' ? <span className="hide">{text.nothing}</span> : visible(differing)}
      </mark>
      {parts.after}
    </pre>
  )
  return (
    <div className="both">
      <div>
        <span className="sub small">{text.service}</span>
        {line(parts.ours)}
      </div>
      <div>
        <span className="sub small">{text.you}</span>
        {line(parts.yours)}
      </div>
    </div>
  )
}
