import type { Overview } from '../../api/portal.generated.ts'
import { PageLink } from '../../shell/navigation.tsx'
import { isoDayFromToday } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { countText, moneyText, percentText } from '../../text/numbers.ts'
import { LineChart, TwinTable, useTwin } from '../../ui/chart.tsx'
import { MoneyDays, plainAmount, RateDays, rateText, shortText, useDays } from '../../ui/day-charts.tsx'
import { Figure } from '../../ui/money.tsx'
import { Panel } from '../../ui/panel.tsx'
import { State } from '../../ui/state.tsx'
import { PORTAL } from '../messages.ts'
import { OVERVIEW } from './messages.ts'

/** Sales, success rate, margin and balance of 30 days, as charts or as one table. */
export function ChartsPanel({ overview }: { overview: Overview }) {
  const text = useText(OVERVIEW)
  const twin = useTwin()
  const { by_day: days, last_30_days: total, currency } = overview
  const { labels, ticks } = useDays(days)
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
            plainAmount(day.sales),
            rateText(day),
            plainAmount(day.margin),
            plainAmount(overview.balance_by_day[index]?.balance ?? '0.00'),
          ])}
        />
      ) : (
        <div className="trio four top-line">
          <MoneyDays
            days={days}
            title={text.sales}
            label={text.salesLabel(moneyText(total.sales, currency))}
            total={total.sales}
            currency={currency}
            amountOf={({ sales }) => sales}
          />
          <RateDays
            days={days}
            title={text.successRate}
            total={total.success_rate}
            axisAbout={text.axisFrom}
            labelOf={text.rateLabel}
          />
          <MoneyDays
            days={days}
            title={text.margin}
            label={text.marginLabel(moneyText(total.margin, currency))}
            total={total.margin}
            currency={currency}
            colour="chart-2"
            amountOf={({ margin }) => margin}
          />
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
