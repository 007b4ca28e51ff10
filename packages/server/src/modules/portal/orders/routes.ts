import { Type } from 'typebox'
import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import { documentedAs } from '../../../http/parameters.ts'
import { RequestError } from '../../../lib/errors.ts'
import { listOrderDeliveries } from '../../events/log/subject-log.service.ts'
import { ORDER_CODE } from '../../orders/core/fields.rules.ts'
import type { ResellerOrders } from '../../orders/core/resellers.service.ts'
import { notFound, urlsFor } from '../access/access.service.ts'
import type { PortalSettings } from '../access/types.ts'
import { EventDeliveriesResponse, PORTAL_DELIVERY } from '../developers/endpoints.codec.ts'

const OrderParams = Type.Object({ order_id: documentedAs(ORDER_CODE, Type.String()) })

/** Operations about orders that only the portal has. */
export function portalOrderOperations(
  settings: PortalSettings & { readonly orders: Pick<ResellerOrders, 'get'> },
): Operation[] {
  const { authenticate, database, deliveryLog: log, orders } = settings
  return [
    operation({
      method: 'GET',
      path: '/portal/v1/orders/:order_id/deliveries',
      docs: {
        operationId: 'portalListOrderDeliveries',
        summary: 'Deliveries of the order webhook about an order',
        description: 'Oldest first, replays included.',
        tag: 'Orders',
      },
      schemas: { params: OrderParams, responses: { 200: EventDeliveriesResponse } },
      also: [400],
      authenticate: authenticate('orders.read'),
      async handle({ caller, params }) {
        const { id } = caller.reseller
        const { order } = await orders.get(id, params.order_id).catch(asUnknown)
        const deliveries = await listOrderDeliveries({ database, log }, id, order)
        return {
          status: 200,
          body: {
            data: deliveries.map((each) => PORTAL_DELIVERY.encode(each, { showUrl: urlsFor(caller) })),
          },
        }
      },
    }),
  ]
}

/** Words the error of an unknown order as the portal's operations do. */
function asUnknown(error: unknown): never {
  throw error instanceof RequestError && error.status === 404 ? notFound('order') : error
}
