import { Type } from 'typebox'
import { parameter } from '../../../http/parameters.ts'
import { DAYS_MAX, STATEMENT_RULES } from './statement.rules.ts'

export const StatementParameters = Type.Object({
  date: parameter(
    STATEMENT_RULES.date,
    `yyyy-MM-dd, or yyyy-MM-dd - yyyy-MM-dd with both ends included; at most ${DAYS_MAX} days, GMT+8`,
  ),
  type: parameter(STATEMENT_RULES.type, 'Entries of this type alone. Blank: all'),
  page: parameter(STATEMENT_RULES.page, 'Number of the page'),
  limit: parameter(STATEMENT_RULES.limit, 'Entries of a page'),
})

const StatementEntry = Type.Object(
  {
    id: Type.Integer({ description: "The entry's number in your wallet, without gaps" }),
    date: Type.String({ description: 'yyyy-MM-dd HH:mm:ss.fff, GMT+8' }),
    amount: Type.Number({ description: 'Signed change, in MYR' }),
    balance: Type.Number({ description: 'Balance after the entry' }),
    remarks: Type.String(),
    type: Type.Union([Type.Literal('D'), Type.Literal('T'), Type.Literal('R'), Type.Literal('C')], {
      description: 'D deposit or adjustment, T transaction, R refund, C commission',
    }),
    refid: Type.Optional(Type.String({ description: 'Types T and R: your reference of the payment' })),
    trxid: Type.Optional(Type.String({ description: 'Types T and R: the transaction_id of the payment' })),
  },
  { title: 'Statement entry' },
)

const Url = Type.String({ description: 'URL' })
const UrlOrNull = Type.Union([Type.String(), Type.Null()], {
  description: 'URL; null when there is no such page',
})
const PositionOrNull = Type.Union([Type.Integer(), Type.Null()], { description: 'null on an empty page' })
const Total = Type.Object({ amount: Type.Number({ description: 'Signed, in MYR' }), count: Type.Integer() })

export const StatementResponse = Type.Object(
  {
    data: Type.Array(StatementEntry, { description: 'Newest first' }),
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
      { total_transactions: Total, total_deposit: Total, total_refund: Total },
      { description: 'Over all matches, not only this page' },
    ),
  },
  { title: 'Balance statement' },
)
