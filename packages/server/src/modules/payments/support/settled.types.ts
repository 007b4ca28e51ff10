import type { Amount } from '../../../lib/money.ts'

/** State of one attempt, as far as we know. */
export type AttemptState = 'succeeded' | 'failed' | 'pending' | 'voided'

/** Attempt at a payment, with the fields that its provider's statement needs. */
export type SettledAttempt = {
  readonly resellerId: bigint
  readonly paymentId: bigint
  readonly attempt: number
  readonly amount: Amount
  readonly faceValue: Amount
  readonly serialNumber: string
  readonly state: AttemptState
  /** True: the payment is not final, so evidence may still decide it. */
  readonly isOpen: boolean
}
