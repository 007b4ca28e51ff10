import { Type } from 'typebox'
import { enumOf, orNull } from '../../../http/schemas.ts'
import { ORDER_STATES } from './types.ts'

export const Money = (description: string) => Type.String({ description: `${description}, in MYR` })

export const Status = enumOf(
  ORDER_STATES,
  'draft: the customer fills the basket. awaiting_payment: it is submitted. confirmed: it is being paid. The others ' +
    'are final',
)

const Transaction = Type.Object(
  {
    refid: Type.String({ description: 'Reference of the payment' }),
    transaction_id: orNull(Type.String(), 'null: there is no payment'),
    status_code: orNull(Type.Integer(), 'statusCode of the payment'),
    status_name: orNull(Type.String(), 'status of the payment'),
    price: Money("The customer's price"),
    sn: Type.String(),
    pin: Type.String(),
    expiry: Type.String({ description: 'yyyyMMdd' }),
    voucherlink: Type.String(),
    error: orNull(Type.String(), 'Reason of a failure, or of a wait'),
  },
  { title: 'Order transaction' },
)

export const Transactions = Type.Array(Transaction, {
  description: 'One payment for each unit; empty until the order is confirmed',
})

/** Data of an order event, in the webhook and in the feed. */
export const orderEventMembers = {
  order_id: Type.String(),
  reference: Type.String({ description: 'Your own' }),
  user_id: Type.String(),
  total_amount: Money('Sum of the prices'),
  refund_amount: Money('Prices of the units that failed: give them back to the customer'),
  status: enumOf(
    ['completed', 'partially_completed', 'failed', 'timeout', 'cancelled'],
    'order.completed: completed, partially_completed or failed',
  ),
  payment_reference: orNull(Type.String(), 'null: the order was never confirmed'),
  completed_at: Type.String({ format: 'date-time', description: 'ISO 8601, UTC' }),
  items: Type.Array(
    Type.Object({
      product_code: Type.String(),
      amount: Type.String({ description: 'Denomination, in the currency of the product' }),
      quantity: Type.Integer(),
      transactions: Transactions,
    }),
  ),
}

export const OrderEventData = Type.Object(orderEventMembers, { title: 'Order event data' })
