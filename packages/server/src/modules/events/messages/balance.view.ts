import type { Amount } from '../../../lib/money.ts'
import { formatMoney, moneyToNumber } from '../../../lib/money.ts'
import type { Payment } from '../../payments/core/types.ts'

/** Data of every balance event, in the contract's order. */
export type BalanceData = {
  readonly resellerCode: string
  /** Amount without a sign: the event's type says in which direction it moved. */
  readonly amount: number
  readonly balance: number
  readonly description: string
}

type Movement = { readonly account: string; readonly amount: Amount; readonly balance: Amount }

export function movementView({ account, amount, balance }: Movement, description: string): BalanceData {
  return {
    resellerCode: account,
    amount: moneyToNumber(amount < 0n ? -amount : amount),
    balance: moneyToNumber(balance),
    description,
  }
}

/** Money that a payment took or gave back, described as in the wallet's statement. */
export function paymentMovementView(movement: Movement, { refid, id, productCode, account }: Payment) {
  const { resellerCode, amount, balance, description } = movementView(movement, `${productCode} ${account}`)
  return { resellerCode, amount, balance, description, refid, transactionId: String(id) }
}

export function lowBalanceView(account: string, threshold: Amount, balance: Amount) {
  const description = `The balance fell below ${formatMoney(threshold)}`
  return {
    ...movementView({ account, amount: threshold, balance }, description),
    threshold: moneyToNumber(threshold),
  }
}
