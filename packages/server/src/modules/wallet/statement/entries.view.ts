import { formatMoney } from '../../../lib/money.ts'
import type { WalletEntry } from './listing.service.ts'

export function walletEntryView(entry: WalletEntry) {
  return {
    number: String(entry.sequence),
    kind: entry.kind,
    amount: formatMoney(entry.amount),
    balance: formatMoney(entry.balanceAfter),
    payment_id: entry.paymentId === null ? null : String(entry.paymentId),
    refid: entry.refid,
    trxid: entry.paymentId === null ? null : String(entry.paymentId),
    remarks: entry.remarks,
    created_at: entry.createdAt.toISOString(),
  }
}
