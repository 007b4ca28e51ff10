import { formatMoney } from '../../../lib/money.ts'
import type { WalletEntry } from '../../wallet/statement/listing.service.ts'
import type { WalletNow } from './money.service.ts'

const MICROS_PER_MS = 1_000n

export function walletView({ account, name, balance, sequence, atMicros }: WalletNow) {
  return {
    account,
    name,
    balance: formatMoney(balance),
    entry_count: String(sequence),
    last_entry_at: atMicros === undefined ? null : new Date(Number(atMicros / MICROS_PER_MS)).toISOString(),
  }
}

export function walletEntryView(entry: WalletEntry) {
  return {
    number: String(entry.sequence),
    kind: entry.kind,
    amount: formatMoney(entry.amount),
    balance: formatMoney(entry.balanceAfter),
    payment_id: entry.paymentId === null ? null : String(entry.paymentId),
    remarks: entry.remarks,
    created_at: entry.createdAt.toISOString(),
  }
}
