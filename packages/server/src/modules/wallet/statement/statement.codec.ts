import { Type } from 'typebox'
import { resource } from '../../../http/codec.ts'
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

const ENTRY = resource<StatementEntry>()('Statement entry', {
  id: [
    Type.Integer({ description: "The entry's number in your wallet, without gaps" }),
    ({ sequence }) => Number(sequence),
  ],
  date: [
    Type.String({ description: 'yyyy-MM-dd HH:mm:ss.fff, GMT+8' }),
    ({ createdAt }) => formatMilliseconds(createdAt),
  ],
  amount: [Type.Number({ description: 'Signed change, in MYR' }), ({ amount }) => moneyToNumber(amount)],
  balance: [
    Type.Number({ description: 'Balance after the entry' }),
    ({ balanceAfter }) => moneyToNumber(balanceAfter),
  ],
  remarks: [Type.String(), ({ remarks }) => remarks],
  type: [
    Type.Union([Type.Literal('D'), Type.Literal('T'), Type.Literal('R'), Type.Literal('C')], {
      description: 'D deposit or adjustment, T transaction, R refund, C commission',
    }),
    ({ kind }) => TYPE_CODES[kind],
  ],
})
const ofPayment = {
  refid: Type.Optional(Type.String({ description: 'Types T and R: your reference of the payment' })),
  trxid: Type.Optional(Type.String({ description: 'Types T and R: the transaction_id of the payment' })),
}
const Entry = Type.Object({ ...ENTRY.schema.properties, ...ofPayment }, { title: 'Statement entry' })

const TOTAL = resource<Total>()(undefined, {
  amount: [Type.Number({ description: 'Signed, in MYR' }), ({ amount }) => moneyToNumber(amount)],
  count: [Type.Integer(), ({ count }) => Number(count)],
})

const Url = Type.String({ description: 'URL' })
const UrlOrNull = Type.Union([Type.String(), Type.Null()], {
  description: 'URL; null when there is no such page',
})
const PositionOrNull = Type.Union([Type.Integer(), Type.Null()], { description: 'null on an empty page' })

export const StatementResponse = Type.Object(
  {
    data: Type.Array(Entry, { description: 'Newest first' }),
    links: Type.Object({ first: Url, last: Url, prev: UrlOrNull, next: UrlOrNull }),
    meta: Type.Object({
      current_page: Type.Integer(),
      from: PositionOrNull,
      last_page: Type.Integer(),
      path: Type.String(),
      per_page: Type.Integer(),
      to: PositionOrNull,
      total: Type.Integer(),
    }),
    summary: Type.Object(
      { total_transactions: TOTAL.schema, total_deposit: TOTAL.schema, total_refund: TOTAL.schema },
      { description: 'Over all matches, not only this page' },
    ),
  },
  { title: 'Balance statement' },
)

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
      total_transactions: TOTAL.encode(totals.TRANSACTION),
      total_deposit: TOTAL.encode(totals.DEPOSIT),
      total_refund: TOTAL.encode(totals.REFUND),
    },
  }
}

function entryView(entry: StatementEntry) {
  const { refid, paymentId } = entry
  return { ...ENTRY.encode(entry), ...(refid !== null && { refid, trxid: String(paymentId) }) }
}

function linkQuery({ days, type, perPage }: StatementQuery, page: number): string {
  const date =
    days.from === days.to ? formatDay(days.from) : `${formatDay(days.from)} - ${formatDay(days.to)}`
  const query = new URLSearchParams({ date, limit: String(perPage), page: String(page) })
  if (type !== null) query.set('type', type)
  return query.toString()
}
