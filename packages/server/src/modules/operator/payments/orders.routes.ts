import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import { findAnyOrder } from '../../orders/core/support.service.ts'
import type { OperatorAuthenticator } from '../../sessions/people/types.ts'
import { unknown } from '../kit/pages.rules.ts'
import { rolesFor } from '../kit/roles.rules.ts'
import type { MoneyContext } from '../kit/types.ts'
import { ORDER_REPORT, OrderReportParameters, OrderReportResponse } from './orders.codec.ts'

export function operatorOrderOperations(
  authenticate: OperatorAuthenticator,
  { database }: Pick<MoneyContext, 'database'>,
): Operation[] {
  return [
    operation({
      method: 'GET',
      path: '/operator/v1/orders/:order_id',
      docs: {
        operationId: 'getResellerOrder',
        summary: 'An order of the checkout and its payments',
        description:
          'Found by its id, or by the refid of one of its payments. It has no token, no account number and no PIN.',
        tag: 'Payments',
      },
      schemas: {
        params: OrderReportParameters,
        responses: { 200: OrderReportResponse },
      },
      authenticate: authenticate(...rolesFor('payments.read')),
      async handle({ params }) {
        const order = await findAnyOrder(database, params.order_id)
        if (order === undefined) throw unknown('order')
        return { status: 200, body: { data: ORDER_REPORT.encode(order) } }
      },
    }),
  ]
}
