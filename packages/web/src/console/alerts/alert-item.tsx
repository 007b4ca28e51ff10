import type { Alert } from '../../api/operator.generated.ts'
import { PageLink } from '../../shell/navigation.tsx'
import { whenText } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { State } from '../../ui/state.tsx'
import { useMay, useMayOpen } from '../roles.ts'
import { ALERT_KINDS } from './kinds.generated.ts'
import { ALERTS } from './messages.ts'

/** Alert with its meaning and remedy; a kind that this page does not know has its text alone. */
export function AlertItem({ alert, onClear }: { alert: Alert; onClear: () => void }) {
  const text = useText(ALERTS)
  const may = useMay()
  const kinds = useText(ALERT_KINDS)
  const known = alert.kind in kinds ? kinds[alert.kind as keyof typeof kinds] : undefined
  const mayOpen = useMayOpen()
  const place = placeOf(alert)
  return (
    <li>
      <div className="t">
        <State tone={alert.cleared_at === null ? alert.severity : 'off'}>
          {text.severities[alert.severity]}
        </State>
        <b className="mid-weight anywhere text">{alert.text}</b>
        <small>
          <span className="mono">{alert.kind}</span>, {text.since(whenText(alert.raised_at))},{' '}
          {text.seen(alert.times, whenText(alert.last_seen_at))}
          {alert.cleared_at === null ? null : `, ${text.cleared(whenText(alert.cleared_at))}`}
        </small>
        {known === undefined ? null : (
          <details>
            <summary>{text.remedy}</summary>
            <p>{known.meaning}</p>
            <p className="strong">{known.remedy}</p>
            {alert.runbook === null ? null : (
              <p>
                <a className="link" href={alert.runbook} target="_blank" rel="noopener">
                  {text.runbook}
                </a>
              </p>
            )}
          </details>
        )}
      </div>
      <span className="row acts">
        {place === undefined || !mayOpen(place) ? null : (
          <PageLink className={buttonClass({ size: 'sm' })} to={place}>
            {text.open}
          </PageLink>
        )}
        {alert.cleared_at === null && may('alerts.write') ? (
          <Button size="sm" onClick={onClear}>
            {text.clear}
          </Button>
        ) : null}
      </span>
    </li>
  )
}

/** Pages that end alerts of a kind. A subject may hold more than an id, so the list of the place is opened. */
const PLACES: Readonly<Record<string, string>> = {
  sold_below_cost: '/operator/margins',
  price_without_route: '/operator/margins',
  route_without_price: '/operator/margins',
  case_waiting: '/operator/cases',
  case_overdue: '/operator/cases',
  void_contradiction: '/operator/cases',
  approval_waiting: '/operator/approvals',
  deposit_reported: '/operator/deposits',
  float_low: '/operator/providers',
  float_forecast: '/operator/providers',
  float_unread: '/operator/providers',
  catalogue_pattern: '/operator/catalogue',
}

const PAYMENT_KINDS = [
  'payment_contradiction',
  'attempt_undecided',
  'answer_ambiguous',
  'callback_amount',
  'payment_reversed',
]
const PAYMENT_ID = /^\d{15,19}$/
const CASE_NUMBER = /^C-\d{4}-\d+$/

function placeOf({ kind, subject }: Alert): string | undefined {
  if (PAYMENT_KINDS.includes(kind)) {
    return PAYMENT_ID.test(subject) ? `/operator/payments/${subject}` : '/operator/payments'
  }
  if (CASE_NUMBER.test(subject)) return `/operator/cases/${subject}`
  return PLACES[kind]
}
