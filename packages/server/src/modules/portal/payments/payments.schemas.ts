import { Type } from 'typebox'
import { documentedAs, parameter, repeatedParameter } from '../../../http/parameters.ts'
import { enumOf, orNull } from '../../../http/schemas.ts'
import { ID } from '../../../lib/input/ids.ts'
import { SELLER_KINDS } from '../../payments/core/types.ts'
import { DAYS, Day, dataOf, Instant, Money, PAGE, pageOf, StatusCode } from '../access/schemas.ts'
import { figures } from './overview.schemas.ts'
import { FILTER_RULES, STATUS_WORDS } from './payments.rules.ts'

const FILTERS = {
  ...DAYS,
  status: repeatedParameter(FILTER_RULES.status, 'May be repeated. Left out: all'),
  account: parameter(FILTER_RULES.account, 'Payments to this account alone'),
  product: parameter(FILTER_RULES.product, 'Payments of this product alone'),
  member: parameter(
    FILTER_RULES.member,
    'Payments that the member with this id sold; cashiers see their own alone',
  ),
}

export const PaymentsParameters = Type.Object({
  ...FILTERS,
  refid: parameter(
    FILTER_RULES.refid,
    'The payment with this refid alone, whenever it was; other filters are not read',
  ),
  q: parameter(
    FILTER_RULES.q,
    'Payments that the search finds by it, at most 50, whenever they were; other filters are not read',
  ),
  ...PAGE,
})

export const PaymentsFileParameters = Type.Object(FILTERS)

const summary = {
  id: Type.String(),
  refid: Type.String(),
  status: enumOf(Object.keys(STATUS_WORDS)),
  code: StatusCode,
  product: Type.String(),
  product_name: Type.String(),
  biller: orNull(Type.String()),
  account: Type.String(),
  amount: Type.String({ description: "In the product's own unit" }),
  amount_currency: orNull(
    Type.String(),
    "The product's own unit, such as MYR; null: the product is no longer known",
  ),
  face_value: Money,
  cost: Money,
  remarks: Type.String(),
  serial_number: Type.String(),
  pin: Type.String({ description: 'Masked for viewers and accountants' }),
  voucher_link: Type.String({ description: 'Masked for viewers and accountants' }),
  expiry: Type.String(),
  sender: Type.String({ description: 'Address of the caller' }),
  member_id: Type.String({
    description: "The API key's or member's id; of a payment of an order, the order's id",
  }),
  sold_by: orNull(
    Type.Object({ kind: enumOf(SELLER_KINDS), name: Type.String() }),
    "The member's name, the key's label or the order's id; null: not known any more",
  ),
  created_at: Instant,
  changed_at: Instant,
}

export const PaymentSummary = Type.Object(summary, { title: 'Portal payment' })

export const PaymentsResponse = pageOf(PaymentSummary)

export const PaymentTotalsResponse = dataOf(
  Type.Object({ from: Day, to: Day, ...figures }, { title: 'Payment totals' }),
)

export const PaymentParams = Type.Object({
  id: documentedAs(ID, Type.String({ description: 'The id of a payment' })),
})

const Step = Type.Object({
  kind: enumOf(['request', 'state', 'attempt']),
  code: StatusCode,
  status: Type.String(),
  at: Instant,
})

const Movement = Type.Object({
  kind: Type.Unsafe<string>(enumOf(['payment', 'refund'])),
  amount: Money,
  balance: { ...Money, description: "The wallet's, right after it" },
  at: Instant,
})

const Callback = Type.Object({
  id: Type.String(),
  event_id: Type.String(),
  status: Type.String(),
  error: Type.String(),
  attempts: Type.Integer(),
  response_status: Type.Integer({ description: '0 when nothing answered' }),
  response_body: Type.String({ description: 'For admins; else empty' }),
  replay_of: orNull(Type.String()),
  created_at: Instant,
  completed_at: orNull(Instant),
})

export const PaymentResponse = dataOf(
  Type.Object(
    {
      ...summary,
      balance_after: Money,
      note: Type.String(),
      redemption: orNull(
        Type.String(),
        'How the customer uses what was bought, in the language of `Accept-Language` where the catalogue has it',
      ),
      plan: orNull(Type.String()),
      ref2: orNull(Type.String()),
      ic_number: orNull(Type.String(), 'Always masked'),
      is_refundable: Type.Boolean(),
      cases: Type.Array(
        Type.Object({
          number: Type.String(),
          kind: enumOf(['dispute', 'void']),
          state: enumOf(['open', 'in_progress', 'resolved', 'refused']),
          opened_at: Instant,
        }),
        { description: 'About this payment, newest first' },
      ),
      timeline: Type.Array(Step, { description: 'Oldest first' }),
      movements: Type.Array(Movement, { description: 'Movements of the wallet, oldest first' }),
      callbacks: Type.Array(Callback, { description: 'Oldest first, replays included' }),
    },
    { title: 'Portal payment details' },
  ),
)
