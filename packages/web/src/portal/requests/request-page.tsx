import type { LoggedRequestDetails } from '../../api/portal.generated.ts'
import { usePortal, usePortalAhead } from '../../api/portal.ts'
import { PageLink, useParam } from '../../shell/navigation.tsx'
import { dateTimeText, ZONE_NAME } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { CopyButton } from '../../ui/copy.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Facts, Panel } from '../../ui/panel.tsx'
import type { Tone } from '../../ui/state.tsx'
import { Note, Pill, Shape } from '../../ui/state.tsx'
import { DevelopersHead } from '../developers/tabs.tsx'
import { PORTAL } from '../messages.ts'
import { ComparePanel } from './compare-panel.tsx'
import { Marked, useCheckText, useHelp } from './help.tsx'
import { REQUESTS } from './messages.ts'
import { PaymentOf } from './payment-of.tsx'
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
