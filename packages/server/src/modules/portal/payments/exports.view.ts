import { formatMilliseconds } from '../../../lib/dates.ts'
import { guardFormula } from '../../../lib/input/csv.ts'
import { formatMoney } from '../../../lib/money.ts'
import type { Masks } from '../../../lib/secrets/masks.ts'
import type { ListedPayment } from '../../payments/read/listing.service.ts'
import type { WalletEntry } from '../../wallet/statement/listing.service.ts'
import { statusLabel } from './payments.rules.ts'

export const PAYMENT_COLUMNS = [
  'id',
  'refid',
  'created_at',
  'changed_at',
  'status',
  'code',
  'product',
  'product_name',
  'biller',
  'account',
  'amount',
  'face_value_myr',
  'cost_myr',
  'serial_number',
  'pin',
  'voucher_link',
  'expiry',
  'remarks',
  'sender',
  'member_id',
  'sold_by',
] as const

/**
 * Guards text that others wrote, so that a spreadsheet shows it and never runs it. Our negative numbers stay numbers.
 */
export function paymentCells(payment: ListedPayment, masks: Masks): string[] {
  const { output } = payment
  return [
    String(payment.id),
    guardFormula(payment.refid),
    formatMilliseconds(payment.createdAt),
    formatMilliseconds(payment.changedAt),
    statusLabel(payment.status),
    String(payment.code),
    payment.productCode,
    guardFormula(payment.productName),
    guardFormula(payment.billerCode ?? ''),
    guardFormula(payment.account),
    formatMoney(payment.amount),
    formatMoney(payment.faceValue),
    formatMoney(payment.cost),
    guardFormula(output.serialNumber),
    guardFormula(masks.secret(output.pin)),
    guardFormula(masks.link(output.voucherLink)),
    guardFormula(output.expiry),
    guardFormula(payment.remarks),
    payment.sender,
    payment.memberId,
    guardFormula(payment.soldBy ?? ''),
  ]
}

export const ENTRY_COLUMNS = [
  'number',
  'date',
  'type',
  'amount_myr',
  'balance_myr',
  'payment_id',
  'refid',
  'remarks',
] as const

export function entryCells(entry: WalletEntry): string[] {
  return [
    String(entry.sequence),
    formatMilliseconds(entry.createdAt),
    entry.kind,
    formatMoney(entry.amount),
    formatMoney(entry.balanceAfter),
    entry.paymentId === null ? '' : String(entry.paymentId),
    guardFormula(entry.refid ?? ''),
    guardFormula(entry.remarks),
  ]
}
