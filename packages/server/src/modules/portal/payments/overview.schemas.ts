import { Type } from 'typebox'
import { enumOf, orNull } from '../../../http/schemas.ts'
import { STREAMS } from '../../events/types.ts'
import { Day, dataOf, Money } from '../access/schemas.ts'

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
  success_rate: orNull(Type.Number(), '0 to 1, of what succeeded or failed; null: nothing did'),
}

const rate = (description: string) => orNull(Type.Number(), description)

const Target = Type.Union(
  [
    Type.Object({ page: Type.Literal('account') }),
    Type.Object({ page: Type.Literal('deposits') }),
    Type.Object({ page: Type.Literal('endpoint'), stream: enumOf(STREAMS) }),
    Type.Object({
      page: Type.Literal('payments'),
      filter: Type.Object({ status: Type.Literal('pending'), from: Day, to: Day }),
    }),
    Type.Object({
      page: Type.Literal('cases'),
      states: Type.Array(enumOf(['open', 'in_progress'])),
    }),
    Type.Object({
      page: Type.Literal('catalogue'),
      filter: Type.Object({ at_loss: Type.Literal(true) }),
    }),
    Type.Object({ page: Type.Literal('keys'), key: Type.String() }),
  ],
  { title: 'Attention target', description: 'Page where something can be done about it' },
)

export const OverviewResponse = dataOf(
  Type.Object(
    {
      currency: Type.Literal('MYR'),
      balance: Money,
      days_left: orNull(Type.Number(), 'At the rate of the last 7 whole days; null: nothing was sold'),
      runway: Type.Object(
        {
          spent_per_day: orNull(Money, 'MYR; null: nothing was sold'),
          threshold: orNull(Money, 'The highest one, in MYR; null: there is none'),
          days_to_threshold: orNull(
            Type.Number(),
            'Until the balance is at it; null: none, or nothing was sold',
          ),
        },
        { description: 'At the rate of the last 7 whole days' },
      ),
      today: Type.Object(figures),
      last_30_days: Type.Object(figures),
      by_day: Type.Array(Type.Object({ day: Day, ...figures }), { description: 'Oldest first' }),
      balance_by_day: Type.Array(
        Type.Object({
          day: Day,
          balance: { ...Money, description: 'At the end of the day; of today the present one, in MYR' },
          deposited: Money,
        }),
        { description: 'The same days' },
      ),
      deliveries_by_day: Type.Array(
        Type.Object({
          day: Day,
          succeeded: Type.Integer(),
          failed: Type.Integer({ description: 'Given up' }),
          pending: Type.Integer(),
          success_rate: rate('0 to 1, of what succeeded or failed; null: nothing did'),
        }),
        { description: 'Deliveries to the receivers of all streams by the day on which they were made' },
      ),
      interruptions: Type.Array(
        Type.Object({ product: Type.String(), name: Type.String(), since: Type.String() }),
      ),
      attention: Type.Array(
        Type.Object({
          kind: Type.String(),
          severity: enumOf(['critical', 'warning', 'info']),
          text: Type.String(),
          subject: orNull(Type.String()),
          count: orNull(Type.Integer()),
          target: Target,
        }),
      ),
    },
    { title: 'Overview' },
  ),
)
