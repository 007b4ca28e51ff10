import type { Payment } from '../core/types.ts'

/** Payment as it was quoted: what it would be, and what it costs until the quote expires. */
export type Quote = Pick<
  Payment,
  'resellerId' | 'productCode' | 'productName' | 'account' | 'amount' | 'extras' | 'faceValue' | 'cost'
> & {
  readonly id: string
  /** Plan that it was decided to mean. */
  readonly planCode: string | null
  readonly expiresAt: Date
  /** True: it had expired when it was read, by the database's clock. */
  readonly isExpired: boolean
  /** Payment that was made with it, whatever became of that; null: none. */
  readonly paymentId: bigint | null
}

export const QUOTE_STATES = ['open', 'paid', 'expired'] as const
export type QuoteState = (typeof QUOTE_STATES)[number]

export function quoteStateOf({ paymentId, isExpired }: Pick<Quote, 'paymentId' | 'isExpired'>): QuoteState {
  if (paymentId !== null) return 'paid'
  return isExpired ? 'expired' : 'open'
}

export const QUOTE_WARNINGS = [
  'possible_duplicate',
  'operator_differs',
  'network_interruption',
  'balance_low_after',
] as const

/** Remark that hinders no payment. */
export type QuoteWarning = {
  readonly code: (typeof QUOTE_WARNINGS)[number]
  readonly message: string
  /** Earlier payment of a possible duplicate. */
  readonly payment?: { readonly id: bigint; readonly refid: string; readonly seconds: number }
}
