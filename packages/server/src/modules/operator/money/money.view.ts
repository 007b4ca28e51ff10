import { formatMoney } from '../../../lib/money.ts'
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
