import type { Amount } from '../../../lib/money.ts'

export const LIMIT_SCOPES = ['account', 'reseller'] as const
/** account: for each account that is paid for. */
export type LimitScope = (typeof LIMIT_SCOPES)[number]

export const LIMIT_PERIODS = ['day', 'month'] as const
/** Days and months of GMT+8. */
export type LimitPeriod = (typeof LIMIT_PERIODS)[number]

export const LIMIT_SETTERS = ['operator', 'reseller'] as const
export type LimitSetter = (typeof LIMIT_SETTERS)[number]

/** Most that may be paid in a period. At least one of both is a limit; zero lets nothing pass. */
export type Limit = {
  readonly scope: LimitScope
  readonly period: LimitPeriod
  /** null: all categories together. */
  readonly category: string | null
  /** Number of payments; null: any. */
  readonly payments: number | null
  /** Sum of face values in ringgit; null: any. */
  readonly sum: Amount | null
}

/** Most that a member may sell in a period. */
export type MemberLimit = Pick<Limit, 'period' | 'payments' | 'sum'>

/** Limit of a member, with what is used of it; null while it is being counted. */
export type MemberLimitInUse = MemberLimit & {
  readonly userId: bigint
  readonly used: LimitInUse['used']
  readonly resetsAt: Date
}

/** Limit that holds for a reseller now, with what is used of it. */
export type LimitInUse = Limit & {
  readonly setBy: LimitSetter
  /** null: a limit of each account, and no account was asked about. */
  readonly used: { readonly payments: number; readonly sum: Amount } | null
  readonly resetsAt: Date
}

export const GAUGE_NAMES = [
  'Account_Daily_Limit',
  'Account_Monthly_Limit',
  'Daily_Limit',
  'Monthly_Limit',
  'Member_Daily_Limit',
  'Member_Monthly_Limit',
  'Key_Amount_Cap',
  'Key_Daily_Cap',
  'Key_Monthly_Cap',
] as const
export type GaugeName = (typeof GAUGE_NAMES)[number]

/** Limit or cap that a payment would be over. */
export type Reached = {
  readonly name: GaugeName
  readonly payments: bigint | null
  readonly sum: Amount | null
  /** undefined: it is about one payment alone. */
  readonly used: { readonly payments: bigint; readonly sum: Amount; readonly resetsAt: Date } | undefined
}

/** The same as take_payments says it. */
export type ReachedRow = {
  readonly name: GaugeName
  readonly payments?: string | null
  readonly sum: string | null
  readonly used_payments?: string
  readonly used_sum?: string
  readonly resets_ms?: number
}
