import type { Amount } from '../../lib/money.ts'

export type Branch = { readonly id: bigint; readonly name: string; readonly isRetired: boolean }

export type Till = {
  readonly id: bigint
  readonly branchId: bigint
  readonly name: string
  readonly isRetired: boolean
  /** True: a browser is this till. */
  readonly hasBrowser: boolean
}

export type TillSettings = { readonly requiresShift: boolean }

/** Till with the name of its branch. */
export type PlacedTill = Pick<Till, 'id' | 'name' | 'isRetired'> & { readonly branch: Branch }

/** Reasons for which cash differs from sales: put in, taken out, and taken for a sale otherwise than in cash. */
export const MOVEMENT_KINDS = ['pay_in', 'pay_out', 'not_cash'] as const
export type MovementKind = (typeof MOVEMENT_KINDS)[number]

export type Movement = {
  readonly id: bigint
  readonly memberId: bigint
  readonly kind: MovementKind
  readonly amount: Amount
  readonly reason: string
  readonly at: Date
}

/** Z report: what a shift was closed with. */
export type ShiftEnd = {
  /** Number of the report at its till, without gaps. */
  readonly number: number
  readonly closedBy: bigint
  readonly closedMs: bigint
  readonly counted: Amount
  readonly expected: Amount
}

export type Shift = {
  readonly id: bigint
  readonly till: PlacedTill
  readonly openedBy: bigint
  readonly openedMs: bigint
  readonly float: Amount
  /** null: it is open. */
  readonly end: ShiftEnd | null
}

export type ShiftSale = {
  readonly memberId: bigint
  readonly category: string
  readonly payments: bigint
  readonly faceValue: Amount
}

export const BRANCHES_MAX = 200
export const TILLS_MAX = 1_000
/** People and movements of one shift. */
export const SHIFT_PEOPLE_MAX = 100
export const MOVEMENTS_MAX = 500
