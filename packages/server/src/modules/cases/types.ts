/** `dispute`: something is wrong with a payment. `void`: it is to be taken back. */
export const CASE_KINDS = ['dispute', 'void'] as const
export type CaseKind = (typeof CASE_KINDS)[number]

export const CASE_STATES = ['open', 'in_progress', 'resolved', 'refused'] as const
export type CaseState = (typeof CASE_STATES)[number]

/** 1: incorrect amount or wrong account. 2: duplicate. 3: other, with a reason. */
export type RefundType = 1 | 2 | 3

export type CaseAuthor = 'reseller' | 'operator' | 'system'

export type Case = {
  readonly resellerId: bigint
  readonly id: bigint
  /** As people know it: C-2026-000123 */
  readonly number: string
  readonly kind: CaseKind
  readonly state: CaseState
  readonly paymentId: bigint
  readonly refid: string
  /** Who was named to get a copy of all mails; the account's registered address always does. */
  readonly cc: readonly string[]
  /** Of a void. */
  readonly refund: { readonly type: RefundType; readonly reason: string | null } | null
  readonly openedAt: Date
  readonly changedAt: Date
  readonly dueAt: Date
  readonly closedAt: Date | null
}

export type CaseMessage = { readonly author: CaseAuthor; readonly text: string; readonly at: Date }

export type CaseReport = {
  readonly case: Case
  readonly messages: readonly CaseMessage[]
  /** Who gets a copy of all mails, the account's registered address first. */
  readonly copies: readonly string[]
}

/** Which of an account's payments is meant. */
export type PaymentRef = { readonly id: bigint } | { readonly refid: string }

export type SupportRequest = {
  /** undefined: what was given names no payment that there can be. */
  readonly payment: PaymentRef | undefined
  readonly emails: readonly string[]
  /** Of a void. */
  readonly refund: Case['refund']
}

/** With the id of the HTTP request, by which one that is run again knows its own case. */
export type SupportCommand = SupportRequest & { readonly requestId: string }

export type SupportResult =
  | { readonly kind: 'opened'; readonly refid: string; readonly number: string }
  /** There is a case that is not closed. */
  | { readonly kind: 'already_open'; readonly refid: string }
  /** The payment failed, and the money is back. */
  | { readonly kind: 'failed_before'; readonly refid: string }
  | { readonly kind: 'voided_before'; readonly refid: string }

/** Cases of one account, newest first; null: any. */
export type CaseFilter = {
  readonly state: CaseState | null
  readonly kind: CaseKind | null
  /** Opened at or after this instant, and before that one; ms. */
  readonly fromMs: number | null
  readonly untilMs: number | null
  /** Those before this case. */
  readonly beforeId: bigint | null
  readonly limit: number
}
