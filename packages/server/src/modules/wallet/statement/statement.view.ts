import { pageWrapper } from '../../../http/pages.ts'
import { formatDay, formatMilliseconds } from '../../../lib/dates.ts'
import { moneyToNumber } from '../../../lib/money.ts'
import type { TransferKind } from '../balance/types.ts'
import type { StatementQuery, Total } from './statement.rules.ts'
import type { StatementEntry, StatementPage } from './statement.service.ts'

const TYPE_CODES: Readonly<Record<TransferKind, 'D' | 'T' | 'R' | 'C'>> = {
  deposit: 'D',
  adjustment: 'D',
  payment: 'T',
  refund: 'R',
  commission: 'C',
}

/** Makes a page of the statement. `path` is the start of the page links. */
export function statementView(
  path: string,
  query: StatementQuery,
  { entries, count, totals }: StatementPage,
) {
  const { page, perPage } = query
  const shown = { page, perPage, total: Number(count), shown: entries.length }
  return {
    data: entries.map(entryView),
    ...pageWrapper(path, shown, (target) => linkQuery(query, target)),
    summary: {
      total_transactions: totalView(totals.TRANSACTION),
      total_deposit: totalView(totals.DEPOSIT),
      total_refund: totalView(totals.REFUND),
    },
  }
}

function entryView(entry: StatementEntry) {
  return {
    id: Number(entry.sequence),
    date: formatMilliseconds(entry.createdAt),
    amount: moneyToNumber(entry.amount),
    balance: moneyToNumber(entry.balanceAfter),
    remarks: entry.remarks,
    type: TYPE_CODES[entry.kind],
    ...(entry.refid !== null && { refid: entry.refid, trxid: String(entry.paymentId) }),
  }
}

function totalView({ amount, count }: Total) {
  return { amount: moneyToNumber(amount), count: Number(count) }
}

function linkQuery({ days, type, perPage }: StatementQuery, page: number): string {
  const date =
    days.from === days.to ? formatDay(days.from) : `${formatDay(days.from)} - ${formatDay(days.to)}`
  const query = new URLSearchParams({ date, limit: String(perPage), page: String(page) })
  if (type !== null) query.set('type', type)
  return query.toString()
}
