import { Type } from 'typebox'
import { parameter } from '../../../http/parameters.ts'
import { enumOf } from '../../../http/schemas.ts'
import { CASE_KINDS, CASE_STATES } from '../../cases/types.ts'
import { dataOf, Instant, Money, StatusCode } from '../access/schemas.ts'
import { STATUS_WORDS } from './payments.rules.ts'
import { SEARCH_RULES } from './search.rules.ts'

/** Payment with everything that is not worth money by itself. */
export const PaymentLine = Type.Object(
  {
    id: Type.String(),
    refid: Type.String(),
    status: enumOf(Object.keys(STATUS_WORDS)),
    code: StatusCode,
    product: Type.String(),
    product_name: Type.String(),
    account: Type.String(),
    amount: Type.String({ description: "In the product's own unit" }),
    face_value: Money,
    cost: Money,
    remarks: Type.String(),
    created_at: Instant,
    changed_at: Instant,
  },
  { title: 'Payment line' },
)

export const SearchParameters = Type.Object({
  q: parameter(SEARCH_RULES.q, 'At least 2 characters'),
})

export const SearchResponse = dataOf(
  Type.Object(
    {
      payments: Type.Array(PaymentLine, {
        description:
          'Payments whose refid begins with it, or id (6 digits or more); to the number, in any spelling; to a favourite of that ' +
          'name; and of the newest 20,000 of 90 days: whose number or serial ends with it (4 characters or more), whose ' +
          'PIN does (exactly 4; admins), with this amount',
      }),
      products: Type.Array(Type.Object({ code: Type.String(), name: Type.String() }), {
        description: 'That you sell, with it in code or name',
      }),
      cases: Type.Array(
        Type.Object({
          number: Type.String(),
          kind: enumOf(CASE_KINDS),
          state: enumOf(CASE_STATES),
          refid: Type.String(),
        }),
        { description: 'With this number, or about a payment with exactly this refid or id' },
      ),
    },
    { title: 'Portal search', description: 'At most 8 of each' },
  ),
)
