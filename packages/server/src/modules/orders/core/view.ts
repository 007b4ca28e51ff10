import { formatMoney } from '../../../lib/money.ts'
import type { Masks } from '../../../lib/secrets/masks.ts'
import type { Payment } from '../../payments/core/types.ts'
import { statusOf } from '../../payments/core/view.ts'
import { lineStatus } from './states.rules.ts'
import type { PaidOrder } from './transactions.service.ts'
import type { Order, OrderLine, OrderUnit } from './types.ts'
import type { OrderEventData } from './wire.types.ts'

/** Form of the wire that a reseller gets. `checkoutUrl` and the token are null when the order is no longer open. */
export function orderView(
  { order, payments }: PaidOrder,
  { token, checkoutUrl, masks }: { token: string | null; checkoutUrl: string | null; masks: Masks },
) {
  return {
    order_id: order.code,
    reference: order.reference,
    user_id: order.userId,
    status: order.state,
    checkout_url: checkoutUrl,
    client_token: token,
    return_url: order.returnUrl,
    currency: 'MYR' as const,
    total_amount: formatMoney(order.total),
    refund_amount: formatMoney(order.refund),
    payment_reference: order.paymentReference,
    cancel_reason: order.cancelReason === '' ? null : order.cancelReason,
    products: order.products,
    items: order.lines.map((line) => itemView(order, line, payments, masks)),
    expires_at: order.expiresAt.toISOString(),
    created_at: order.createdAt.toISOString(),
    confirmed_at: order.confirmedAt?.toISOString() ?? null,
    completed_at: order.completedAt?.toISOString() ?? null,
    language: order.language,
    show_results: order.showsResults,
  }
}

function itemView(order: Order, line: OrderLine, payments: PaidOrder['payments'], masks: Masks) {
  const units = order.units.filter((unit) => unit.line === line.line)
  return {
    line: line.line,
    product_code: line.productCode,
    product_name: line.productName,
    account: line.account,
    amount: formatMoney(line.amount),
    quantity: line.quantity,
    unit_price: formatMoney(line.unitPrice),
    price: formatMoney(line.unitPrice * BigInt(line.quantity)),
    status: lineStatus(units.map(({ state }) => state)),
    transactions: units.map((unit) => transactionView(unit, findPayment(payments, unit), masks)),
  }
}

function findPayment(payments: PaidOrder['payments'], { paymentId }: OrderUnit): Payment | undefined {
  return paymentId === null ? undefined : payments.get(paymentId)
}

/** A payment of the order. `price` is the customer's: the cost is in the payment itself. */
function transactionView(
  { refid, price, error }: Pick<OrderUnit, 'refid' | 'price' | 'error'>,
  payment: Payment | undefined,
  masks?: Masks,
) {
  const { serialNumber = '', pin = '', expiry = '', voucherLink = '' } = payment?.output ?? {}
  return {
    refid,
    transaction_id: payment === undefined ? null : String(payment.id),
    status_code: payment?.code ?? null,
    status_name: payment === undefined ? null : statusOf(payment.code),
    price: formatMoney(price),
    sn: serialNumber,
    pin: masks === undefined ? pin : masks.secret(pin),
    expiry,
    voucherlink: masks === undefined ? voucherLink : masks.link(voucherLink),
    error: error === '' ? null : error,
  }
}

/** Data of an order's event, in the webhook and in the feed. */
export function orderEventView({ order, payments }: PaidOrder): OrderEventData {
  return {
    order_id: order.code,
    reference: order.reference,
    user_id: order.userId,
    total_amount: formatMoney(order.total),
    refund_amount: formatMoney(order.refund),
    status: order.state,
    payment_reference: order.paymentReference,
    completed_at: (order.completedAt ?? order.createdAt).toISOString(),
    items: order.lines.map((line) => ({
      product_code: line.productCode,
      amount: formatMoney(line.amount),
      quantity: line.quantity,
      transactions: order.units
        .filter((unit) => unit.line === line.line)
        .map((unit) => transactionView(unit, findPayment(payments, unit))),
    })),
  }
}
