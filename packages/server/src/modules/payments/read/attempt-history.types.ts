import type { PaymentCode } from '../payment/types.ts'

export const ANSWER_KINDS = [
  'undecided',
  'succeeded',
  'failed',
  'not_acted',
  'sent_again',
  'late',
  'contradiction',
  'note',
] as const
export type AnswerKind = (typeof ANSWER_KINDS)[number]

/** Something that was heard of an attempt, or done about it. */
export type AttemptAnswer = {
  readonly at: Date
  readonly kind: AnswerKind
  /** Of the payment when it was heard. */
  readonly code: PaymentCode
  readonly text: string
}

/** An order as its provider knows it, and what came of it. */
export type PaymentAttempt = {
  readonly number: number
  /** By which the provider knows it. */
  readonly reference: string
  readonly provider: string
  readonly providerName: string
  /** When it was handed to be sent; null: it was certainly never sent. */
  readonly sentAt: Date | null
  /** How often it was sent again under the same reference. */
  readonly repeats: number
  /** Undecided answers so far, while the provider has not decided; null: nobody asks any more. */
  readonly questions: number | null
  readonly nextQuestionAt: Date | null
  readonly answers: readonly AttemptAnswer[]
}

/** The particulars by which a supplier finds the order. */
export type SupplierQuote = {
  readonly provider: string
  readonly providerName: string
  readonly reference: string
  /** The supplier's own; empty: it gave none. */
  readonly serialNumber: string
  readonly sentAt: Date | null
}

export type AttemptHistory = {
  /** Oldest first. */
  readonly attempts: readonly PaymentAttempt[]
  /** About the attempt that decided the payment, else about the last one. */
  readonly quote: SupplierQuote
}
