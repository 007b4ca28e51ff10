import type { ErrorStatus, FieldErrors } from '../../../lib/errors.ts'
import { RequestError } from '../../../lib/errors.ts'
import type { Guidance } from '../../../lib/guidance.ts'

export type OrderProblemGuide = Guidance & { readonly status: ErrorStatus; readonly message: string }

/** Refusals of the order operations, by the code that `error` of the answer carries. */
export const ORDER_PROBLEMS = {
  order_not_found: {
    status: 404,
    message: 'There is no such order.',
    cause: 'No order of your account has this id.',
    remedy: 'Compare the id with the answer that created the order.',
    retry: 'after_change',
  },
  invalid_items: {
    status: 422,
    message: 'Some items cannot be bought like this.',
    cause: 'An item was judged like a payment, and would be rejected.',
    remedy: 'Correct the fields that `errors` names, such as `items.0.account`.',
    retry: 'after_change',
  },
  reference_conflict: {
    status: 409,
    message: 'Another order has this reference.',
    cause: 'An order with this `reference` exists, and was made with other content.',
    remedy: 'Send exactly the first content to get that order again, or use a new reference.',
    retry: 'after_change',
  },
  too_many_orders: {
    status: 429,
    message: 'There are too many open orders.',
    cause: 'The account has 10,000 open orders, or the customer has 50.',
    remedy: 'Cancel orders that nobody will pay, or wait until they time out.',
    retry: 'later',
  },
  too_many_changes: {
    status: 429,
    message: 'The basket was changed too often.',
    cause: 'The basket of this order was changed 200 times.',
    remedy: 'Make a new order.',
    retry: 'after_change',
  },
  order_not_submitted: {
    status: 409,
    message: 'The customer has not submitted the basket.',
    cause: 'The order is still a draft: the customer may change it.',
    remedy: 'Wait until its status is awaiting_payment.',
    retry: 'after_change',
  },
  order_timeout: {
    status: 409,
    message: 'The order has timed out.',
    cause: 'Its expiry passed before it was confirmed. Nothing will be paid.',
    remedy: 'Give the customer the money back, or make a new order.',
    retry: 'never',
  },
  order_cancelled: {
    status: 409,
    message: 'The order was cancelled.',
    cause: 'The order was cancelled before it was confirmed. Nothing will be paid.',
    remedy: 'Give the customer the money back, or make a new order.',
    retry: 'never',
  },
  already_confirmed: {
    status: 409,
    message: 'The order was confirmed before.',
    cause: 'It was confirmed with another payment_reference, or it cannot be cancelled any more.',
    remedy: 'Read the order: `payment_reference` names the payment that it was confirmed with.',
    retry: 'never',
  },
  amount_mismatch: {
    status: 409,
    message: 'The amount is not the total of the order.',
    cause: '`total_amount` differs from the total of the order.',
    remedy: 'Compare what the customer paid with the order. Nothing was confirmed.',
    retry: 'after_change',
  },
  item_unavailable: {
    status: 409,
    message: 'Some items cannot be bought now.',
    cause: 'An item was judged again, and would be rejected now.',
    remedy: '`errors` names the items. Confirm again later, or cancel the order and give the money back.',
    retry: 'after_change',
  },
  cost_above_price: {
    status: 409,
    message: 'Some items cost more than their price.',
    cause: 'The cost rose above the price that was locked for the order.',
    remedy: 'Cancel the order, or let the account accept the loss in its checkout settings.',
    retry: 'after_change',
  },
  insufficient_balance: {
    status: 409,
    message: 'The wallet balance is too low for this order.',
    cause: 'The wallet holds less than the order costs, beside what other confirmed orders still need.',
    remedy: 'Deposit, then confirm again before the order expires.',
    retry: 'after_change',
  },
  order_changed: {
    status: 409,
    message: 'The basket has changed meanwhile.',
    cause: '`version` is not that of the basket: somebody changed it in between.',
    remedy: 'Read the order again.',
    retry: 'after_change',
  },
  possible_duplicate: {
    status: 409,
    message: 'The same was paid a moment ago.',
    cause:
      'The account took the same payment within 120 seconds, or within its own longer window. `repeats` has the ' +
      'lines of the basket, and how many seconds ago each was paid.',
    remedy: 'Ask the customer, then submit with `allow_duplicate`.',
    retry: 'after_change',
  },
  order_not_open: {
    status: 409,
    message: 'The basket cannot be changed any more.',
    cause: 'The order is no draft: it was submitted, cancelled, or has timed out.',
    remedy: 'Read the order.',
    retry: 'never',
  },
} as const satisfies Readonly<Record<string, OrderProblemGuide>>

export type OrderProblem = keyof typeof ORDER_PROBLEMS

/** Builds the refusal of a request about an order. `extra` are further members of the answer. */
export function orderProblem(
  code: OrderProblem,
  details: {
    readonly publicText?: string
    readonly fields?: FieldErrors
    readonly extra?: Readonly<Record<string, unknown>>
    readonly headers?: Readonly<Record<string, string>>
  } = {},
): RequestError {
  const { status, message } = ORDER_PROBLEMS[code]
  const { publicText = message, extra, ...rest } = details
  return new RequestError({ status, code, publicText, extra: { error: code, ...extra }, ...rest })
}
