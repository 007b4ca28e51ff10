import { Type } from 'typebox'
import { documentedAs } from '../../../http/parameters.ts'
import { enumOf, orNull } from '../../../http/schemas.ts'
import { ORDER_NAME } from '../../orders/core/fields.rules.ts'
import { ORDER_STATES, UNIT_STATES } from '../../orders/core/types.ts'
import { dataOf, Instant } from '../kit/schemas.ts'

const text = (description?: string) => Type.String(description === undefined ? {} : { description })
const ringgit = (description: string) => Type.String({ description: `${description}, in ringgit` })

const Unit = Type.Object({
  line: Type.Integer(),
  number: Type.Integer({ description: 'Place among the units of its line' }),
  product: text(),
  refid: text('Refid of its payment'),
  state: enumOf(UNIT_STATES, 'waiting: not known to be paid. sent: the payment exists and is not final'),
  price: ringgit("The customer's price"),
  payment_id: orNull(text(), 'null: there is no payment, or none is known yet'),
  error: orNull(text(), 'Reason of a failure'),
})

const Item = Type.Object({
  line: Type.Integer(),
  product: text(),
  product_name: text(),
  amount: text(),
  quantity: Type.Integer(),
  unit_price: ringgit('Locked price of one unit'),
})

const OrderReport = Type.Object(
  {
    order_id: text(),
    reseller: text("The reseller's account number"),
    reseller_name: text(),
    reference: text("The reseller's own name of it"),
    state: enumOf(ORDER_STATES),
    total: ringgit('Sum of the prices'),
    refund: ringgit('Prices of the units that failed'),
    payment_reference: orNull(text(), 'null: not confirmed'),
    cancel_reason: orNull(text()),
    created_at: Instant,
    expires_at: Instant,
    confirmed_at: orNull(Instant),
    completed_at: orNull(Instant, 'Time of the final state'),
    next_at: orNull(Instant, 'Time of the next look: its expiry, or its payments. null: it is final'),
    looks: orNull(Type.Integer(), 'Looks at its payments since it was confirmed. null: it is final'),
    items: Type.Array(Item),
    units: Type.Array(Unit, { description: 'Its payments; empty until it is confirmed' }),
  },
  { title: 'Reseller order' },
)

export const OrderReportParameters = Type.Object({
  order_id: documentedAs(
    ORDER_NAME,
    Type.String({ description: 'Id of the order (ord_…), or the refid of one of its payments' }),
  ),
})
export const OrderReportResponse = dataOf(OrderReport)
