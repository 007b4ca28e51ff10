import type { Amount } from '../../../lib/money.ts'

/** What became of one attempt, as far as we know. */
export type AttemptState = 'succeeded' | 'failed' | 'pending' | 'voided'

/** One attempt at a payment, as far as its provider's account is concerned. */
export type SettledAttempt = {
  readonly resellerId: bigint
  readonly paymentId: bigint
  readonly attempt: number
  readonly amount: Amount
  readonly faceValue: Amount
  readonly serialNumber: string
  readonly state: AttemptState
  /** The payment is not final: evidence may still decide it. */
  readonly isOpen: boolean
}
