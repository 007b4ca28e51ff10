import type { Overview } from '../../api/portal.generated.ts'
import { PageLink } from '../../shell/navigation.tsx'
import { dayText, isoDayFromToday, momentOfDay } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { countText, moneyParts, moneyText, percentText } from '../../text/numbers.ts'
import type { ChartPoint } from '../../ui/chart.tsx'
import { BarChart, LineChart, TwinTable, useTwin } from '../../ui/chart.tsx'
import { UI } from '../../ui/messages.ts'
import { Figure } from '../../ui/money.tsx'
import { Panel } from '../../ui/panel.tsx'
import { State } from '../../ui/state.tsx'
import { PORTAL } from '../messages.ts'
import { OVERVIEW } from './messages.ts'

type Day = Overview['by_day'][number]

/** Sales, success rate, margin and balance of 30 days, as charts or as one table. */
export function ChartsPanel({ overview }: { overview: Overview }) {
  const text = useText(OVERVIEW)
  const ui = useText(UI)
  const twin = useTwin()
  const { by_day: days, last_30_days: total, currency } = overview
  const labels = days.map(({ day }) => dayText(momentOfDay(day)))
  const ticks = labels.flatMap((label, at) =>
    at === labels.length - 1
      ? [{ at, text: ui.today }]
      : at % 7 === 0 && at < labels.length - 4
        ? [{ at, text: label }]
        : [],
  )
  const pointsOf = (readValue: (day: Day) => number | null, readText: (day: Day) => string): ChartPoint[] =>
    days.map((day, index) => ({
      label: labels[index] ?? day.day,
      value: readValue(day),
      text: readText(day),
      isOpen: index === days.length - 1,
    }))
  const rates = days.flatMap(({ success_rate: rate }) => (rate === null ? [] : [rate]))
  const axisStart = Math.floor(Math.min(1, ...rates) * 10) / 10
  return (
    <Panel
      isFlush
      title={text.last30}
      about={text.last30About(labels[0] ?? '', labels.at(-1) ?? '')}
      actions={twin.button}
    >
      {twin.isTable ? (
        <TwinTable
          caption={text.last30}
          heads={[
            text.day,
            text.payments,
            `${text.sales}, ${currency}`,
            text.successRate,
            `${text.margin}, ${currency}`,
            `${text.balance}, ${currency}`,
          ]}
          rows={days.map((day, index) => [
            labels[index] ?? day.day,
            countText(day.payments),
            plain(day.sales),
            day.success_rate === null ? '–' : `${percentText(day.success_rate)}%`,
            plain(day.margin),
            plain(overview.balance_by_day[index]?.balance ?? '0.00'),
          ])}
        />
      ) : (
        <div className="trio four top-line">
          <figure>
            <figcaption>
              <span className="lab">{text.sales}</span>
              <Figure size="s" amount={total.sales} currency={currency} />
            </figcaption>
            <BarChart
              label={text.salesLabel(moneyText(total.sales, currency))}
              points={pointsOf(
                (day) => Number(day.sales),
                (day) => moneyText(day.sales, currency),
              )}
              ticks={ticks}
              axisText={shortText}
            />
          </figure>
          <figure>
            <figcaption>
              <span className="lab">{text.successRate}</span>
              <span className="d">{text.axisFrom(String(axisStart * 100))}</span>
              <div className="fig s">
                {total.success_rate === null ? '–' : percentText(total.success_rate)}
                <small>%</small>
              </div>
            </figcaption>
            <LineChart
              label={text.rateLabel(percentText(Math.min(1, ...rates)))}
              points={pointsOf(
                (day) => day.success_rate,
                (day) => (day.success_rate === null ? '–' : `${percentText(day.success_rate)}%`),
              )}
              from={axisStart}
              to={1}
              ticks={ticks}
              axisText={(value) => `${Math.round(value * 100)}%`}
            />
          </figure>
          <figure>
            <figcaption>
              <span className="lab">{text.margin}</span>
              <Figure size="s" amount={total.margin} currency={currency} />
            </figcaption>
            <BarChart
              label={text.marginLabel(moneyText(total.margin, currency))}
              colour="chart-2"
              points={pointsOf(
                (day) => Number(day.margin),
                (day) => moneyText(day.margin, currency),
              )}
              ticks={ticks}
              axisText={shortText}
            />
          </figure>
          <figure>
            <figcaption>
              <span className="lab">{text.balanceByDay}</span>
              <Figure size="s" amount={overview.balance} currency={currency} />
            </figcaption>
            <LineChart
              label={text.balanceLabel}
              colour="chart-1"
              points={overview.balance_by_day.map(({ balance }, index) => ({
                label: labels[index] ?? '',
                value: Number(balance),
                text: moneyText(balance, currency),
                isOpen: index === overview.balance_by_day.length - 1,
              }))}
              ticks={ticks}
              axisText={shortText}
            />
          </figure>
        </div>
      )}
    </Panel>
  )
}

function plain(amount: string): string {
  const { sign, main, beyond } = moneyParts(amount)
  return sign + main + beyond
}

/** 2k for 2,000, on the axis. */
function shortText(value: number): string {
  if (Math.abs(value) >= 1_000_000) return `${value / 1_000_000}M`
  return Math.abs(value) >= 1_000 ? `${value / 1_000}k` : String(value)
}

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
