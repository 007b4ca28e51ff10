import { ORDER_REPORT } from '../../../modules/operator/payments/orders.codec.ts'
import { orderProblem } from '../../../modules/orders/core/problems.rules.ts'
import { findAnyOrder } from '../../../modules/orders/core/support.service.ts'
import type { Command, Output } from '../../command.ts'
import { formatFields, formatTable } from '../../text.ts'

export const orderCommands: readonly Command[] = [
  {
    name: 'order show',
    summary: 'show an order of the hosted checkout and the state of its payments',
    details: 'It has no token, no account number and no PIN. `payment show` has the attempts of a payment.',
    options: {
      order: {
        value: 'ORDER',
        help: 'its id (ord_…), or the refid of one of its payments',
        required: true,
      },
    },
    async run(call) {
      const { database } = await call.runtime()
      const order = await findAnyOrder(database, call.text('order'))
      if (order === undefined) throw orderProblem('order_not_found')
      return showOrder(ORDER_REPORT.encode(order))
    },
  },
]

function showOrder(view: ReturnType<typeof ORDER_REPORT.encode>): Output {
  const { items, units, ...order } = view
  return {
    json: view,
    text: [
      formatFields(order),
      `Items\n${formatTable(items, 'The basket is empty.')}`,
      `Payments\n${formatTable(units, 'It is not confirmed: nothing was paid.')}`,
    ].join('\n\n'),
  }
}
