import type { PaymentCode } from '../core/types.ts'

export const ANSWER_KINDS = [
  'undecided',
  'succeeded',
  'failed',
  'not_acted',
  'sent_again',
  'late',
  'contradiction',
  'taken_back',
  'note',
] as const
export type AnswerKind = (typeof ANSWER_KINDS)[number]

/** Answer about an attempt, or action on it. */
export type AttemptAnswer = {
  readonly at: Date
  readonly kind: AnswerKind
  /** Code of the payment at that time. */
  readonly code: PaymentCode
  readonly text: string
}

/** Order as its provider knows it, and the answers about it. */
export type PaymentAttempt = {
  readonly number: number
  /** Reference by which the provider knows the order. */
  readonly reference: string
  /** The provider's own id of the order; null: it gave none. */
  readonly supplierId: string | null
  readonly provider: string
  readonly providerName: string
  /** Time at which it was handed over to be sent; null: it certainly was never sent. */
  readonly sentAt: Date | null
  /** Number of times that it was sent again under the same reference. */
  readonly repeats: number
  /** Undecided answers so far, while the provider has not decided; null: it is not asked any more. */
  readonly questions: number | null
  readonly nextQuestionAt: Date | null
  readonly answers: readonly AttemptAnswer[]
}

/** Details by which a supplier finds the order. */
export type SupplierQuote = {
  readonly provider: string
  readonly providerName: string
  readonly reference: string
  /** Serial number of the supplier; empty: it gave none. */
  readonly serialNumber: string
  readonly sentAt: Date | null
}

export type AttemptHistory = {
  /** Attempts, oldest first. */
  readonly attempts: readonly PaymentAttempt[]
  /** Details of the attempt that decided the payment, or of the last one if none did. */
  readonly quote: SupplierQuote
}
