import { dayText, momentOfDay } from '../text/dates.ts'
import { useText } from '../text/language.ts'
import { moneyParts, moneyText, percentText } from '../text/numbers.ts'
import type { ChartPoint } from './chart.tsx'
import { BarChart, LineChart } from './chart.tsx'
import { UI } from './messages.ts'
import { Figure } from './money.tsx'

// Charts of the overviews: a figure over some days, and a mark for each of them. The last day is today.

const TICK_DAYS = 7
/** Days before today whose label would touch the label of today. */
const TICK_GAP = 4

type Day = { readonly day: string }

export function dayLabels(days: readonly Day[]): readonly string[] {
  return days.map(({ day }) => dayText(momentOfDay(day)))
}

/** Ticks below the axis, and the points of a chart. */
export function useDays<D extends Day>(days: readonly D[]) {
  const ui = useText(UI)
  const labels = dayLabels(days)
  const ticks = labels.flatMap((label, at) =>
    at === labels.length - 1
      ? [{ at, text: ui.today }]
      : at % TICK_DAYS === 0 && at < labels.length - TICK_GAP
        ? [{ at, text: label }]
        : [],
  )
  const pointsOf = (readValue: (day: D) => number | null, readText: (day: D) => string): ChartPoint[] =>
    days.map((day, index) => ({
      label: labels[index] ?? day.day,
      value: readValue(day),
      text: readText(day),
      isOpen: index === days.length - 1,
    }))
  return { labels, ticks, pointsOf }
}

type ChartOfDays<D extends Day> = { readonly days: readonly D[]; readonly title: string }

/** Sum of money over the days, with a bar for each. */
export function MoneyDays<D extends Day>({
  days,
  title,
  label,
  total,
  currency,
  colour = 'chart-1',
  amountOf,
}: ChartOfDays<D> & {
  readonly label: string
  readonly total: string
  readonly currency: string
  readonly colour?: 'chart-1' | 'chart-2'
  readonly amountOf: (day: D) => string | null
}) {
  const { ticks, pointsOf } = useDays(days)
  return (
    <figure>
      <figcaption>
        <span className="lab">{title}</span>
        <Figure size="s" amount={total} currency={currency} />
      </figcaption>
      <BarChart
        label={label}
        colour={colour}
        points={pointsOf(
          (day) => numberOf(amountOf(day)),
          (day) => amountText(amountOf(day), currency),
        )}
        ticks={ticks}
        axisText={shortText}
      />
    </figure>
  )
}

const numberOf = (amount: string | null) => (amount === null ? null : Number(amount))
const amountText = (amount: string | null, currency: string) =>
  amount === null ? '–' : moneyText(amount, currency)

/** Share of payments that succeeded, with a line over the days. Its axis begins at a full tenth, and says so. */
export function RateDays<D extends Day & { readonly success_rate: number | null }>({
  days,
  title,
  total,
  axisAbout,
  labelOf,
}: ChartOfDays<D> & {
  readonly total: number | null
  readonly axisAbout: (percent: string) => string
  readonly labelOf: (lowest: string) => string
}) {
  const { ticks, pointsOf } = useDays(days)
  const rates = days.flatMap(({ success_rate: rate }) => (rate === null ? [] : [rate]))
  const lowest = Math.min(1, ...rates)
  const from = Math.floor(lowest * 10) / 10
  return (
    <figure>
      <figcaption>
        <span className="lab">{title}</span>
        <span className="d">{axisAbout(String(Math.round(from * 100)))}</span>
        <div className="fig s">
          {total === null ? '–' : percentText(total)}
          <small>%</small>
        </div>
      </figcaption>
      <LineChart
        label={labelOf(percentText(lowest))}
        points={pointsOf(({ success_rate: rate }) => rate, rateText)}
        from={from}
        to={1}
        ticks={ticks}
        axisText={(value) => `${Math.round(value * 100)}%`}
      />
    </figure>
  )
}

export function rateText({ success_rate: rate }: { readonly success_rate: number | null }): string {
  return rate === null ? '–' : `${percentText(rate)}%`
}

/** Amount for a table whose head has the currency. */
export function plainAmount(amount: string): string {
  const { sign, main, beyond } = moneyParts(amount)
  return sign + main + beyond
}

/** 2k for 2,000, on the axis. */
export function shortText(value: number): string {
  if (Math.abs(value) >= 1_000_000) return `${value / 1_000_000}M`
  return Math.abs(value) >= 1_000 ? `${value / 1_000}k` : String(value)
}
