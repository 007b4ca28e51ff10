import type { Provider, ProviderFloat } from '../../api/operator.generated.ts'
import { whenText } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { moneyText } from '../../text/numbers.ts'
import { Figure, Money } from '../../ui/money.tsx'
import { Facts, Panel } from '../../ui/panel.tsx'
import { Note, Pill, State } from '../../ui/state.tsx'
import { PROVIDERS } from './messages.ts'
import { answersEnough } from './rules.ts'

/** Our money at a provider in a line of the list. */
export function FloatCell({ float }: { float: ProviderFloat | null }) {
  const text = useText(PROVIDERS)
  if (float === null) return <span className="sub">{text.floatUnknown}</span>
  return (
    <div className="who2">
      <span>
        {float.amount === null ? '–' : <Money amount={float.amount} currency={float.currency} />}{' '}
        <InRinggit float={float} />
        {float.is_low ? <State tone="warning">{text.low}</State> : null}
      </span>
      <small>
        {float.failing_since !== null
          ? text.floatFailing(whenText(float.failing_since))
          : float.hours_left === null
            ? null
            : text.lasts(String(float.hours_left))}
      </small>
    </div>
  )
}

/** Ringgit of a float in another currency. */
function InRinggit({ float }: { float: ProviderFloat }) {
  const text = useText(PROVIDERS)
  if (float.currency === 'MYR' || float.amount === null) return null
  return (
    <span className="sub small">
      {float.ringgit === null ? text.noRate : text.inRinggit(moneyText(float.ringgit, 'MYR'))}
    </span>
  )
}

/** Reading of our money at a provider. */
export function FloatPanel({ float }: { float: ProviderFloat | null }) {
  const text = useText(PROVIDERS)
  if (float === null) {
    return (
      <Panel title={text.float}>
        <p className="sub small">{text.floatUnknown}</p>
      </Panel>
    )
  }
  const { amount, currency, alert_below: below, spent_per_hour: spent, hours_left: hours } = float
  return (
    <Panel
      title={text.float}
      actions={
        float.read_at === null ? null : (
          <span className="sub small">{text.readAt(whenText(float.read_at))}</span>
        )
      }
    >
      {amount === null ? null : <Figure amount={amount} currency={currency} />}
      <InRinggit float={float} />
      {float.is_low ? <Note tone="warning">{text.low}</Note> : null}
      {float.failing_since === null ? null : (
        <Note tone="bad">
          <b>{text.floatFailing(whenText(float.failing_since))}</b> {float.trouble}
        </Note>
      )}
      <Facts
        facts={[
          spent === null ? undefined : { term: text.spentPerHour, value: moneyText(spent, currency) },
          hours === null ? undefined : { term: text.hoursLeft, value: String(hours) },
          below === null ? undefined : { term: text.alertBelow, value: moneyText(below, currency) },
        ]}
      />
    </Panel>
  )
}

/** State of a provider over all nodes: the worst of them, with how many. */
function useProviderState({ enabled, health }: Pick<Provider, 'enabled' | 'health'>) {
  const text = useText(PROVIDERS)
  if (!enabled) return { tone: 'off' as const, word: text.states.off }
  const open = health.filter(({ state }) => state === 'open').length
  if (open > 0) return { tone: 'bad' as const, word: text.openOn(open, health.length) }
  if (health.some(({ state }) => state === 'half_open')) {
    return { tone: 'wait' as const, word: text.states.half_open }
  }
  const sum = (name: 'orders' | 'answered') => health.reduce((total, each) => total + each[name], 0)
  if (!answersEnough({ orders: sum('orders'), answered: sum('answered') })) {
    return { tone: 'bad' as const, word: text.states.silent }
  }
  return { tone: 'ok' as const, word: text.states.closed }
}

export function ProviderState({ provider }: { provider: Pick<Provider, 'enabled' | 'health'> }) {
  const { tone, word } = useProviderState(provider)
  return <State tone={tone}>{word}</State>
}

export function ProviderPill({ provider }: { provider: Pick<Provider, 'enabled' | 'health'> }) {
  const { tone, word } = useProviderState(provider)
  return <Pill tone={tone}>{word}</Pill>
}
