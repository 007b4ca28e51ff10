import type { Environment } from '../../../config.ts'
import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import { refusal } from '../../../http/refusals.ts'
import { readFields } from '../../../lib/input/fields.ts'
import type { Authenticator } from '../../auth/service.ts'
import type { Caller } from '../../auth/types.ts'
import { masksFor } from '../../payments/core/masks.service.ts'
import { CANCEL_REASON, readConfirmation, readNewOrder } from '../core/fields.rules.ts'
import type { ResellerOrder, ResellerOrders } from '../core/resellers.service.ts'
import { orderView } from '../core/view.ts'
import { readOrderFilter } from './listing.rules.ts'
import {
  CancelBody,
  ConfirmBody,
  NewOrderBody,
  OrderConflict,
  OrderListParameters,
  OrderListResponse,
  OrderParameters,
  OrderProblem,
  OrderResponse,
} from './schemas.ts'

const TAG = 'Orders'
const BASE = '/v2/orders'

const BOUND_KEY = {
  publicText:
    'A key with products or caps confirms no order: its bounds would not hold for the payments of the order.',
}

export type OrderOperationsSettings = {
  readonly authenticate: Authenticator
  readonly orders: ResellerOrders
  readonly environment: Environment
  /** Address before the paths of the hosted page. */
  readonly baseUrl: () => string
}

export function orderOperations(settings: OrderOperationsSettings): Operation[] {
  return [
    createOperation(settings),
    listOperation(settings),
    getOperation(settings),
    confirmOperation(settings),
    cancelOperation(settings),
  ]
}

/** Shows an order to a caller. Viewers get no PINs, and only callers who may pay get its token, which changes it. */
function viewFor({ baseUrl }: OrderOperationsSettings, caller: Caller, { token, ...paid }: ResellerOrder) {
  const shown = caller.scopes.has('pay') ? token : null
  const checkoutUrl = shown === null ? null : `${baseUrl()}/checkout/${paid.order.code}#${shown}`
  return orderView(paid, { token: shown, checkoutUrl, masks: masksFor(caller) })
}

function answer(settings: OrderOperationsSettings, caller: Caller, order: ResellerOrder) {
  return { status: 200, body: { data: viewFor(settings, caller, order) } } as const
}

function createOperation(settings: OrderOperationsSettings): Operation {
  return operation({
    method: 'POST',
    path: BASE,
    docs: {
      operationId: 'createOrder',
      summary: 'Make an order for a customer, or get it again',
      description:
        'The first request with a reference makes the order (201); the same request again answers with it (200). ' +
        'The customer fills the basket at checkout_url, or in your own page with client_token. A fixed basket that ' +
        'lacks nothing is awaiting_payment at once. Prices are your selling prices, locked for the life of the order.',
      tag: TAG,
    },
    schemas: {
      body: NewOrderBody,
      responses: {
        200: OrderResponse,
        201: OrderResponse,
        409: OrderConflict,
        422: OrderProblem,
        429: OrderProblem,
      },
    },
    authenticate: settings.authenticate('pay'),
    async handle({ caller, body: wanted }) {
      const given = readNewOrder(wanted, settings.environment)
      const { isNew, ...order } = await settings.orders.create(caller.reseller, given)
      const body = { data: viewFor(settings, caller, order) }
      return isNew ? { status: 201, body } : { status: 200, body }
    },
  })
}

function listOperation(settings: OrderOperationsSettings): Operation {
  return operation({
    method: 'GET',
    path: BASE,
    docs: { operationId: 'listOrders', summary: 'Orders of this account, newest first', tag: TAG },
    schemas: {
      query: OrderListParameters,
      responses: { 200: OrderListResponse },
    },
    authenticate: settings.authenticate('read'),
    async handle({ caller, query }) {
      const { orders, hasMore } = await settings.orders.list(caller.reseller.id, readOrderFilter(query))
      const body = {
        data: orders.map((order) => viewFor(settings, caller, order)),
        cursor: hasMore ? (orders.at(-1)?.order.code ?? null) : null,
        has_more: hasMore,
      }
      return { status: 200, body }
    },
  })
}

function getOperation(settings: OrderOperationsSettings): Operation {
  return operation({
    method: 'GET',
    path: `${BASE}/:order_id`,
    docs: { operationId: 'getOrder', summary: 'An order with its payments', tag: TAG },
    schemas: {
      params: OrderParameters,
      responses: { 200: OrderResponse, 404: OrderProblem },
    },
    authenticate: settings.authenticate('read'),
    async handle({ caller, params }) {
      return answer(settings, caller, await settings.orders.get(caller.reseller.id, params.order_id))
    },
  })
}

function confirmOperation(settings: OrderOperationsSettings): Operation {
  return operation({
    method: 'POST',
    path: `${BASE}/:order_id/confirm`,
    docs: {
      operationId: 'confirmOrder',
      summary: "Confirm an order, because you have the customer's money",
      description:
        'Every item is judged again, and the balance compared with the cost; then the order is paid. The same ' +
        'payment_reference again answers with the order and pays nothing twice: repeat the request after a lost ' +
        'answer. A 409 leaves the order as it was. The end is told by order.completed: units that failed for good ' +
        'are in refund_amount.',
      tag: TAG,
    },
    schemas: {
      params: OrderParameters,
      body: ConfirmBody,
      responses: { 200: OrderResponse, 404: OrderProblem, 409: OrderConflict },
    },
    authenticate: settings.authenticate('pay'),
    async handle({ caller, params, body, request }) {
      if (caller.kind === 'user' && caller.reseller.topupRequiresApiKey) throw refusal('api_key_required')
      // The payments of an order are the account's own: the bounds of a key would not hold for them.
      if (caller.products !== undefined || caller.caps !== undefined)
        throw refusal('insufficient_scope', BOUND_KEY)
      const context = { sender: request.address }
      const confirmation = readConfirmation(body)
      const order = await settings.orders.confirm(caller.reseller, params.order_id, confirmation, context)
      return answer(settings, caller, order)
    },
  })
}

function cancelOperation(settings: OrderOperationsSettings): Operation {
  return operation({
    method: 'POST',
    path: `${BASE}/:order_id/cancel`,
    docs: {
      operationId: 'cancelOrder',
      summary: 'Cancel an order that is not confirmed',
      description: 'An order that was cancelled before is answered as it is.',
      tag: TAG,
    },
    schemas: {
      params: OrderParameters,
      body: CancelBody,
      responses: { 200: OrderResponse, 404: OrderProblem, 409: OrderConflict },
    },
    authenticate: settings.authenticate('pay'),
    async handle({ caller, params, body }) {
      const { reason } = readFields({ reason: CANCEL_REASON }, { reason: body.reason ?? '' })
      return answer(
        settings,
        caller,
        await settings.orders.cancel(caller.reseller.id, params.order_id, reason),
      )
    },
  })
}
