import type { Amount } from '../../../lib/money.ts'

export const THEIR_STATES = ['succeeded', 'pending', 'failed', 'refunded'] as const
export type TheirState = (typeof THEIR_STATES)[number]

/** When something happened by a reseller's books. */
export type TheirTime = {
  /** By GMT+8, counted from 1970-01-01. */
  readonly day: number
  /** null: the day alone is given. */
  readonly atMs: number | null
  /** False: it was taken for GMT+8. */
  readonly hasZone: boolean
}

/** A line of a reseller's file; null where the column is not there, or the cell is empty. */
export type TheirLine = {
  /** From 1. */
  readonly line: number
  readonly refid: string
  readonly amount: Amount | null
  readonly state: TheirState | null
  readonly time: TheirTime | null
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

/** A place where a reseller's books and ours do not agree, and why. */
export type Mismatch = {
  readonly kind: MismatchKind
  readonly cause: MismatchCause
  /** 0: the file has no line for it. */
  readonly line: number
  readonly refid: string
  readonly paymentId: bigint | null
  readonly theirs: string
  readonly ours: string
  /** For a human. */
  readonly detail: string
}

export type ReconcileSummary = {
  /** Records of the file, headings apart. */
  readonly lines: number
  /** Payments of ours in the days asked for. */
  readonly payments: number
  /** Lines that agree with a payment in everything they say. */
  readonly agreed: number
  /** Lines of other days, about which nothing was asked. */
  readonly outside: number
  readonly mismatches: number
  readonly kinds: Readonly<Record<MismatchKind, number>>
}
