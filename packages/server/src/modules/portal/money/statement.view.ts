import { formatDay } from '../../../lib/dates.ts'
import { formatMoney } from '../../../lib/money.ts'
import type { Span } from '../../wallet/statement/listing.service.ts'

export function spanView({ days, opening, closing, totals }: Span) {
  return {
    from: formatDay(days.from),
    to: formatDay(days.to),
    opening: formatMoney(opening),
    closing: formatMoney(closing),
    deposits: totalView(totals.DEPOSIT),
    payments: totalView(totals.TRANSACTION),
    refunds: totalView(totals.REFUND),
    commissions: totalView(totals.COMMISSION),
  }
}

export function monthView(span: Span) {
  return { month: formatDay(span.days.from).slice(0, 'yyyy-MM'.length), ...spanView(span) }
}

function totalView({ amount, count }: { amount: bigint; count: bigint }) {
  return { amount: formatMoney(amount), count: Number(count) }
}
