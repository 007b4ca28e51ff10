import { formatMoney } from '../../../lib/money.ts'
import type { OrderReport } from '../../orders/core/support.service.ts'

/** Shows an order to operators. `warungd order show` prints the same. */
export function orderReportView(order: OrderReport) {
  const products = new Map(order.lines.map(({ line, productCode }) => [line, productCode]))
  return {
    order_id: order.code,
    reseller: order.account,
    reseller_name: order.name,
    reference: order.reference,
    state: order.state,
    total: formatMoney(order.total),
    refund: formatMoney(order.refund),
    payment_reference: order.paymentReference,
    cancel_reason: order.cancelReason === '' ? null : order.cancelReason,
    created_at: order.createdAt.toISOString(),
    expires_at: order.expiresAt.toISOString(),
    confirmed_at: order.confirmedAt?.toISOString() ?? null,
    completed_at: order.completedAt?.toISOString() ?? null,
    next_at: order.nextAt?.toISOString() ?? null,
    looks: order.looks,
    items: order.lines.map((line) => ({
      line: line.line,
      product: line.productCode,
      product_name: line.productName,
      amount: formatMoney(line.amount),
      quantity: line.quantity,
      unit_price: formatMoney(line.unitPrice),
    })),
    units: order.units.map((unit) => ({
      line: unit.line,
      number: unit.number,
      product: products.get(unit.line) ?? '',
      refid: unit.refid,
      state: unit.state,
      price: formatMoney(unit.price),
      payment_id: unit.paymentId === null ? null : String(unit.paymentId),
      error: unit.error === '' ? null : unit.error,
    })),
  }
}
