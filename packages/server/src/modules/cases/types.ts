/** Kinds of cases. `dispute`: something is wrong with a payment. `void`: the payment is to be taken back. */
export const CASE_KINDS = ['dispute', 'void'] as const
export type CaseKind = (typeof CASE_KINDS)[number]

export const CASE_STATES = ['open', 'in_progress', 'resolved', 'refused'] as const
export type CaseState = (typeof CASE_STATES)[number]

/** Refund types. 1: incorrect amount or wrong account. 2: duplicate. 3: other, with a reason. */
export type RefundType = 1 | 2 | 3

export type CaseAuthor = 'reseller' | 'operator' | 'system'

export type Case = {
  readonly resellerId: bigint
  readonly id: bigint
  /** Number that people see: C-2026-000123 */
  readonly number: string
  readonly kind: CaseKind
  readonly state: CaseState
  readonly paymentId: bigint
  readonly refid: string
  /** Addresses that were named to get a copy of all mails; the account's registered address always gets one. */
  readonly cc: readonly string[]
  /** Refund that a void asks for; null: it is a dispute. */
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
  /** Addresses that get a copy of all mails, the account's registered address first. */
  readonly copies: readonly string[]
}

/** Id or refid of one of an account's payments. */
export type PaymentRef = { readonly id: bigint } | { readonly refid: string }

export type SupportRequest = {
  /** Payment that is meant; undefined: no payment can have the given id or refid. */
  readonly payment: PaymentRef | undefined
  readonly emails: readonly string[]
  /** Refund that a void asks for; null: it is a dispute. */
  readonly refund: Case['refund']
}

/** Request with the id of its HTTP request. A repeated run finds its own case by this id. */
export type SupportCommand = SupportRequest & { readonly requestId: string }

export type SupportResult =
  | { readonly kind: 'opened'; readonly refid: string; readonly number: string }
  /** The payment has a case that is not closed. */
  | { readonly kind: 'already_open'; readonly refid: string }
  /** The payment failed, and the money was refunded. */
  | { readonly kind: 'failed_before'; readonly refid: string }
  | { readonly kind: 'voided_before'; readonly refid: string }

/** Filter of cases; null: any. */
export type CaseFilter = {
  readonly state: CaseState | null
  readonly kind: CaseKind | null
  /** Milliseconds: opened at or after `fromMs`, and before `untilMs`. */
  readonly fromMs: number | null
  readonly untilMs: number | null
  /** Id of a case: only older ones are listed. */
  readonly beforeId: bigint | null
  readonly limit: number
}
