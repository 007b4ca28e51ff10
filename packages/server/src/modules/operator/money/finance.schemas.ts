import { Type } from 'typebox'
import { orNull } from '../../../http/schemas.ts'
import { dataOf, Instant } from '../console/schemas.ts'

export const ClosingsResponse = dataOf(
  Type.Object(
    {
      last_day: Type.String({ description: 'yyyy-MM-dd, GMT+8: the last day that should be closed by now' }),
      is_current: Type.Boolean({ description: 'No wallet is behind' }),
      wallets: Type.Integer(),
      behind_total: Type.Integer(),
      behind: Type.Array(
        Type.Object({
          account: Type.String(),
          name: Type.String(),
          day: Type.String({ description: 'The first day that is over and not closed' }),
        }),
        { description: 'At most 100' },
      ),
      last_closed_at: orNull(Instant, 'null: nothing was ever closed'),
    },
    { title: 'Closings' },
  ),
)
