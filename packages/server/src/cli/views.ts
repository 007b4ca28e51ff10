import { moneyToNumber } from '../lib/money.ts'
import type { Entry } from '../modules/wallet/balance/types.ts'

// Output of commands. The names are those of the HTTP API if it has the same field.

export function entryView(account: string, entry: Entry) {
  return {
    account,
    sequence: Number(entry.sequence),
    kind: entry.kind,
    amount: moneyToNumber(entry.amount),
    balance: moneyToNumber(entry.balanceAfter),
    remarks: entry.remarks,
    created_at: entry.createdAt.toISOString(),
  }
}
