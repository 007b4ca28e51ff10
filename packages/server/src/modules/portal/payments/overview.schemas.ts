import { Type } from 'typebox'
import { Day, dataOf, enumSchema, Money, orNull } from '../access/schemas.ts'

export const BalanceResponse = dataOf(
  Type.Object({ currency: Type.Literal('MYR'), balance: Money }, { title: 'Portal balance' }),
)

export const figures = {
  payments: Type.Integer(),
  successful: Type.Integer(),
  pending: Type.Integer(),
  failed: Type.Integer(),
  refunded: Type.Integer(),
  sales: { ...Money, description: 'Face value of what succeeded or still may, in MYR' },
  cost: Money,
  margin: { ...Money, description: 'sales minus cost, in MYR' },
  success_rate: orNull(
    Type.Number({ description: '0 to 1, of what succeeded or failed; null: nothing did' }),
  ),
}

export const OverviewResponse = dataOf(
  Type.Object(
    {
      currency: Type.Literal('MYR'),
      balance: Money,
      days_left: orNull(
        Type.Number({ description: 'At the rate of the last 7 whole days; null: nothing was sold' }),
      ),
      today: Type.Object(figures),
      last_30_days: Type.Object(figures),
      by_day: Type.Array(Type.Object({ day: Day, ...figures }), { description: 'Oldest first' }),
      interruptions: Type.Array(
        Type.Object({ product: Type.String(), name: Type.String(), since: Type.String() }),
      ),
      attention: Type.Array(
        Type.Object({
          kind: Type.String(),
          severity: enumSchema(['critical', 'warning', 'info']),
          text: Type.String(),
          subject: orNull(Type.String()),
          count: orNull(Type.Integer()),
        }),
      ),
    },
    { title: 'Overview' },
  ),
)
