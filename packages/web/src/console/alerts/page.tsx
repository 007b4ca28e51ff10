import { useState } from 'react'
import type { Alert } from '../../api/operator.generated.ts'
import { useOperator } from '../../api/operator.ts'
import { clearAlert } from '../../api/operator-acts.generated.ts'
import { useFilters } from '../../shell/navigation.tsx'
import { useText } from '../../text/language.ts'
import { Checkbox, Segment } from '../../ui/field.tsx'
import { Empty, Loaded } from '../../ui/loaded.tsx'
import { PageHead, Panel } from '../../ui/panel.tsx'
import { CONSOLE } from '../messages.ts'
import { ConsoleAct } from '../parts/act.tsx'
import { AlertItem } from './alert-item.tsx'
import { ALERTS } from './messages.ts'
import './alerts.css'

const ROWS_MAX = 500
const SEVERITIES = ['critical', 'warning'] as const

/** Alerts that somebody should look at, the gravest first. */
export function Page() {
  const text = useText(ALERTS)
  const pages = useText(CONSOLE)
  const [search] = useFilters()
  const withCleared = search.with_cleared === 'true'
  const reading = useOperator(
    'listAlerts',
    { query: { limit: ROWS_MAX, ...(withCleared ? { with_cleared: true } : {}) } },
    { keepsFormer: true },
  )
  return (
    <>
      <PageHead title={pages.alerts} about={text.about} />
      <Panel isFlush>
        <Loaded reading={reading} bones={6}>
          {({ data }) => <Alerts alerts={data} />}
        </Loaded>
      </Panel>
    </>
  )
}

function Alerts({ alerts }: { alerts: readonly Alert[] }) {
  const text = useText(ALERTS)
  const [search, change] = useFilters()
  const [asked, setAsked] = useState<Alert | undefined>(undefined)
  const severity = SEVERITIES.find((each) => each === search.severity)
  const kinds = [...new Set(alerts.map(({ kind }) => kind))].sort()
  const shown = alerts
    .filter((alert) => severity === undefined || alert.severity === severity)
    .filter((alert) => search.kind === undefined || alert.kind === search.kind)
    .sort(byGravity)
  return (
    <>
      <div className="filter-row">
        <Segment
          label={text.severityFilter}
          value={severity ?? 'all'}
          onValue={(next) => change({ severity: next === 'all' ? undefined : next })}
          options={[
            { value: 'all', label: text.all },
            ...SEVERITIES.map((each) => ({ value: each, label: text.severities[each] })),
          ]}
        />
        <label className="chip">
          <span className="sub">{text.kindFilter}</span>
          <select value={search.kind ?? ''} onChange={(event) => change({ kind: event.target.value })}>
            <option value="">{text.anyKind}</option>
            {[...new Set([...kinds, ...(search.kind === undefined ? [] : [search.kind])])].map((kind) => (
              <option key={kind} value={kind}>
                {kind}
              </option>
            ))}
          </select>
        </label>
        <Checkbox
          label={text.withCleared}
          isOn={search.with_cleared === 'true'}
          onToggle={(isOn) => change({ with_cleared: isOn ? 'true' : undefined })}
        />
      </div>
      {shown.length === 0 ? (
        <Empty icon="check" title={text.none} about={text.noneAbout} />
      ) : (
        <>
          <ul className="list alerts">
            {shown.map((alert) => (
              <AlertItem key={alert.id} alert={alert} onClear={() => setAsked(alert)} />
            ))}
          </ul>
          <div className="foot-row">
            <span>{text.shown(shown.length)}</span>
          </div>
        </>
      )}
      {asked === undefined ? null : (
        <ConsoleAct
          act={clearAlert}
          input={{ params: { id: asked.id } }}
          title={text.clearTitle}
          action={text.clear}
          done={text.done}
          refresh={['listAlerts', 'getOperatorOverview']}
          onClose={() => setAsked(undefined)}
        >
          <p className="strong anywhere">{asked.text}</p>
          <p className="mid">{text.clearAbout}</p>
        </ConsoleAct>
      )}
    </>
  )
}

/** Open before cleared, critical before warning, oldest first. */
function byGravity(a: Alert, b: Alert): number {
  const rank = ({ cleared_at: cleared, severity }: Alert) =>
    (cleared === null ? 0 : 2) + (severity === 'critical' ? 0 : 1)
  return rank(a) - rank(b) || Date.parse(a.raised_at) - Date.parse(b.raised_at)
}
