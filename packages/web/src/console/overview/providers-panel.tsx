import type { OperatorOverview } from '../../api/operator.generated.ts'
import { PageLink } from '../../shell/navigation.tsx'
import { durationText } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { countText, percentText } from '../../text/numbers.ts'
import { Panel } from '../../ui/panel.tsx'
import type { Tone } from '../../ui/state.tsx'
import { State } from '../../ui/state.tsx'
import type { Column } from '../../ui/table.tsx'
import { Table } from '../../ui/table.tsx'
import { isWell } from '../providers/rules.ts'
import { OVERVIEW } from './messages.ts'

export type OverviewProvider = NonNullable<OperatorOverview['providers']>[number]

const TONES = { closed: 'ok', open: 'bad', half_open: 'wait' } as const satisfies Record<string, Tone>

/** Providers with their breakers. */
export function ProvidersPanel({ providers }: { providers: readonly OverviewProvider[] }) {
  const text = useText(OVERVIEW)
  const columns: Column<OverviewProvider>[] = [
    { key: 'provider', head: text.provider, cell: (provider) => <Name {...provider} /> },
    { key: 'breaker', head: text.breaker, cell: (provider) => <Breaker {...provider} /> },
    {
      key: 'orders',
      head: text.orders,
      isRight: true,
      className: 'wide-only',
      cell: ({ health }) => (health === null ? '–' : countText(health.orders)),
    },
    {
      key: 'answered',
      head: text.answered,
      isRight: true,
      className: 'nowrap',
      cell: ({ health }) => (health === null ? '–' : <Answered {...health} />),
    },
    {
      key: 'p95',
      head: text.p95,
      isRight: true,
      className: 'nowrap mid',
      cell: ({ health }) => (health?.p95_ms == null ? '–' : durationText(health.p95_ms)),
    },
  ]
  return (
    <Panel
      isFlush
      title={text.providers}
      about={text.lastHalfMinute}
      actions={
        <PageLink className="link" to="/operator/providers">
          {text.all}
        </PageLink>
      }
    >
      <Table caption={text.providers} columns={columns} rows={providers} rowKey={({ code }) => code} />
    </Panel>
  )
}

function Name({ code, name }: OverviewProvider) {
  return (
    <div className="who2">
      <PageLink className="mid-weight" to={`/operator/providers/${encodeURIComponent(code)}`}>
        {name}
      </PageLink>
      <small className="mono">{code}</small>
    </div>
  )
}

function Answered({ orders, answered }: { orders: number; answered: number }) {
  return (
    <>
      {countText(answered)}{' '}
      {orders === 0 ? null : <span className="sub">{percentText(answered / orders, 0)}%</span>}
    </>
  )
}

function Breaker({ enabled, health }: OverviewProvider) {
  const text = useText(OVERVIEW)
  if (!enabled) return <State tone="off">{text.isOff}</State>
  if (health === null) return <State tone="ok">{text.noHealth}</State>
  return (
    <>
      {health.state === 'closed' && !isWell({ health }) ? (
        <State tone="bad">{text.silent}</State>
      ) : (
        <State tone={TONES[health.state]}>{text.states[health.state]}</State>
      )}
      <small className="under">{text.breakers[health.state]}</small>
    </>
  )
}
