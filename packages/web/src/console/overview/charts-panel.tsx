import type { OperatorOverview } from '../../api/operator.generated.ts'
import { PageLink } from '../../shell/navigation.tsx'
import { isoDayFromToday } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { countText, moneyText, percentText } from '../../text/numbers.ts'
import { BarChart, TwinTable, useTwin } from '../../ui/chart.tsx'
import {
  dayLabels,
  MoneyDays,
  plainAmount,
  RateDays,
  rateText,
  shortText,
  useDays,
} from '../../ui/day-charts.tsx'
import { Figure } from '../../ui/money.tsx'
import { Panel } from '../../ui/panel.tsx'
import { OVERVIEW } from './messages.ts'

/** Payments, sales, success rate and margin of 30 days, as charts or as one table. */
export function ChartsPanel({ payments }: { payments: OverviewPayments }) {
  const text = useText(OVERVIEW)
  const twin = useTwin()
  const labels = dayLabels(payments.by_day)
  return (
    <Panel
      isFlush
      title={text.last30}
      about={text.last30About(labels[0] ?? '', labels.at(-1) ?? '')}
      actions={twin.button}
    >
      {twin.isTable ? <DaysTable payments={payments} labels={labels} /> : <Charts payments={payments} />}
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
        plainAmount(day.value),
        plainAmount(day.charged),
        rateText(day),
        day.margin === null ? '–' : plainAmount(day.margin),
      ])}
    />
  )
}

function Charts({ payments }: { payments: OverviewPayments }) {
  const text = useText(OVERVIEW)
  const { by_day: days, last_30_days: total, currency } = payments
  const { ticks, pointsOf } = useDays(days)
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
      <MoneyDays
        days={days}
        title={text.sales}
        label={text.salesLabel(moneyText(total.value, currency))}
        total={total.value}
        currency={currency}
        amountOf={({ value }) => value}
      />
      <RateDays
        days={days}
        title={text.successRate}
        total={total.success_rate}
        axisAbout={text.axisFrom}
        labelOf={text.rateLabel}
      />
      {total.margin === null ? (
        <figure>
          <figcaption>
            <span className="lab">{text.margin}</span>
            <div className="fig s">–</div>
          </figcaption>
          <p className="sub small">{text.marginUnknown}</p>
        </figure>
      ) : (
        <MoneyDays
          days={days}
          title={text.margin}
          label={text.marginLabel(moneyText(total.margin, currency))}
          total={total.margin}
          currency={currency}
          colour="chart-2"
          amountOf={({ margin }) => margin}
        />
      )}
    </div>
  )
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
