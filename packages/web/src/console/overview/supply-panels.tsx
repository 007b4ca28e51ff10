import type { OperatorOverview } from '../../api/operator.generated.ts'
import { PageLink } from '../../shell/navigation.tsx'
import { dateTimeText, durationText, whenText } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { countText, grouped, moneyText, percentText } from '../../text/numbers.ts'
import { Figure } from '../../ui/money.tsx'
import { Panel } from '../../ui/panel.tsx'
import type { Tone } from '../../ui/state.tsx'
import { Pill, Shape, State } from '../../ui/state.tsx'
import type { Column } from '../../ui/table.tsx'
import { Table } from '../../ui/table.tsx'
import { isWell } from '../providers/rules.ts'
import { OVERVIEW } from './messages.ts'

type OverviewProvider = NonNullable<OperatorOverview['providers']>[number]

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

type Receivers = NonNullable<OperatorOverview['receivers']>
type Queue = Receivers['first'][number]

/** Receivers whose deliveries wait longest. */
export function ReceiversPanel({ receivers }: { receivers: Receivers }) {
  const text = useText(OVERVIEW)
  const columns: Column<Queue>[] = [
    {
      key: 'now',
      head: text.now,
      folded: 'shape',
      cell: ({ is_held: isHeld }) => (
        <State tone={isHeld ? 'off' : 'wait'}>{isHeld ? text.isHeld : text.isSending}</State>
      ),
    },
    { key: 'reseller', head: text.reseller, folded: 'name', cell: ({ reseller }) => reseller },
    {
      key: 'stream',
      head: text.stream,
      folded: 'detail',
      cell: ({ stream }) => <span className="mono">{stream}</span>,
    },
    {
      key: 'waiting',
      head: text.waiting,
      isRight: true,
      folded: 'amount',
      cell: ({ pending }) => <b className="mid-weight">{countText(pending)}</b>,
    },
    {
      key: 'oldest',
      head: text.oldest,
      isRight: true,
      folded: 'time',
      cell: ({ age_seconds: age }) => durationText(age * 1000),
    },
    { key: 'next', head: text.nextTry, isRight: true, cell: ({ next_at: next }) => whenText(next) },
  ]
  return (
    <Panel
      isFlush
      title={text.receivers}
      count={receivers.lagging || undefined}
      actions={
        <PageLink className="link" to="/operator/deliveries">
          {text.all}
        </PageLink>
      }
    >
      {receivers.first.length === 0 ? (
        <p className="in sub small">{text.receiversNone}</p>
      ) : (
        <Table
          caption={text.receivers}
          columns={columns}
          rows={receivers.first}
          rowKey={({ reseller, stream }) => `${reseller} ${stream}`}
          linkTo={({ reseller, stream }) => ({ to: `/operator/deliveries/${reseller}/${stream}` })}
        />
      )}
    </Panel>
  )
}

/** Our money at providers, where they say how much is left. */
export function FloatPanel({ providers }: { providers: readonly OverviewProvider[] }) {
  const text = useText(OVERVIEW)
  const read = providers.flatMap(({ code, float }) => (float === null ? [] : [{ code, float }]))
  return (
    <Panel isFlush title={text.float} about={text.floatAbout}>
      {read.length === 0 ? (
        <p className="in sub small">{text.floatNone}</p>
      ) : (
        <ul className="list">
          {read.map((each) => (
            <FloatLine key={each.code} {...each} />
          ))}
        </ul>
      )}
    </Panel>
  )
}

type Float = NonNullable<OverviewProvider['float']>

function FloatLine({ code, float }: { code: string; float: Float }) {
  const text = useText(OVERVIEW)
  const {
    amount,
    currency,
    alert_below: below,
    is_low: isLow,
    failing_since: failing,
    read_at: readAt,
  } = float
  const below0 = isLow && below !== null ? text.lessThan(moneyText(below, currency)) : ''
  return (
    <li>
      <Shape tone={isLow ? 'critical' : failing !== null || amount === null ? 'warning' : 'ok'} isColoured />
      <div className="t">
        <b className="mid-weight">
          {amount === null ? text.unread(code) : text.left(code, moneyText(amount, currency)) + below0}
        </b>
        {float.spent_per_hour === null ? null : (
          <small>
            {text.rate(moneyText(float.spent_per_hour, currency))}
            {float.hours_left === null ? null : text.lasts(String(float.hours_left))}
          </small>
        )}
        {failing === null ? null : (
          <small>
            {text.failing(whenText(failing))} {float.trouble}
          </small>
        )}
        {readAt === null ? null : <small>{text.readAt(whenText(readAt))}</small>}
      </div>
    </li>
  )
}

/** The last proof of the books. */
export function LedgerPanel({ ledger }: { ledger: NonNullable<OperatorOverview['ledger']> }) {
  const text = useText(OVERVIEW)
  const { last, running_since: running } = ledger
  return (
    <Panel
      title={text.ledger}
      actions={
        <>
          {last === null || last.is_whole === null ? null : (
            <Pill small tone={last.is_whole ? 'ok' : 'critical'}>
              {last.is_whole ? text.whole : text.broken}
            </Pill>
          )}
          <PageLink className="link" to="/operator/ledger">
            {text.all}
          </PageLink>
        </>
      }
    >
      {last === null ? <p className="sub small">{text.notProved}</p> : <LastProof {...last} />}
      {running === null ? null : (
        <p className="sub small">
          {text.proving} {text.runningSince(whenText(running))}
        </p>
      )}
    </Panel>
  )
}

type Proof = NonNullable<NonNullable<OperatorOverview['ledger']>['last']>

function LastProof({ is_whole: isWhole, wallets, entries, total, finished_at: finished, trouble }: Proof) {
  const text = useText(OVERVIEW)
  return (
    <>
      {total === null ? null : <Figure size="xl" amount={total} currency="MYR" />}
      <p className="sub small">
        {trouble ?? (isWhole ? text.allAccounts : text.sumWrong)}{' '}
        {wallets === null || entries === null ? null : text.wallets(countText(wallets), grouped(entries))}
      </p>
      {finished === null ? null : <p className="sub small">{text.finished(dateTimeText(finished))}</p>}
    </>
  )
}
