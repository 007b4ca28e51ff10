import type { Amount } from '../../../lib/money.ts'
import type { Rate } from '../../../lib/rates.ts'

/** State of one attempt, as far as we know. */
export type AttemptState = 'succeeded' | 'failed' | 'pending' | 'voided'

/** Money that a provider took, in its currency. */
export type AnsweredCost = {
  readonly amount: Amount
  readonly currency: string
  /** Ringgit for one unit when it was said; null: there is none yet. */
  readonly rate: Rate | null
}

/** Attempt at a payment, with the fields that its provider's statement needs. */
export type SettledAttempt = {
  readonly resellerId: bigint
  readonly paymentId: bigint
  readonly attempt: number
  readonly amount: Amount
  readonly faceValue: Amount
  readonly serialNumber: string
  /** Money that its provider took for it by its own answer; null: it did not say. */
  readonly cost: AnsweredCost | null
  readonly state: AttemptState
  /** True: the payment is not final, so evidence may still decide it. */
  readonly isOpen: boolean
}
