import { Type } from 'typebox'
import { resource } from '../../../http/codec.ts'
import { documentedAs } from '../../../http/parameters.ts'
import { enumOf, orNull } from '../../../http/schemas.ts'
import { formatMoney } from '../../../lib/money.ts'
import { ORDER_NAME } from '../../orders/core/fields.rules.ts'
import type { OrderReport } from '../../orders/core/support.service.ts'
import { ORDER_STATES, UNIT_STATES } from '../../orders/core/types.ts'
import { dataOf, Instant } from '../kit/schemas.ts'

const text = (description?: string) => Type.String(description === undefined ? {} : { description })
const ringgit = (description: string) => Type.String({ description: `${description}, in ringgit` })
const orNone = (found: string) => (found === '' ? null : found)

/** Units with the products of their lines. */
const UNIT = resource<OrderReport['units'][number], OrderReport>()(undefined, {
  line: [Type.Integer(), ({ line }) => line],
  number: [Type.Integer({ description: 'Place among the units of its line' }), ({ number }) => number],
  product: [text(), ({ line }, { lines }) => lines.find((each) => each.line === line)?.productCode ?? ''],
  refid: [text('Refid of its payment'), ({ refid }) => refid],
  state: [
    enumOf(UNIT_STATES, 'waiting: not known to be paid. sent: the payment exists and is not final'),
    ({ state }) => state,
  ],
  price: [ringgit("The customer's price"), ({ price }) => formatMoney(price)],
  payment_id: [
    orNull(text(), 'null: there is no payment, or none is known yet'),
    ({ paymentId }) => (paymentId === null ? null : String(paymentId)),
  ],
  error: [orNull(text(), 'Reason of a failure'), ({ error }) => orNone(error)],
})

const ITEM = resource<OrderReport['lines'][number]>()(undefined, {
  line: [Type.Integer(), ({ line }) => line],
  product: [text(), ({ productCode }) => productCode],
  product_name: [text(), ({ productName }) => productName],
  amount: [text(), ({ amount }) => formatMoney(amount)],
  quantity: [Type.Integer(), ({ quantity }) => quantity],
  unit_price: [ringgit('Locked price of one unit'), ({ unitPrice }) => formatMoney(unitPrice)],
})

/** Order as operators see it, in the back office and by `warungd order show`. */
export const ORDER_REPORT = resource<OrderReport>()('Reseller order', {
  order_id: [text(), ({ code }) => code],
  reseller: [text("The reseller's account number"), ({ account }) => account],
  reseller_name: [text(), ({ name }) => name],
  reference: [text("The reseller's own name of it"), ({ reference }) => reference],
  state: [enumOf(ORDER_STATES), ({ state }) => state],
  total: [ringgit('Sum of the prices'), ({ total }) => formatMoney(total)],
  refund: [ringgit('Prices of the units that failed'), ({ refund }) => formatMoney(refund)],
  payment_reference: [orNull(text(), 'null: not confirmed'), ({ paymentReference }) => paymentReference],
  cancel_reason: [orNull(text()), ({ cancelReason }) => orNone(cancelReason)],
  created_at: [Instant, ({ createdAt }) => createdAt.toISOString()],
  expires_at: [Instant, ({ expiresAt }) => expiresAt.toISOString()],
  confirmed_at: [orNull(Instant), ({ confirmedAt }) => confirmedAt?.toISOString() ?? null],
  completed_at: [
    orNull(Instant, 'Time of the final state'),
    ({ completedAt }) => completedAt?.toISOString() ?? null,
  ],
  next_at: [
    orNull(Instant, 'Time of the next look: its expiry, or its payments. null: it is final'),
    ({ nextAt }) => nextAt?.toISOString() ?? null,
  ],
  looks: [
    orNull(Type.Integer(), 'Looks at its payments since it was confirmed. null: it is final'),
    ({ looks }) => looks,
  ],
  items: [Type.Array(ITEM.schema), ({ lines }) => lines.map((line) => ITEM.encode(line))],
  units: [
    Type.Array(UNIT.schema, { description: 'Its payments; empty until it is confirmed' }),
    (order) => order.units.map((unit) => UNIT.encode(unit, order)),
  ],
})

export const OrderReportParameters = Type.Object({
  order_id: documentedAs(
    ORDER_NAME,
    Type.String({ description: 'Id of the order (ord_…), or the refid of one of its payments' }),
  ),
})
export const OrderReportResponse = dataOf(ORDER_REPORT.schema)
