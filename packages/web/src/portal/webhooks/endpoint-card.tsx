import type { Endpoint } from '../../api/portal.generated.ts'
import { portal, portalKey } from '../../api/portal.ts'
import { PageLink } from '../../shell/navigation.tsx'
import { durationText, whenText } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { countText } from '../../text/numbers.ts'
import { Button } from '../../ui/button.tsx'
import type { Fact } from '../../ui/panel.tsx'
import { Facts } from '../../ui/panel.tsx'
import { ActionProblem } from '../../ui/problem.tsx'
import { Note, Pill } from '../../ui/state.tsx'
import { useAction } from '../../ui/use-action.ts'
import { WEBHOOKS } from './messages.ts'
import type { EndpointAction } from './streams.ts'
import { HEALTH_TONES, healthOf } from './streams.ts'

type CardProps = {
  readonly endpoint: Endpoint
  readonly isCurrent: boolean
  /** Absent for readers who may change nothing. */
  readonly onAction: ((action: EndpointAction) => void) | undefined
}

/** Endpoint of one stream: where it sends, how it goes, and what can be done. */
export function EndpointCard({ endpoint, isCurrent, onAction }: CardProps) {
  const text = useText(WEBHOOKS)
  const health = healthOf(endpoint)
  return (
    <section className={isCurrent ? 'panel ep on' : 'panel ep'} aria-label={text.streams[endpoint.stream]}>
      <header>
        <h2>
          <PageLink
            to={`/portal/developers/webhooks/${endpoint.stream}`}
            aria-current={isCurrent ? 'true' : undefined}
          >
            {text.streams[endpoint.stream]}
          </PageLink>
        </h2>
        <span className="push">
          <Pill tone={HEALTH_TONES[health]} small>
            {text.health[health]}
          </Pill>
        </span>
      </header>
      <div className="in">
        {endpoint.is_configured ? (
          <Configured endpoint={endpoint} canResume={onAction !== undefined} />
        ) : (
          <p className="sub small">{text.streamsAbout[endpoint.stream]}</p>
        )}
      </div>
      {onAction === undefined ? null : <Actions endpoint={endpoint} onAction={onAction} />}
    </section>
  )
}

function Configured({ endpoint, canResume }: { endpoint: Endpoint; canResume: boolean }) {
  const text = useText(WEBHOOKS)
  return (
    <>
      <p className="mono cut url" title={endpoint.url}>
        {endpoint.method === null ? null : <span className="tag">{endpoint.method}</span>} {endpoint.url}
      </p>
      <Facts facts={useFacts(endpoint)} />
      {endpoint.types.length === 0 ? null : (
        <p className="small sub sends">
          {text.sends} <span className="mono">{endpoint.types.join(', ')}</span>
        </p>
      )}
      {endpoint.paused_at === null ? null : (
        <Paused endpoint={endpoint} since={endpoint.paused_at} canResume={canResume} />
      )}
    </>
  )
}

function useFacts(endpoint: Endpoint): readonly (Fact | undefined)[] {
  const text = useText(WEBHOOKS)
  const { failing_since: failing, last_success_at: taken } = endpoint
  return [
    failing === null
      ? { term: text.lastTaken, value: taken === null ? text.never : whenText(taken) }
      : {
          term: text.failingSince,
          value: text.failingFor(whenText(failing), durationText(Date.now() - Date.parse(failing))),
        },
    { term: text.waiting, value: countText(endpoint.pending) },
    endpoint.secret_last_four === ''
      ? undefined
      : { term: text.secret, value: <span className="mono">whsec_…{endpoint.secret_last_four}</span> },
  ]
}

/** Endpoint that failed so long that nothing more is sent, until it is resumed or a test arrives. */
function Paused({ endpoint, since, canResume }: { endpoint: Endpoint; since: string; canResume: boolean }) {
  const text = useText(WEBHOOKS)
  const resume = useAction({
    act: () =>
      endpoint.stream === 'callback'
        ? portal.call('portalPutEndpoint', {
            params: { stream: endpoint.stream },
            body: { url: endpoint.url, method: endpoint.method ?? 'POST' },
          })
        : portal.call('portalChangeEndpoint', {
            params: { stream: endpoint.stream },
            body: { enabled: true },
          }),
    done: () => text.resumed,
    refresh: [portalKey('portalListEndpoints'), portalKey('portalListDeliveries')],
  })
  return (
    <>
      <Note tone="critical">
        <b>{text.pausedSince(whenText(since))}</b> {text.pausedAbout}{' '}
        {canResume ? (
          <Button size="sm" isBusy={resume.isBusy} onClick={() => resume.run()}>
            {text.resume}
          </Button>
        ) : null}
      </Note>
      <ActionProblem error={resume.error} />
    </>
  )
}

type ActionsProps = { readonly endpoint: Endpoint; readonly onAction: (action: EndpointAction) => void }

function Actions({ endpoint, onAction }: ActionsProps) {
  const text = useText(WEBHOOKS)
  const name = text.streams[endpoint.stream]
  const button = (action: EndpointAction, label: string, look?: 'quiet' | 'primary') => (
    <Button
      size="sm"
      {...(look === undefined ? {} : { look })}
      aria-label={`${label}: ${name}`}
      onClick={() => onAction(action)}
    >
      {label}
    </Button>
  )
  if (!endpoint.is_configured) {
    return <div className="foot-row">{button('configure', text.setUp, 'primary')}</div>
  }
  return (
    <div className="foot-row">
      {endpoint.enabled ? button('test', text.sendTest) : null}
      {button('configure', text.edit)}
      {endpoint.stream === 'callback'
        ? null
        : button('switch', endpoint.enabled ? text.switchOff : text.switchOn)}
      <span className="row tight push">
        {button('rotate', text.rotateSecret, 'quiet')}
        {button('remove', text.remove, 'quiet')}
      </span>
    </div>
  )
}
