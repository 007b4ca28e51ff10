import type { ProviderFloat } from '../../api/operator.generated.ts'
import { whenText } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { moneyText } from '../../text/numbers.ts'
import { Figure, Money } from '../../ui/money.tsx'
import { Facts, Panel } from '../../ui/panel.tsx'
import { Note, State } from '../../ui/state.tsx'
import { PROVIDERS } from './messages.ts'

/** Our money at a provider in a line of the list. */
export function FloatCell({ float }: { float: ProviderFloat | null }) {
  const text = useText(PROVIDERS)
  if (float === null) return <span className="sub">{text.floatUnknown}</span>
  return (
    <div className="who2">
      <span>
        {float.amount === null ? '–' : <Money amount={float.amount} currency="MYR" />}{' '}
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
  const { amount, alert_below: below, spent_per_hour: spent, hours_left: hours } = float
  return (
    <Panel
      title={text.float}
      actions={
        float.read_at === null ? null : (
          <span className="sub small">{text.readAt(whenText(float.read_at))}</span>
        )
      }
    >
      {amount === null ? null : <Figure amount={amount} currency="MYR" />}
      {float.is_low ? <Note tone="warning">{text.low}</Note> : null}
      {float.failing_since === null ? null : (
        <Note tone="bad">
          <b>{text.floatFailing(whenText(float.failing_since))}</b> {float.trouble}
        </Note>
      )}
      <Facts
        facts={[
          spent === null ? undefined : { term: text.spentPerHour, value: moneyText(spent, 'MYR') },
          hours === null ? undefined : { term: text.hoursLeft, value: String(hours) },
          below === null ? undefined : { term: text.alertBelow, value: moneyText(below, 'MYR') },
        ]}
      />
    </Panel>
  )
}
