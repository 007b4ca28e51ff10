import type { Overview } from '../../api/portal.generated.ts'
import { whenText } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { Panel } from '../../ui/panel.tsx'
import { Shape } from '../../ui/state.tsx'
import { OVERVIEW } from './messages.ts'

/** Products that cannot be sold now. */
export function InterruptionsPanel({ interruptions }: { interruptions: Overview['interruptions'] }) {
  const text = useText(OVERVIEW)
  return (
    <Panel isFlush title={text.interruptions} count={interruptions.length || undefined}>
      <ul className="list">
        {interruptions.map(({ product, name, since }) => (
          <li key={product}>
            <Shape tone="warning" isColoured />
            <div className="t">
              <b className="strong">{name}</b> <span className="sub mono">{product}</span>
              <small>{text.since(whenText(since))}</small>
            </div>
          </li>
        ))}
        <li>
          <Shape tone="ok" isColoured />
          <div className="t mid">{text.restIsHealthy}</div>
        </li>
      </ul>
    </Panel>
  )
}
