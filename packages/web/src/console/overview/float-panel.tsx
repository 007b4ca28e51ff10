import { whenText } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { moneyText } from '../../text/numbers.ts'
import { Panel } from '../../ui/panel.tsx'
import { Shape } from '../../ui/state.tsx'
import { OVERVIEW } from './messages.ts'
import type { OverviewProvider } from './providers-panel.tsx'

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
  const { amount, alert_below: below, is_low: isLow, failing_since: failing, read_at: readAt } = float
  const below0 = isLow && below !== null ? text.lessThan(moneyText(below, 'MYR')) : ''
  return (
    <li>
      <Shape tone={isLow ? 'critical' : failing !== null || amount === null ? 'warning' : 'ok'} isColoured />
      <div className="t">
        <b className="mid-weight">
          {amount === null ? text.unread(code) : text.left(code, moneyText(amount, 'MYR')) + below0}
        </b>
        {float.spent_per_hour === null ? null : (
          <small>
            {text.rate(moneyText(float.spent_per_hour, 'MYR'))}
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
