import type { Checklist } from '../../api/portal.generated.ts'
import { usePortal } from '../../api/portal.ts'
import { isStaging } from '../../shell/device-panel.tsx'
import { PageLink } from '../../shell/navigation.tsx'
import { whenText } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { buttonClass } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Facts, Panel, Progress } from '../../ui/panel.tsx'
import { Note, Shape } from '../../ui/state.tsx'
import { CHECKLIST, STEP_PAGES } from './checklist.ts'
import { START } from './messages.ts'
import { DevelopersHead } from './tabs.tsx'

/** Steps that are still to be done before programs pay by themselves. */
export function Page() {
  const text = useText(START)
  return (
    <>
      <DevelopersHead about={text.about} />
      <div className="dev-split">
        <StepsPanel />
        <div className="grid">
          <AddressPanel />
          <SigningPanel />
        </div>
      </div>
    </>
  )
}

function StepsPanel() {
  const text = useText(CHECKLIST)
  const start = useText(START)
  const reading = usePortal('portalGetChecklist', {})
  const steps = reading.data?.data.steps ?? []
  const done = steps.filter(({ done_at: at }) => at !== null).length
  return (
    <Panel
      isFlush
      title={text.title}
      actions={
        <span className="dev-meter">
          {text.count(done, steps.length)}
          <Progress label={text.title} share={steps.length === 0 ? 0 : done / steps.length} />
        </span>
      }
    >
      <Loaded reading={reading} bones={8}>
        {({ data }) => (
          <>
            {data.done ? (
              <div className="in">
                <Note tone="ok">
                  <b>{start.allDone}</b> {start.allDoneAbout}
                </Note>
              </div>
            ) : null}
            <Steps steps={data.steps} />
          </>
        )}
      </Loaded>
    </Panel>
  )
}

function Steps({ steps }: { steps: Checklist['steps'] }) {
  const text = useText(CHECKLIST)
  const start = useText(START)
  const next = steps.find(({ done_at: at }) => at === null)?.code
  return (
    <ol className="list dev-steps">
      {steps.map(({ code, done_at: at }) => (
        <li key={code} className={at === null ? undefined : 'done'}>
          <Shape tone={at === null ? 'off' : 'ok'} isColoured />
          <div className="t">
            <b>{text.steps[code]}</b>
            <small>{at === null ? text.why[code] : start.doneOn(whenText(at))}</small>
          </div>
          {at === null && STEP_PAGES[code] !== '/portal/developers' ? (
            <PageLink
              className={buttonClass({ size: 'sm', look: code === next ? 'primary' : 'plain' })}
              to={STEP_PAGES[code]}
              aria-label={`${text.open}: ${text.steps[code]}`}
            >
              {text.open}
            </PageLink>
          ) : null}
        </li>
      ))}
    </ol>
  )
}

function AddressPanel() {
  const text = useText(START)
  const settings = usePortal('portalGetSettings', {})
  const senders = settings.data?.data.sender_addresses ?? []
  return (
    <Panel title={text.addresses}>
      <div className="input secret">
        <span className="mono cut">{location.origin}</span>
        <CopyButton value={location.origin} />
      </div>
      <Facts
        facts={[
          { term: text.environment, value: isStaging() ? text.staging : text.production },
          {
            term: text.documentation,
            value: (
              <a className="link" href="/docs" target="_blank" rel="noopener">
                /docs
              </a>
            ),
          },
          senders.length === 0
            ? undefined
            : { term: text.senders, value: <span className="mono">{senders.join(', ')}</span> },
        ]}
      />
      {senders.length === 0 ? null : <p className="sub small">{text.sendersHint}</p>}
    </Panel>
  )
}

const SIGNING_STEPS = ['hash', 'canonical', 'sign', 'send'] as const

function SigningPanel() {
  const text = useText(START)
  return (
    <Panel title={text.signing}>
      <ol className="fix">
        {SIGNING_STEPS.map((step, index) => (
          <li key={step}>
            <span aria-hidden="true">{index + 1}</span>
            <div>{text.signingSteps[step]}</div>
          </li>
        ))}
      </ol>
    </Panel>
  )
}
