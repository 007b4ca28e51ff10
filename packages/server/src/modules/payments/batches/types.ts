import type { Amount } from '../../../lib/money.ts'

/** Line of a file of payments, as the file had it. */
export type BatchLine = {
  readonly line: number
  /** Reference that it is, or was, paid with. */
  readonly refid: string
  readonly product: string
  readonly account: string
  readonly amount: string
  readonly subproductCode: string | null
  readonly billerCode: string | null
  readonly ref2: string | null
  readonly remarks: string | null
  readonly reference: string | null
  /** Reason for which the run of a schedule left it out; left out and null: none. */
  readonly refusal?: string | null
}

/** File of payments that a member paid, and what became of its lines. */
export type Batch = {
  readonly id: bigint
  readonly memberId: bigint
  readonly name: string
  readonly createdAt: Date
  /** Schedule whose run it is, and the number of the run; null: a member paid it. */
  readonly scheduleId: bigint | null
  readonly run: number | null
  readonly counts: BatchCounts
}

export type BatchCounts = {
  readonly lines: number
  readonly successful: number
  readonly pending: number
  readonly failed: number
  readonly refunded: number
  /** Lines without a payment: they were refused, or not sent. */
  readonly unpaid: number
  /** Cost of those that are paid or pending. */
  readonly cost: Amount
}

/** Limits of what a reseller keeps. Whatever is older goes when a batch is kept. */
export const BATCHES_MAX = 50
export const KEPT_LINES_MAX = 50_000
/** Lines of one request. */
export const LINES_MAX = 1_000
