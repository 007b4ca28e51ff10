import { useFilters } from '../../shell/navigation.tsx'
import { dayText, momentOfDay } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { countText, percentText } from '../../text/numbers.ts'
import { Money } from '../../ui/money.tsx'
import { Shape } from '../../ui/state.tsx'
import { PORTAL } from '../messages.ts'
import { filterQuery } from './filters.ts'
import { PAYMENTS } from './messages.ts'
import { STATUS_TONES } from './status.tsx'
import { useTotals } from './use-totals.ts'

const COUNTED = ['successful', 'pending', 'failed', 'refunded'] as const

/** Totals of all pages together. A refid names one payment, so there is nothing to add up. */
export function TotalsBar() {
  const text = useText(PAYMENTS)
  const pages = useText(PORTAL)
  const [search] = useFilters()
  const totals = useTotals()
  if (filterQuery(search).refid !== undefined) return null
  const span =
    totals === undefined
      ? ''
      : `: ${text.span(dayText(momentOfDay(totals.from)), dayText(momentOfDay(totals.to)))}`
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls on narrow screens, also for those who use keys alone.
    <section className="sum" aria-label={`${text.totals}${span}`} tabIndex={0}>
      <div>
        <small>{text.payments}</small>
        <b>{totals === undefined ? '…' : countText(totals.payments)}</b>
      </div>
      {COUNTED.map((status) => (
        <div key={status}>
          <small>
            <Shape tone={STATUS_TONES[status]} isColoured />
            {pages.status[status]}
          </small>
          <b>{totals === undefined ? '…' : countText(totals[status])}</b>
        </div>
      ))}
      <div>
        <small>{text.sales}</small>
        <b>{totals === undefined ? '…' : <Money amount={totals.sales} currency="MYR" />}</b>
      </div>
      <div>
        <small>{text.cost.split(',')[0]}</small>
        <b>{totals === undefined ? '…' : <Money amount={totals.cost} currency="MYR" />}</b>
      </div>
      <div>
        <small>{text.margin.split(',')[0]}</small>
        <b>{totals === undefined ? '…' : <Money amount={totals.margin} currency="MYR" />}</b>
      </div>
      <div>
        <small>{text.successRate}</small>
        <b>{totals?.success_rate == null ? '–' : `${percentText(totals.success_rate)}%`}</b>
      </div>
    </section>
  )
}
