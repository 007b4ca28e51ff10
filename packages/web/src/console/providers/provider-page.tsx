import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLive } from '../../api/live.ts'
import type { GetProviderResponse } from '../../api/operator.generated.ts'
import { operatorKey, useOperator, useOperatorAhead } from '../../api/operator.ts'
import { Crumbs, PageLink, useParam } from '../../shell/navigation.tsx'
import { dateTimeText, whenText } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Facts, PageHead, Panel } from '../../ui/panel.tsx'
import { Shape } from '../../ui/state.tsx'
import { useMayChangeProviders } from '../catalog/parts.tsx'
import { CONSOLE } from '../messages.ts'
import { useMay } from '../roles.ts'
import { FailuresPanel, WordsPanel } from './answers-panels.tsx'
import { FloatPanel, ProviderPill } from './float.tsx'
import { HistoryPanel, NodesPanel, useHistoryInput } from './history-panel.tsx'
import { PROVIDERS } from './messages.ts'
import { ClaimsPanel, ProofsPanel } from './pack-panels.tsx'
import { RoutesPanel } from './routes-panel.tsx'
import { SwitchDialog } from './switch-dialog.tsx'
import { UpgradePanel } from './upgrade-panel.tsx'
import '../catalog/supply.css'

/** Reads that the news about providers make old. */
const FRESH = [
  'getProvider',
  'listProviders',
  'getProviderHealth',
  'listProviderFailures',
  'listUnknownAnswers',
] as const

type ProviderData = GetProviderResponse['data']

/** Command that changes a provider's secrets; a name, in every language. */
const COMMAND = 'warungd provider'

/** Leave it, route around it, or switch it off. */
export function Page() {
  const code = useParam('code')
  const pages = useText(CONSOLE)
  const client = useQueryClient()
  const reading = useOperator('getProvider', { params: { code } })
  const historyInput = useHistoryInput(code)
  useOperatorAhead('getProviderHealth', historyInput)
  useOperatorAhead('listRoutes', {})
  useOperatorAhead('listProviders', {})
  useOperatorAhead('listAlerts', ALERTS_INPUT)
  useOperatorAhead('listUnknownAnswers', { params: { code } })
  useOperatorAhead('listProviderFailures', { params: { code } })
  useLive(['providers', 'reset'], () => {
    for (const id of FRESH) {
      void client.invalidateQueries({ queryKey: operatorKey(id) })
    }
  })
  if (reading.data === undefined) {
    return (
      <>
        <PageHead title={code} crumbs={<PageLink to="/operator/providers">{pages.providers}</PageLink>} />
        <Loaded reading={reading} bones={8}>
          {() => null}
        </Loaded>
      </>
    )
  }
  return <ProviderView provider={reading.data.data} />
}

function ProviderView({ provider }: { provider: ProviderData }) {
  const text = useText(PROVIDERS)
  const pages = useText(CONSOLE)
  const may = useMay()
  const mayChange = useMayChangeProviders()
  const [isSwitching, setSwitching] = useState(false)
  return (
    <>
      <PageHead
        crumbs={<Crumbs to="/operator/providers" label={pages.providers} here={provider.code} />}
        title={
          <>
            {provider.name} <ProviderPill provider={provider} />
          </>
        }
        about={text.kind(provider.kind, dateTimeText(provider.created_at), dateTimeText(provider.updated_at))}
        actions={
          <>
            {may('notices.write') ? (
              <PageLink
                className={buttonClass({})}
                to="/operator/notices"
                search={{ target: 'provider', code: provider.code }}
              >
                <Icon name="flag" />
                {text.notice}
              </PageLink>
            ) : null}
            {may('offers.read') ? (
              <PageLink
                className={buttonClass({})}
                to="/operator/offers"
                search={{ provider: provider.code }}
              >
                <Icon name="inbox" />
                {pages.offers}
              </PageLink>
            ) : null}
            {mayChange && provider.pack !== null && !provider.enabled ? (
              <PageLink
                className={buttonClass({})}
                to="/operator/providers/new"
                search={{ provider: provider.code, step: 'prove' }}
              >
                <Icon name="plug" />
                {text.goOn}
              </PageLink>
            ) : null}
            {mayChange ? (
              <Button
                icon="pause"
                look={provider.enabled ? 'danger-quiet' : 'plain'}
                onClick={() => setSwitching(true)}
              >
                {provider.enabled ? text.switchOff : text.switchOn}
              </Button>
            ) : null}
          </>
        }
      />
      <div className="grid c84">
        <div className="stack">
          <NodesPanel health={provider.health} />
          <HistoryPanel code={provider.code} />
          <FailuresPanel code={provider.code} />
          <RoutesPanel code={provider.code} />
          {provider.pack === null ? null : <PackPanels code={provider.code} />}
        </div>
        <div className="stack">
          <NowPanel code={provider.code} />
          <WordsPanel code={provider.code} />
          <FloatPanel float={provider.float} />
          <LimitsPanel provider={provider} />
          <SecretsPanel provider={provider} />
        </div>
      </div>
      {isSwitching ? <SwitchDialog provider={provider} onClose={() => setSwitching(false)} /> : null}
    </>
  )
}

/** Claims about the supplier, their proofs, and the changes of a newer version of its pack. */
function PackPanels({ code }: { code: string }) {
  const reading = useOperator('getProviderPack', { params: { code } })
  return (
    <Loaded reading={reading} bones={6}>
      {({ data }) => (
        <>
          {data.upgrade === null ? null : <UpgradePanel upgrade={data.upgrade} />}
          <ClaimsPanel pack={data} />
          <ProofsPanel pack={data} />
        </>
      )}
    </Loaded>
  )
}

const ALERTS_INPUT = { query: { limit: 100 } }

/** Open alerts that name the provider. */
function NowPanel({ code }: { code: string }) {
  const text = useText(PROVIDERS)
  const reading = useOperator('listAlerts', ALERTS_INPUT)
  return (
    <Panel
      isFlush
      title={text.now}
      actions={
        <PageLink className="link" to="/operator/stuck">
          {text.stuck}
        </PageLink>
      }
    >
      <Loaded reading={reading} bones={1}>
        {({ data }) => {
          const own = data.filter(({ subject }) => subject === code)
          return own.length === 0 ? (
            <p className="sub small pad">{text.nothingNow}</p>
          ) : (
            <ul className="list">
              {own.map((alert) => (
                <li key={alert.id}>
                  <Shape tone={alert.severity} isColoured />
                  <div className="t">
                    <b className="mid-weight">{alert.text}</b>
                    <small>
                      {alert.kind}, {whenText(alert.raised_at)}
                    </small>
                  </div>
                </li>
              ))}
            </ul>
          )
        }}
      </Loaded>
    </Panel>
  )
}

function LimitsPanel({ provider }: { provider: ProviderData }) {
  const text = useText(PROVIDERS)
  const limits = flatten(provider.limits)
  return (
    <Panel title={text.limits} actions={<span className="sub small">{text.eachNode}</span>}>
      {limits.length === 0 ? (
        <p className="sub small">{text.asConnector}</p>
      ) : (
        <Facts
          facts={limits.map(([name, value]) => ({ term: <span className="mono">{name}</span>, value }))}
        />
      )}
    </Panel>
  )
}

/** Limits as pairs. Their names are the connector's own words. */
function flatten(limits: Readonly<Record<string, unknown>>, prefix = ''): [string, string][] {
  return Object.entries(limits).flatMap(([name, value]): [string, string][] =>
    typeof value === 'object' && value !== null
      ? flatten(value as Readonly<Record<string, unknown>>, `${prefix}${name}.`)
      : [[`${prefix}${name}`, String(value)]],
  )
}

function SecretsPanel({ provider }: { provider: ProviderData }) {
  const text = useText(PROVIDERS)
  if (provider.config === null) return null
  return (
    <Panel title={text.secrets} actions={<span className="sub small">{text.namesOnly}</span>}>
      <Facts
        facts={provider.secrets.map(({ name, set_at: at }) => ({
          term: <span className="mono">{name}</span>,
          value: text.setAt(whenText(at)),
        }))}
      />
      <p className="small sub">
        {text.secretsAbout} <span className="mono">{COMMAND}</span>.
      </p>
    </Panel>
  )
}
