import type { Amount } from '../../../lib/money.ts'

export type HouseAccount = 'bank' | 'adjustments' | 'commissions' | 'provider_clearing'
export type TransferKind = 'deposit' | 'adjustment' | 'commission' | 'payment' | 'refund'

/** Movement between a wallet and a house account, as the wallet's statement shows it. */
export type Entry = {
  readonly resellerId: bigint
  readonly sequence: bigint
  readonly kind: TransferKind
  readonly amount: Amount
  readonly balanceAfter: Amount
  readonly remarks: string
  readonly createdAt: Date
}

/** Entry with the payment that it charged or refunded; null: it belongs to no payment. */
export type EntryOfPayment = Entry & { readonly paymentId: bigint | null }
