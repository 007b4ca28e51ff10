import type { OperatorOverview } from '../../api/operator.generated.ts'
import { PageLink } from '../../shell/navigation.tsx'
import { whenText } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { Panel } from '../../ui/panel.tsx'
import { Shape } from '../../ui/state.tsx'
import { OVERVIEW } from './messages.ts'

/** Open alerts, the gravest first. */
export function AlertsPanel({ alerts }: { alerts: NonNullable<OperatorOverview['alerts']> }) {
  const text = useText(OVERVIEW)
  return (
    <Panel
      isFlush
      title={text.alertsNow}
      count={alerts.critical + alerts.warning}
      actions={
        <PageLink className="link" to="/operator/alerts">
          {text.all}
        </PageLink>
      }
    >
      <ul className="list">
        {alerts.first.map((alert) => (
          <li key={alert.id}>
            <Shape tone={alert.severity} isColoured />
            <div className="t">
              <PageLink className="mid-weight anywhere" to="/operator/alerts" search={{ kind: alert.kind }}>
                {alert.text}
              </PageLink>
              <small>
                <span className="mono">{alert.kind}</span>,{' '}
                {text.since(whenText(alert.raised_at), alert.times)}
              </small>
            </div>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
