import { Type } from 'typebox'
import { DAYS, Day, Instant, listOf, Money, oneOfWords, orNull, pageOf, parameter } from './schemas.ts'
import { ENTRY_WORDS } from './statement.rules.ts'

const FILTERS = { ...DAYS, type: parameter(`${Object.keys(ENTRY_WORDS).join(', ')}. Left out: all`) }

export const StatementParameters = Type.Object({
  ...FILTERS,
  limit: parameter('1 to 200; 50 when left out'),
  cursor: parameter('That of the page before'),
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
    kind: oneOfWords(['deposit', 'adjustment', 'payment', 'refund', 'commission']),
    amount: Money,
    balance: Money,
    payment_id: orNull(Type.String()),
    remarks: Type.String(),
    created_at: Instant,
  },
  { title: 'Portal entry' },
)

const Summary = Type.Object({ from: Day, to: Day, opening: Money, closing: Money, ...totals })

export const StatementResponse = Type.Object({
  ...pageOf(Entry).properties,
  summary: { ...Summary, description: 'Of the days, whatever the type' },
})

export const MonthsParameters = Type.Object({ months: parameter('1 to 36; 12 when left out') })

export const MonthsResponse = listOf(Type.Object({ month: Type.String(), ...Summary.properties }))
