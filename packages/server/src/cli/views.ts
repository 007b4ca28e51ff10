import { moneyToNumber } from '../lib/money.ts'
import type { Operator } from '../modules/accounts/types.ts'
import type { Entry } from '../modules/wallet/balance/types.ts'

// Output of commands. The names are those of the HTTP API if it has the same field.

export function operatorView(operator: Operator) {
  return {
    email: operator.email,
    name: operator.name,
    role: operator.role,
    status: operator.status,
    created_at: operator.createdAt.toISOString(),
  }
}

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
