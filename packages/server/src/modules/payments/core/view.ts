import { formatSeconds } from '../../../lib/dates.ts'
import type { FieldErrors } from '../../../lib/errors.ts'
import type { Amount } from '../../../lib/money.ts'
import { moneyToNumber } from '../../../lib/money.ts'
import type { Echo } from './request.rules.ts'
import type { PaymentWire, RejectionWire } from './schemas.ts'
import { stateOf } from './states.rules.ts'
import type { Payment, PaymentCode, Rejection } from './types.ts'

/** Status words of the contract, with its spelling "Succesful". */
const STATUS = {
  accepted: 'Accepted',
  processing: 'Processing',
  succeeded: 'Succesful',
  failed: 'Failed',
  voided: 'Failed',
} as const

export function statusOf(code: PaymentCode): (typeof STATUS)[keyof typeof STATUS] {
  return STATUS[stateOf(code)]
}

/** Renders a payment with its members in the contract's order. */
export function paymentView(payment: Payment): PaymentWire {
  const { output } = payment
  return {
    statusCode: payment.code,
    status: statusOf(payment.code),
    transaction_id: String(payment.id),
    account: payment.account,
    product: payment.productCode,
    productName: payment.productName,
    amount: moneyToNumber(payment.amount),
    sn: output.serialNumber,
    pin: output.pin,
    expiry: output.expiry,
    cost: moneyToNumber(payment.cost),
    balance: moneyToNumber(payment.balanceAfter),
    remarks: payment.remarks,
    refid: payment.refid,
    timestamp: formatSeconds(payment.changedAt),
    note: output.note,
    voucherlink: output.voucherLink,
  }
}

/**
 * Renders a rejection in two shapes at once: the payment that the contract asks for, and the validation errors that
 * other clients read.
 */
export function rejectionView(echo: Echo, rejection: Rejection, balance: Amount, now: Date): RejectionWire {
  return {
    data: {
      statusCode: rejection.code,
      status: 'Failed',
      account: echo.account,
      product: echo.product,
      productName: '',
      amount: echo.amount === null ? 0 : moneyToNumber(echo.amount),
      sn: '',
      pin: '',
      expiry: '',
      cost: 0,
      balance: moneyToNumber(balance),
      remarks: rejection.remarks,
      refid: echo.refid,
      timestamp: formatSeconds(now),
      note: '',
      voucherlink: '',
    },
    message: rejection.message,
    errors: rejection.errors,
  }
}

export function conflictView(payment: Payment, differences: FieldErrors) {
  return {
    data: paymentView(payment),
    // Some programs take every 4xx for a rejection, and show its message to a person.
    message:
      'The payment of this refid exists, with other parameters: do not give it back. `data` shows it; use a new refid ' +
      'for another payment.',
    errors: differences,
  }
}
