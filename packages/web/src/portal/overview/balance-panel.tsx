import type { Overview } from '../../api/portal.generated.ts'
import type { Search } from '../../shell/navigation.tsx'
import { PageLink } from '../../shell/navigation.tsx'
import { longDayText } from '../../text/dates.ts'
import { useLanguage, useText } from '../../text/language.ts'
import { moneyText } from '../../text/numbers.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Empty } from '../../ui/loaded.tsx'
import { Figure } from '../../ui/money.tsx'
import { Panel } from '../../ui/panel.tsx'
import type { Tone } from '../../ui/state.tsx'
import { Shape } from '../../ui/state.tsx'
import type { AttentionLines } from './messages.ts'
import { ATTENTION, OVERVIEW } from './messages.ts'

const DAY_MS = 86_400_000
const RUNWAY_DAYS = 14

/** The balance as money, and as the days that it lasts. */
export function BalancePanel({ overview }: { overview: Overview }) {
  const text = useText(OVERVIEW)
  const { balance, currency, days_left: daysLeft, runway } = overview
  return (
    <Panel
      className="bal"
      title={text.balance}
      actions={
        <PageLink className="link" to="/portal/team">
          {text.thresholds}
        </PageLink>
      }
    >
      <Figure size="xl" amount={balance} currency={currency} />
      {daysLeft === null || runway.spent_per_day === null ? (
        <p className="when">{text.noRate}</p>
      ) : (
        <>
          <Runway daysLeft={daysLeft} lowAfter={runway.days_to_threshold} />
          <p className="when">
            <b>{text.lasts(String(daysLeft))}</b>
            {text.lastsAbout(dayAfter(daysLeft), moneyText(runway.spent_per_day, currency))}
            {runway.threshold === null || runway.days_to_threshold === null
              ? null
              : text.belowFrom(
                  moneyText(runway.threshold, currency),
                  longDayText(Date.now() + runway.days_to_threshold * DAY_MS),
                )}
          </p>
        </>
      )}
    </Panel>
  )
}

function dayAfter(days: number): string {
  return longDayText(Date.now() + days * DAY_MS)
}

/** Fourteen days, each filled as far as the balance reaches; hatched from the day below the threshold. */
function Runway({ daysLeft, lowAfter }: { daysLeft: number; lowAfter: number | null }) {
  const text = useText(OVERVIEW)
  const language = useLanguage()
  const letter = new Intl.DateTimeFormat(language, { weekday: 'narrow', timeZone: 'Asia/Kuala_Lumpur' })
  return (
    <div className="runway" role="img" aria-label={text.runwayLabel(String(daysLeft))}>
      {Array.from({ length: RUNWAY_DAYS }, (_, index) => {
        const share = Math.min(Math.max(daysLeft - index, 0), 1)
        const isLow = lowAfter !== null && index >= Math.floor(lowAfter) && share > 0
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a day is its place in the row.
          <div key={index} className={isLow ? 'low' : undefined}>
            <span style={{ '--f': share } as React.CSSProperties} />
            {letter.format(Date.now() + index * DAY_MS)}
          </div>
        )
      })}
    </div>
  )
}

type Item = Overview['attention'][number]

const TONES: Readonly<Record<Item['severity'], Tone>> = {
  critical: 'critical',
  warning: 'warning',
  info: 'info',
}

/** Things that wait for a person, each with its one next step. */
export function AttentionPanel({ attention }: { attention: readonly Item[] }) {
  const text = useText(OVERVIEW)
  const lines: AttentionLines = useText(ATTENTION)
  return (
    <Panel isFlush className="att" title={text.attention} count={attention.length || undefined}>
      {attention.length === 0 ? (
        <Empty icon="check" title={text.nothingNeeded} about={text.nothingNeededAbout} />
      ) : (
        <ul className="list">
          {attention.map((item) => {
            const { to, search } = placeOf(item.target)
            return (
              <li key={`${item.kind} ${item.subject}`}>
                <Shape tone={TONES[item.severity]} isColoured />
                <div className="t">
                  <b className={item.severity === 'info' ? 'mid-weight' : 'strong'}>
                    {lines[item.kind]?.(item) ?? item.text}
                  </b>
                  {item.subject === null ? null : <small>{item.subject}</small>}
                </div>
                <PageLink className={buttonClass({ size: 'sm' })} to={to} search={search}>
                  {text.targets[item.target.page]}
                </PageLink>
              </li>
            )
          })}
        </ul>
      )}
    </Panel>
  )
}

type Place = { readonly to: string; readonly search?: Search }

/** Page of an item: the API names a place, and the page's address is ours. */
function placeOf(target: Item['target']): Place {
  switch (target.page) {
    case 'account':
      return { to: '/portal/account' }
    case 'deposits':
      return { to: '/portal/deposits' }
    case 'endpoint':
      return { to: `/portal/developers/webhooks/${target.stream}` }
    case 'payments':
      return { to: '/portal/payments', search: target.filter }
    case 'cases':
      return { to: '/portal/cases', search: { state: target.states.join(',') } }
    case 'catalogue':
      return { to: '/portal/catalogue', search: { at_loss: 'true' } }
    case 'keys':
      return { to: '/portal/developers/keys' }
  }
}
