import type { OperatorOverview } from '../../api/operator.generated.ts'
import { PageLink } from '../../shell/navigation.tsx'
import { isoDayFromToday } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { countText, percentText } from '../../text/numbers.ts'
import { Figure } from '../../ui/money.tsx'
import { Panel } from '../../ui/panel.tsx'
import { OVERVIEW } from './messages.ts'

export type OverviewPayments = NonNullable<OperatorOverview['payments']>

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
        </div>
      </div>
    </Panel>
  )
}
