import { useState } from 'react'
import type { CanonicalComparison, LoggedRequestDetails } from '../../api/portal.generated.ts'
import { portal, usePortal, usePortalAhead } from '../../api/portal.ts'
import { PageLink, useParam } from '../../shell/navigation.tsx'
import { dateTimeText, ZONE_NAME } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { TextAreaField } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Facts, Panel } from '../../ui/panel.tsx'
import { ActionProblem, fieldError } from '../../ui/problem.tsx'
import type { Tone } from '../../ui/state.tsx'
import { Note, Pill, Shape, State } from '../../ui/state.tsx'
import { useAction } from '../../ui/use-action.ts'
import { DevelopersHead } from '../developers/tabs.tsx'
import { PORTAL } from '../messages.ts'
import { differingOf, visible } from './differing.ts'
import { Marked, PaymentOf, useCheckText, useHelp, useMistakeText } from './help.tsx'
import { REQUESTS } from './messages.ts'
import './requests.css'

/** One request: how far it came, what was wrong, and how the signed text should have been. */
export function Page() {
  const id = useParam('id')
  const reading = usePortal('portalGetRequest', { params: { id } })
  usePortalAhead('portalListKeys', {})
  return (
    <>
      <DevelopersHead />
      <Loaded reading={reading} bones={10}>
        {({ data }) => <Request request={data} />}
      </Loaded>
    </>
  )
}

function Request({ request }: { request: LoggedRequestDetails }) {
  const pages = useText(PORTAL)
  return (
    <>
      <div className="crumbs">
        <PageLink to="/portal/developers/requests">{pages.requests}</PageLink>
        <Icon name="chevronRight" small />
        <span className="mono">
          {request.method} {request.route}
        </span>
      </div>
      <div className="dev-split">
        <div className="grid">
          <OutcomePanel request={request} />
          <ComparePanel key={request.id} request={request} />
        </div>
        <div className="grid">
          <ChecksPanel checks={request.checks} />
          <FactsPanel request={request} />
        </div>
      </div>
    </>
  )
}

function OutcomePanel({ request }: { request: LoggedRequestDetails }) {
  const text = useText(REQUESTS)
  const { cause, remedy } = useHelp(request)
  const isFailed = request.status >= 400
  return (
    <Panel
      title={text.title(request.status)}
      actions={
        <Pill tone={isFailed ? 'bad' : 'ok'}>
          {request.status} {request.error}
        </Pill>
      }
    >
      <div className="stack tight">
        <p className="strong">
          {cause === null ? isFailed ? text.otherError : text.worked : <Marked>{cause}</Marked>}
        </p>
        {request.message === null ? null : (
          <p className="mid">
            {text.message}: {request.message}
          </p>
        )}
        {remedy === null ? null : (
          <Note tone="info">
            <b>{text.remedy}:</b> <Marked>{remedy}</Marked>
          </Note>
        )}
      </div>
    </Panel>
  )
}

type Check = LoggedRequestDetails['checks'][number]

const CHECK_TONES: Readonly<Record<Check['state'], Tone>> = {
  passed: 'ok',
  failed: 'bad',
  not_reached: 'off',
  not_needed: 'off',
}

const CHECK_CLASSES: Readonly<Record<Check['state'], string>> = {
  passed: 'pass',
  failed: 'stop',
  not_reached: 'left',
  not_needed: 'left',
}

function ChecksPanel({ checks }: { checks: readonly Check[] }) {
  const text = useText(REQUESTS)
  const checkText = useCheckText()
  return (
    <Panel title={text.checks}>
      <ol className="chk" aria-label={text.checksLabel}>
        {checks.map((check) => (
          <li key={check.code} className={CHECK_CLASSES[check.state]}>
            <span className="num">{check.number}</span>
            <Shape tone={CHECK_TONES[check.state]} isColoured />
            <span>
              {checkText(check)}
              <span className={check.state === 'passed' ? 'hide' : undefined}>
                : {text.states[check.state]}
              </span>
            </span>
          </li>
        ))}
      </ol>
    </Panel>
  )
}

function FactsPanel({ request }: { request: LoggedRequestDetails }) {
  const text = useText(REQUESTS)
  return (
    <Panel title={text.facts} actions={<CopyButton value={request.request_id} label={text.requestId} />}>
      <Facts
        facts={[
          request.refid === null ? undefined : { term: text.refid, value: <PaymentOf request={request} /> },
          request.code === null ? undefined : { term: text.paymentCode, value: request.code },
          { term: text.requestId, value: <span className="mono">{request.request_id}</span> },
          { term: text.at, value: `${dateTimeText(request.at)} ${ZONE_NAME}` },
          { term: text.took, value: text.took1(request.duration_ms.toFixed(1)) },
          { term: text.address, value: request.address },
          request.key_id === null ? undefined : { term: text.key, value: <KeyOf id={request.key_id} /> },
          request.user_id === null ? undefined : { term: text.member, value: request.user_id },
        ]}
      />
    </Panel>
  )
}

/** Name of the key, once the list of keys is there. */
function KeyOf({ id }: { id: string }) {
  const { data } = usePortal('portalListKeys', {})
  const key = data?.data.find((each) => each.id === id)
  if (key === undefined) return <span className="mono">{id}</span>
  return (
    <>
      {key.label} <span className="mono sub">…{key.key.slice(-4)}</span>
    </>
  )
}

type Canonical = NonNullable<LoggedRequestDetails['canonical_string']>

const YOURS_LENGTH_MAX = 16_384

/** The signed text as the service built it, beside the reader's own. */
function ComparePanel({ request }: { request: LoggedRequestDetails }) {
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
