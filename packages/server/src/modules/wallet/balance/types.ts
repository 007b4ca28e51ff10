import type { Amount } from '../../../lib/money.ts'

export type HouseAccount = 'bank' | 'adjustments' | 'commissions' | 'provider_clearing'
export type TransferKind = 'deposit' | 'adjustment' | 'commission' | 'payment' | 'refund'

/** One movement between a wallet and a house account, as it stands in the wallet's statement. */
export type Entry = {
  readonly resellerId: bigint
  readonly sequence: bigint
  readonly kind: TransferKind
  readonly amount: Amount
  readonly balanceAfter: Amount
  readonly remarks: string
  readonly createdAt: Date
}

/** An entry with the payment that it took money for or gave money back for; null: it belongs to none. */
export type EntryOfPayment = Entry & { readonly paymentId: bigint | null }
