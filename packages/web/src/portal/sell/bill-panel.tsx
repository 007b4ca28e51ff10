import { shownBill } from '@warung/forms/bill'
import type { Bill } from '../../api/portal.generated.ts'
import { dayText, timeText } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { Money } from '../../ui/money.tsx'
import { Shape } from '../../ui/state.tsx'
import { SELL } from './messages.ts'

/** Bill as its biller knows it, before it is paid. A part that the biller did not return is not shown. */
export function BillPanel({
  bill,
  askedAtMs,
  currency,
}: {
  bill: Bill
  askedAtMs: number
  currency: string
}) {
  const text = useText(SELL)
  const shown = shownBill(bill)
  if (shown === undefined) return null
  const { name, address, owed, due, more } = shown
  return (
    <div className="bill" role="status">
      <span className="st ok">
        <Shape tone="ok" />
        {text.billExists}
      </span>
      <span className="sub small right">{text.askedAt(timeText(askedAtMs))}</span>
      <span>
        {name === undefined ? null : <b className="strong">{name}</b>}
        {address === undefined ? null : <span className="mid line">{address}</span>}
        {more === undefined ? null : <span className="mid line">{more}</span>}
      </span>
      <span className="right">
        {owed === undefined ? null : (
          <span className="owed">
            <Money amount={owed} currency={currency} />
          </span>
        )}
        {due === undefined ? null : <span className="mid line">{text.due(dueText(due))}</span>}
      </span>
    </div>
  )
}

/** Billers write the day as they like; what is no date is shown as it came. */
function dueText(due: string): string {
  return /^\d{4}-\d{2}-\d{2}$/.test(due) ? dayText(`${due}T12:00:00+08:00`) : due
}
