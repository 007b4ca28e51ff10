import { formatDay, formatMilliseconds } from '../../lib/dates.ts'
import { moneyToNumber } from '../../lib/money.ts'
import type { StatementQuery, Total } from './statement.rules.ts'
import type { StatementPage } from './statement.service.ts'
import type { Entry, TransferKind } from './types.ts'

const TYPE_CODES: Readonly<Record<TransferKind, 'D' | 'T' | 'R' | 'C'>> = {
  deposit: 'D',
  adjustment: 'D',
  payment: 'T',
  refund: 'R',
  commission: 'C',
}

/** `path` stands before the links of pages. */
export function statementView(
  path: string,
  query: StatementQuery,
  { entries, count, totals }: StatementPage,
) {
  const { page, perPage } = query
  const total = Number(count)
  const lastPage = Math.max(1, Math.ceil(total / perPage))
  const passedOver = (page - 1) * perPage
  const link = (target: number) => `${path}?${linkQuery(query, target)}`
  return {
    data: entries.map(entryView),
    links: {
      first: link(1),
      last: link(lastPage),
      prev: page > 1 ? link(Math.min(page - 1, lastPage)) : null,
      next: page < lastPage ? link(page + 1) : null,
    },
    meta: {
      current_page: page,
      from: entries.length === 0 ? null : passedOver + 1,
      last_page: lastPage,
      path,
      per_page: perPage,
      to: entries.length === 0 ? null : passedOver + entries.length,
      total,
    },
    summary: {
      total_transactions: totalView(totals.TRANSACTION),
      total_deposit: totalView(totals.DEPOSIT),
      total_refund: totalView(totals.REFUND),
    },
  }
}

function entryView(entry: Entry) {
  return {
    id: Number(entry.sequence),
    date: formatMilliseconds(entry.createdAt),
    amount: moneyToNumber(entry.amount),
    balance: moneyToNumber(entry.balanceAfter),
    remarks: entry.remarks,
    type: TYPE_CODES[entry.kind],
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
