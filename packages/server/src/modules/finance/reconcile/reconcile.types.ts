import type { Amount } from '../../../lib/money.ts'

export const THEIR_STATES = ['succeeded', 'pending', 'failed', 'refunded'] as const
export type TheirState = (typeof THEIR_STATES)[number]

/** Time of a payment in a reseller's books. */
export type ResellerTime = {
  /** Day by GMT+8, counted from 1970-01-01. */
  readonly day: number
  /** null: only the day is given. */
  readonly atMs: number | null
  /** False: no zone was given, and the time was read as GMT+8. */
  readonly hasZone: boolean
}

/** Line of a reseller's file. A field is null if the column is missing or the cell is empty. */
export type ResellerLine = {
  /** Line number, from 1. */
  readonly line: number
  readonly refid: string
  readonly amount: Amount | null
  readonly state: TheirState | null
  readonly time: ResellerTime | null
}

export type Unreadable = { readonly line: number; readonly problem: string }

export const MISMATCH_KINDS = [
  'missing_here',
  'missing_there',
  'amount',
  'status',
  'day',
  'duplicate',
  'unreadable',
] as const
export type MismatchKind = (typeof MISMATCH_KINDS)[number]

export type MismatchCause =
  | 'never_received'
  | 'spreadsheet'
  | 'not_listed'
  | 'not_listed_pending'
  | 'not_listed_failed'
  | 'other_amount'
  | 'failed_here'
  | 'pending_here'
  | 'succeeded_here'
  | 'refunded_since'
  | 'midnight'
  | 'zone'
  | 'other_day'
  | 'outside_range'
  | 'listed_twice'
  | 'unreadable'

/** Difference between a reseller's books and ours, with its cause. */
export type Mismatch = {
  readonly kind: MismatchKind
  readonly cause: MismatchCause
  /** 0: the file has no line for it. */
  readonly line: number
  readonly refid: string
  readonly paymentId: bigint | null
  readonly theirs: string
  readonly ours: string
  /** Text for a human reader. */
  readonly detail: string
}

export type ReconcileSummary = {
  /** Records of the file without the headings. */
  readonly lines: number
  /** Payments of ours on the requested days. */
  readonly payments: number
  /** Lines that agree with a payment in every field they have. */
  readonly agreed: number
  /** Lines of days that were not requested. */
  readonly outside: number
  readonly mismatches: number
  readonly kinds: Readonly<Record<MismatchKind, number>>
}
