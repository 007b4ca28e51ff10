import type { OperatorOverview } from '../../api/operator.generated.ts'
import { PageLink } from '../../shell/navigation.tsx'
import { dayText, isoDayFromToday, momentOfDay } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { countText, moneyParts, moneyText, percentText } from '../../text/numbers.ts'
import type { ChartPoint } from '../../ui/chart.tsx'
import { BarChart, LineChart, TwinTable, useTwin } from '../../ui/chart.tsx'
import { UI } from '../../ui/messages.ts'
import { Figure } from '../../ui/money.tsx'
import { Panel } from '../../ui/panel.tsx'
import { OVERVIEW } from './messages.ts'

type Day = OverviewPayments['by_day'][number]

const TICK_DAYS = 7
/** Days before today whose label would touch the label of today. */
const TICK_GAP = 4

/** Payments, sales, success rate and margin of 30 days, as charts or as one table. */
export function ChartsPanel({ payments }: { payments: OverviewPayments }) {
  const text = useText(OVERVIEW)
  const twin = useTwin()
  const labels = payments.by_day.map(({ day }) => dayText(momentOfDay(day)))
  return (
    <Panel
      isFlush
      title={text.last30}
      about={text.last30About(labels[0] ?? '', labels.at(-1) ?? '')}
      actions={twin.button}
    >
      {twin.isTable ? (
        <DaysTable payments={payments} labels={labels} />
      ) : (
        <Charts payments={payments} labels={labels} />
      )}
    </Panel>
  )
}

type Labelled = { readonly payments: OverviewPayments; readonly labels: readonly string[] }

function DaysTable({ payments: { by_day: days, currency }, labels }: Labelled) {
  const text = useText(OVERVIEW)
  return (
    <TwinTable
      caption={text.last30}
      heads={[
        text.day,
        text.payments,
        `${text.sales}, ${currency}`,
        `${text.charged}, ${currency}`,
        text.successRate,
        `${text.margin}, ${currency}`,
      ]}
      rows={days.map((day, index) => [
        labels[index] ?? day.day,
        countText(day.payments),
        plain(day.value),
        plain(day.charged),
        day.success_rate === null ? '–' : `${percentText(day.success_rate)}%`,
        day.margin === null ? '–' : plain(day.margin),
      ])}
    />
  )
}

function Charts({ payments, labels }: Labelled) {
  const text = useText(OVERVIEW)
  const ui = useText(UI)
  const { by_day: days, last_30_days: total, currency } = payments
  const ticks = labels.flatMap((label, at) =>
    at === labels.length - 1
      ? [{ at, text: ui.today }]
      : at % TICK_DAYS === 0 && at < labels.length - TICK_GAP
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
  const lowest = Math.min(1, ...rates)
  const axisStart = Math.floor(lowest * 10) / 10
  const marginText = total.margin === null ? '–' : moneyText(total.margin, currency)
  return (
    <div className="trio four top-line">
      <figure>
        <figcaption>
          <span className="lab">{text.payments}</span>
          <div className="fig s">{countText(total.payments)}</div>
        </figcaption>
        <BarChart
          label={text.countLabel(countText(total.payments))}
          points={pointsOf(
            (day) => day.payments,
            (day) => countText(day.payments),
          )}
          ticks={ticks}
          axisText={shortText}
        />
      </figure>
      <figure>
        <figcaption>
          <span className="lab">{text.sales}</span>
          <Figure size="s" amount={total.value} currency={currency} />
        </figcaption>
        <BarChart
          label={text.salesLabel(moneyText(total.value, currency))}
          points={pointsOf(
            (day) => Number(day.value),
            (day) => moneyText(day.value, currency),
          )}
          ticks={ticks}
          axisText={shortText}
        />
      </figure>
      <figure>
        <figcaption>
          <span className="lab">{text.successRate}</span>
          <span className="d">{text.axisFrom(String(Math.round(axisStart * 100)))}</span>
          <div className="fig s">
            {total.success_rate === null ? '–' : percentText(total.success_rate)}
            <small>%</small>
          </div>
        </figcaption>
        <LineChart
          label={text.rateLabel(percentText(lowest))}
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
          {total.margin === null ? (
            <div className="fig s">–</div>
          ) : (
            <Figure size="s" amount={total.margin} currency={currency} />
          )}
        </figcaption>
        {total.margin === null ? (
          <p className="sub small">{text.marginUnknown}</p>
        ) : (
          <BarChart
            label={text.marginLabel(marginText)}
            colour="chart-2"
            points={pointsOf(
              (day) => (day.margin === null ? null : Number(day.margin)),
              (day) => (day.margin === null ? '–' : moneyText(day.margin, currency)),
            )}
            ticks={ticks}
            axisText={shortText}
          />
        )}
      </figure>
    </div>
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

type OverviewPayments = NonNullable<OperatorOverview['payments']>

/** Figures of today over all resellers, so far. */
export function TodayPanel({ payments: { today, currency } }: { payments: OverviewPayments }) {
  const text = useText(OVERVIEW)
  return (
    <Panel
      isFlush
      title={text.today}
      about={text.soFar}
      actions={
        <PageLink className="link" to="/operator/payments" search={{ days: isoDayFromToday(0) }}>
          {text.paymentsOfToday}
        </PageLink>
      }
    >
      <div className="figs top-line">
        <div>
          <span className="lab">{text.payments}</span>
          <div className="fig">{countText(today.payments)}</div>
          <small>{text.pending(countText(today.pending))}</small>
        </div>
        <div>
          <span className="lab">{text.sales}</span>
          <Figure amount={today.value} currency={currency} />
          <small>{text.salesAbout}</small>
        </div>
        <div>
          <span className="lab">{text.successRate}</span>
          <div className="fig">
            {today.success_rate === null ? '–' : percentText(today.success_rate)}
            {today.success_rate === null ? null : <small>%</small>}
          </div>
          <small>{text.ended(countText(today.successful), countText(today.failed))}</small>
        </div>
        <div>
          <span className="lab">{text.margin}</span>
          {today.margin === null ? (
            <div className="fig">–</div>
          ) : (
            <Figure amount={today.margin} currency={currency} />
          )}
          <small>
            {today.margin_covers === null || today.margin === null
              ? text.marginUnknown
              : text.marginCovers(percentText(today.margin_covers, 0))}
          </small>
          {today.margin_told === null ||
          today.margin_told === 0 ||
          today.margin_by_price_list === null ? null : (
            <small>
              {text.marginTold(
                percentText(today.margin_told, 0),
                moneyText(today.margin_by_price_list, currency),
              )}
            </small>
          )}
        </div>
      </div>
    </Panel>
  )
}
