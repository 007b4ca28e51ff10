import type { Overview } from '../../api/portal.generated.ts'
import { PageLink } from '../../shell/navigation.tsx'
import { isoDayFromToday } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { countText, percentText } from '../../text/numbers.ts'
import { Figure } from '../../ui/money.tsx'
import { Panel } from '../../ui/panel.tsx'
import { State } from '../../ui/state.tsx'
import { PORTAL } from '../messages.ts'
import { OVERVIEW } from './messages.ts'

const PARTS = [
  { status: 'successful', tone: 'ok', fill: 'var(--fill-ok)' },
  { status: 'pending', tone: 'wait', fill: 'var(--fill-wait)' },
  { status: 'failed', tone: 'bad', fill: 'var(--fill-bad)' },
  { status: 'refunded', tone: 'back', fill: 'var(--back)' },
] as const

/** Figures of today, so far. */
export function TodayPanel({ overview }: { overview: Overview }) {
  const text = useText(OVERVIEW)
  const pages = useText(PORTAL)
  const { today, currency } = overview
  const day = isoDayFromToday(0)
  const words = PARTS.map(({ status }) => `${countText(today[status])} ${pages.status[status].toLowerCase()}`)
  return (
    <Panel
      isFlush
      title={text.today}
      about={text.soFar}
      actions={
        <PageLink className="link" to="/portal/payments" search={{ from: day, to: day }}>
          {text.paymentsOfToday}
        </PageLink>
      }
    >
      <div className="figs top-line">
        <div>
          <span className="lab">{text.sales}</span>
          <Figure amount={today.sales} currency={currency} />
        </div>
        <div>
          <span className="lab">{text.successRate}</span>
          <div className="fig">
            {today.success_rate === null ? '–' : percentText(today.success_rate)}
            {today.success_rate === null ? null : <small>%</small>}
          </div>
          <small>
            {today.success_rate === null
              ? text.noneEnded
              : text.ended(countText(today.successful), countText(today.successful + today.failed))}
          </small>
        </div>
        <div>
          <span className="lab">{text.margin}</span>
          <Figure amount={today.margin} currency={currency} />
        </div>
        <div>
          <span className="lab">{text.payments}</span>
          <div className="fig">{countText(today.payments)}</div>
        </div>
      </div>
      <div className="parts">
        <div className="split" role="img" aria-label={words.join(', ')}>
          {PARTS.map(({ status, fill }) =>
            today[status] === 0 ? null : (
              <span key={status} style={{ flex: today[status], background: fill }} />
            ),
          )}
        </div>
        <div className="row wrap small">
          {PARTS.map(({ status, tone }, index) => (
            <State key={status} tone={tone}>
              {words[index]}
            </State>
          ))}
        </div>
      </div>
    </Panel>
  )
}
