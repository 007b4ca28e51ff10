import { Type } from 'typebox'
import { parameter } from '../../../http/parameters.ts'
import { enumOf, orNull } from '../../../http/schemas.ts'
import { DAYS, Day, Instant, listOf, Money, PAGE, pageOf } from '../access/schemas.ts'
import { MONTHS_RULES, STATEMENT_RULES } from './statement.rules.ts'

const FILTERS = { ...DAYS, type: parameter(STATEMENT_RULES.type, 'Left out: all') }

export const StatementParameters = Type.Object({
  ...FILTERS,
  ...PAGE,
})

export const StatementFileParameters = Type.Object(FILTERS)

const Total = Type.Object({ amount: Money, count: Type.Integer() })

const totals = {
  deposits: Total,
  payments: Total,
  refunds: Total,
  commissions: Total,
}

const Entry = Type.Object(
  {
    number: Type.String({ description: "The entry's number in the wallet, without gaps" }),
    kind: enumOf(['deposit', 'adjustment', 'payment', 'refund', 'commission']),
    amount: Money,
    balance: Money,
    payment_id: orNull(Type.String()),
    refid: orNull(Type.String(), 'Your reference of the payment; null: the entry has none'),
    trxid: orNull(Type.String(), 'The same as `payment_id`, under the name of the signed API'),
    remarks: Type.String(),
    created_at: Instant,
  },
  { title: 'Portal entry' },
)

const Summary = Type.Object({ from: Day, to: Day, opening: Money, closing: Money, ...totals })

export const StatementResponse = Type.Object({
  ...pageOf(Entry).properties,
  summary: { ...Summary, description: 'Over the days, for all types' },
})

export const MonthsParameters = Type.Object({ months: parameter(MONTHS_RULES.months, 'How many') })

export const MonthsResponse = listOf(Type.Object({ month: Type.String(), ...Summary.properties }))
