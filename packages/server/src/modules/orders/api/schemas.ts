import { Type } from 'typebox'
import { documentedAs, parameter } from '../../../http/parameters.ts'
import { enumOf, orNull } from '../../../http/schemas.ts'
import { MONEY } from '../../../lib/money.ts'
import { CUSTOMER_ACCOUNT, EXTRA, PRODUCT } from '../../payments/core/fields.rules.ts'
import {
  CANCEL_REASON,
  EXPIRES_IN_SECONDS,
  LANGUAGE,
  ORDER_CODE,
  PAYMENT_REFERENCE,
  PRODUCTS_MAX,
  REFERENCE,
  returnUrl,
  USER_ID,
} from '../core/fields.rules.ts'
import { LINES_MAX, QUANTITY, UNITS_MAX } from '../core/items.rules.ts'
import { Money, Status, Transactions } from '../core/schemas.ts'
import { LINE_STATUSES } from '../core/states.rules.ts'
import { ORDER_LIST_RULES } from './listing.rules.ts'

const extra = (description: string) =>
  Type.Optional(documentedAs(EXTRA, Type.Union([Type.String({ description }), Type.Null()])))

export const ItemBody = Type.Object(
  {
    product_code: documentedAs(PRODUCT, Type.String()),
    amount: documentedAs(MONEY, Type.String({ description: 'Denomination or amount to pay' })),
    account: Type.Optional(
      documentedAs(
        CUSTOMER_ACCOUNT,
        Type.Union([Type.String(), Type.Null()], { description: 'Left out: the customer types it' }),
      ),
    ),
    extras: Type.Optional(
      Type.Object(
        {
          subproduct_code: extra('Code of the plan or loan'),
          biller_code: extra('Bill payments'),
          ref2: extra('Second reference, where the biller needs one'),
          ic_number: extra('Identity number; never shown again'),
        },
        {
          description:
            'As a payment has them. The customer types those that the product needs and that are left out',
        },
      ),
    ),
    quantity: Type.Optional(
      documentedAs(QUANTITY, Type.Integer({ description: 'Each unit is a payment of its own', default: 1 })),
    ),
  },
  { title: 'Order item' },
)

export const NewOrderBody = Type.Object(
  {
    reference: documentedAs(
      REFERENCE,
      Type.String({ description: 'Your own, unique for ever: the same one twice is one order' }),
    ),
    user_id: documentedAs(USER_ID, Type.String({ description: 'Your own name of the customer' })),
    return_url: documentedAs(
      returnUrl('staging'),
      Type.String({
        description: 'Address where the customer goes to pay you, with order_id and status in the query',
      }),
    ),
    products: Type.Optional(
      Type.Array(documentedAs(PRODUCT, Type.String()), {
        maxItems: PRODUCTS_MAX,
        description: 'Codes that the customer may choose from; left out: all that you sell. Not with items',
      }),
    ),
    items: Type.Optional(
      Type.Array(ItemBody, {
        maxItems: LINES_MAX,
        description: `A fixed basket of at most ${UNITS_MAX} units`,
      }),
    ),
    expires_in_seconds: Type.Optional(
      documentedAs(EXPIRES_IN_SECONDS, Type.Integer({ description: 'Default 1800', default: 1_800 })),
    ),
    language: Type.Optional(documentedAs(LANGUAGE, Type.String({ default: 'en' }))),
    show_results: Type.Optional(
      Type.Boolean({ description: 'Whether the customer sees PINs and links on the page', default: false }),
    ),
  },
  { title: 'New order' },
)

export const ConfirmBody = Type.Object(
  {
    payment_reference: documentedAs(
      PAYMENT_REFERENCE,
      Type.String({
        description: "Your name of the customer's payment: the same one again confirms nothing twice",
      }),
    ),
    total_amount: Type.Optional(
      documentedAs(
        MONEY,
        Type.String({ description: 'Sum that the customer paid; compared with the total' }),
      ),
    ),
  },
  { title: 'Order confirmation' },
)

export const CancelBody = Type.Object(
  {
    reason: Type.Optional(documentedAs(CANCEL_REASON, Type.String({ description: 'For your own records' }))),
  },
  { title: 'Order cancellation' },
)

export const OrderParameters = Type.Object({ order_id: documentedAs(ORDER_CODE, Type.String()) })

export const OrderListParameters = Type.Object({
  status: parameter(ORDER_LIST_RULES.status, 'Orders in this state alone'),
  reference: parameter(ORDER_LIST_RULES.reference, 'The order with this reference alone'),
  user_id: parameter(ORDER_LIST_RULES.userId, 'Orders of this customer alone'),
  from: parameter(ORDER_LIST_RULES.from, 'Made on or after: a day yyyy-MM-dd (GMT+8) or an ISO 8601 instant'),
  to: parameter(ORDER_LIST_RULES.to, 'Made on or before: the same'),
  limit: parameter(ORDER_LIST_RULES.limit, 'Orders of a page'),
  cursor: parameter(ORDER_LIST_RULES.cursor, 'cursor of the page before'),
})

const Item = Type.Object({
  line: Type.Integer({ description: 'From 1' }),
  product_code: Type.String(),
  product_name: Type.String(),
  account: orNull(
    Type.String(),
    'null: the customer has not typed it, or the order ended more than 30 days ago',
  ),
  amount: Type.String({ description: 'Denomination, in the currency of the product' }),
  quantity: Type.Integer(),
  unit_price: Money('Price of one unit, locked for the life of the order'),
  price: Money('unit_price times quantity'),
  status: enumOf(LINE_STATUSES),
  transactions: Transactions,
})

export const Order = Type.Object(
  {
    order_id: Type.String(),
    reference: Type.String(),
    user_id: Type.String(),
    status: Status,
    checkout_url: orNull(
      Type.String(),
      'Page for the customer; null: the order is no longer open, or your key may not pay',
    ),
    client_token: orNull(
      Type.String(),
      'Opens this order to its customer, and nothing else; null: the order is no longer open, or your key may not pay',
    ),
    return_url: Type.String(),
    currency: Type.Literal('MYR'),
    total_amount: Money('Sum of the prices'),
    refund_amount: Money('Prices of the units that failed: give them back to the customer'),
    payment_reference: orNull(Type.String(), 'null: not confirmed'),
    cancel_reason: orNull(Type.String(), 'null: not cancelled, or without a reason'),
    products: orNull(Type.Array(Type.String()), 'null: all that you sell, or a fixed basket'),
    items: Type.Array(Item),
    expires_at: Type.String({ description: 'ISO 8601, UTC; so are the other times' }),
    created_at: Type.String(),
    confirmed_at: orNull(Type.String(), 'null: not confirmed'),
    completed_at: orNull(Type.String(), 'Time of the final state'),
    language: Type.String(),
    show_results: Type.Boolean(),
  },
  { title: 'Order' },
)

export const OrderResponse = Type.Object({ data: Order }, { title: 'Order response' })

export const OrderListResponse = Type.Object(
  {
    data: Type.Array(Order, { description: 'Newest first' }),
    cursor: orNull(Type.String(), 'For the next page; null: this is the last'),
    has_more: Type.Boolean(),
  },
  { title: 'Order page' },
)

const Fields = Type.Record(Type.String(), Type.Array(Type.String()), {
  description: 'Mistakes by field, such as `items.0.account`',
})

const problem = {
  error: Type.String({ description: 'Stable code, such as order_timeout' }),
  message: Type.String(),
  errors: Fields,
}

export const OrderProblem = Type.Object(problem, { title: 'Order problem' })

export const OrderConflict = Type.Object(
  {
    ...problem,
    order_id: Type.Optional(
      Type.String({ description: 'reference_conflict: the order that has the reference' }),
    ),
    needed: Type.Optional(Money('insufficient_balance: cost of the order')),
    balance: Type.Optional(Money('insufficient_balance: the wallet')),
    items: Type.Optional(
      Type.Array(
        Type.Object({ line: Type.Integer(), cost: Money('Cost of one unit'), unit_price: Money('Locked') }),
        {
          description: 'cost_above_price',
        },
      ),
    ),
  },
  { title: 'Order conflict' },
)
