import { formatMoney } from '../../../lib/money.ts'
import type { PaymentSummary } from '../../payments/read/summaries.service.ts'
import { statusLabel } from './payments.rules.ts'

export function paymentSummaryView(payment: PaymentSummary) {
  return {
    id: String(payment.id),
    refid: payment.refid,
    status: statusLabel(payment.status),
    code: payment.code,
    product: payment.productCode,
    product_name: payment.productName,
    account: payment.account,
    amount: formatMoney(payment.amount),
    face_value: formatMoney(payment.faceValue),
    cost: formatMoney(payment.cost),
    remarks: payment.remarks,
    created_at: payment.createdAt.toISOString(),
    changed_at: payment.changedAt.toISOString(),
  }
}
