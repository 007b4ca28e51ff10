import type { Authenticate, Operation } from '../../http/operation.ts'
import { operation } from '../../http/operation.ts'
import { formatMoney } from '../../lib/money.ts'
import type { AddressOf } from '../../lib/own-addresses.ts'
import type { Catalog } from '../catalog/model/store.types.ts'
import { redemptionIn } from '../catalog/serve/texts.rules.ts'
import type { CustomerOrders } from '../orders/core/service.ts'
import type { CustomerOrder } from '../orders/core/types.ts'
import { atOrder, REFUSAL_HEADERS } from './access.service.ts'
import {
  ItemsBody,
  OrderParams,
  OrderResponse,
  QuoteBody,
  QuoteResponse,
  ResultsResponse,
  SubmitBody,
  SubmitConflict,
} from './schemas.ts'
import type { Checkout } from './service.ts'
import type { Customer } from './types.ts'
import { checkoutOrderView, resultView } from './view.ts'

export const ORDER_PATH = '/checkout/v1/orders/:order_id'
const TAG = 'Checkout'

export type CheckoutRoutes = {
  readonly authenticate: Authenticate<Customer>
  readonly orders: CustomerOrders
  readonly checkout: Checkout
  readonly catalog: Pick<Catalog, 'snapshotFor' | 'state'>
  readonly addressOf: AddressOf
}

/**
 * Makes an operation one of the customers' API: pages of other origins may send it, each of its errors has a code, and
 * no answer is stored.
 */
export function forCustomers(operation: Operation): Operation {
  const { params = OrderParams, ...schemas } = operation.schemas
  return {
    ...operation,
    dialect: 'coded',
    headers: REFUSAL_HEADERS,
    isCrossOrigin: true,
    schemas: { params, ...schemas },
    // A wrong token is an unknown order.
    never: [401],
    also: [...(operation.also ?? []), 413, 429],
  }
}

export function checkoutOperations(routes: CheckoutRoutes): Operation[] {
  return [...readOperations(routes), ...basketOperations(routes), ...endOperations(routes)].map(forCustomers)
}

function showing({ catalog, addressOf }: CheckoutRoutes) {
  return ({ reseller, settings }: Customer, read: CustomerOrder) => {
    const frame = { reseller, settings, snapshot: catalog.snapshotFor(reseller), addressOf }
    return { status: 200, body: { data: checkoutOrderView(read, frame) } } as const
  }
}

function readOperations(routes: CheckoutRoutes): Operation[] {
  const { authenticate, orders, catalog } = routes
  const show = showing(routes)
  return [
    operation({
      method: 'GET',
      path: ORDER_PATH,
      docs: { operationId: 'checkoutGetOrder', summary: 'The order as its customer sees it', tag: TAG },
      schemas: { responses: { 200: OrderResponse } },
      authenticate: atOrder(authenticate, orders),
      handle: async ({ caller }) => show(caller, caller.read),
    }),
    operation({
      method: 'POST',
      path: `${ORDER_PATH}/results`,
      docs: {
        operationId: 'checkoutGetResults',
        summary: 'PINs, links and serial numbers that were bought',
        description: 'Empty unless the order was made with `show_results`.',
        tag: TAG,
      },
      schemas: { responses: { 200: ResultsResponse } },
      authenticate,
      async handle({ caller, request }) {
        const results = await orders.listResults(caller.key)
        const state = catalog.state()
        const data = results.map((each) =>
          resultView(each, redemptionIn(state, each.productCode, request.headers['accept-language'])),
        )
        return { status: 200, body: { data }, headers: { Vary: 'Accept-Language' } }
      },
    }),
  ]
}

function basketOperations(routes: CheckoutRoutes): Operation[] {
  const { checkout } = routes
  const authenticate = atOrder(routes.authenticate, routes.orders)
  const show = showing(routes)
  return [
    operation({
      method: 'POST',
      path: `${ORDER_PATH}/quote`,
      docs: {
        operationId: 'checkoutQuote',
        summary: 'Price of an item, judged as its payment would be',
        description: '422: `errors` has the problems by field. Nothing is changed.',
        tag: TAG,
      },
      schemas: { body: QuoteBody, responses: { 200: QuoteResponse } },
      also: [409, 422],
      authenticate,
      async handle({ caller, body }) {
        const { unitPrice, price } = await checkout.quote(caller, body)
        const data = {
          unit_price: formatMoney(unitPrice),
          price: formatMoney(price),
          currency: 'MYR',
        } as const
        return { status: 200, body: { data } }
      },
    }),
    operation({
      method: 'PUT',
      path: `${ORDER_PATH}/items`,
      docs: {
        operationId: 'checkoutPutItems',
        summary: 'Replace the basket of a draft',
        description:
          'The server judges and prices each item; an item that is in the basket already keeps its price. A basket ' +
          'that the shop chose takes only the values that are missing. 409 `order_changed`: the version is old. ' +
          '409 `order_not_open`: it is no draft any more. 429 `too_many_changes`: 200 changes.',
        tag: TAG,
      },
      schemas: { body: ItemsBody, responses: { 200: OrderResponse } },
      also: [409, 422],
      authenticate,
      handle: async ({ caller, body }) =>
        show(caller, await checkout.replaceItems(caller, body.version, body.items)),
    }),
  ]
}

function endOperations(routes: CheckoutRoutes): Operation[] {
  const { authenticate, orders, checkout } = routes
  const show = showing(routes)
  return [
    operation({
      method: 'POST',
      path: `${ORDER_PATH}/submit`,
      docs: {
        operationId: 'checkoutSubmit',
        summary: 'Submit the basket, which never changes again',
        description:
          'An order that was submitted before is answered as it is. 409 `possible_duplicate`: a line repeats a payment ' +
          'of the last 120 seconds, or of the longer window of the account; `repeats` has `line` and `seconds` of each.',
        tag: TAG,
      },
      schemas: {
        body: SubmitBody,
        responses: { 200: OrderResponse, 409: SubmitConflict },
      },
      also: [422],
      authenticate: atOrder(authenticate, orders),
      async handle({ caller, body: { version, allow_duplicate: allowsRepeats = false } }) {
        return show(caller, await checkout.submit(caller, version, allowsRepeats))
      },
    }),
    operation({
      method: 'POST',
      path: `${ORDER_PATH}/cancel`,
      docs: { operationId: 'checkoutCancel', summary: 'Cancel the order before it is confirmed', tag: TAG },
      schemas: { responses: { 200: OrderResponse } },
      also: [409],
      authenticate,
      handle: async ({ caller }) => show(caller, await orders.cancelByCustomer(caller.key)),
    }),
  ]
}
