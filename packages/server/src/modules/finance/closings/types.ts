import type { Amount } from '../../../lib/money.ts'
import type { Entry } from '../../wallet/balance/types.ts'
import type { Movements } from '../../wallet/statement/periods.types.ts'

/** What a wallet did on one day by GMT+8. */
export type WalletDay = {
  /** Counted from 1970-01-01. */
  readonly day: number
  readonly opening: Amount
  readonly movements: Movements
  readonly closing: Amount
  readonly firstSequence: bigint
  readonly lastSequence: bigint
}

/** A day that was closed: it is kept as it is. */
export type Closing = WalletDay & { readonly resellerId: bigint; readonly closedAt: Date }

/** A day as it can be shown; `closedAt` null: it is not closed yet, and this is the ledger's present word. */
export type ShownDay = WalletDay & { readonly closedAt: Date | null }

export type ClosingBreakKind =
  | 'arithmetic'
  | 'sequence'
  | 'opening'
  | 'movements'
  | 'wallet'
  | 'late_entry'
  | 'missing'

/** Where a closing and the ledger, or the closing before it, do not agree. */
export type ClosingBreak = {
  readonly kind: ClosingBreakKind
  readonly account: string
  readonly day: number
  readonly expected: string
  readonly found: string
}

/** A calendar month, as yyyy-MM, and its days by GMT+8. */
export type Month = { readonly name: string; readonly from: number; readonly to: number }

/** A month of a wallet. What is posted after it was opened is not in it, neither in its sums nor in its entries. */
export type MonthStatement = {
  readonly account: string
  readonly name: string
  readonly month: Month
  /** The day on which it was drawn up: the first one after the month, or today while the month goes on. */
  readonly asOf: number
  readonly opening: Amount
  readonly days: readonly ShownDay[]
  readonly totals: Movements
  readonly closing: Amount
  /** Oldest first, page by page; it can be gone through again. */
  readonly entries: () => AsyncIterable<readonly Entry[]>
}

export const STATEMENT_FORMATS = ['csv', 'pdf'] as const
export type StatementFormat = (typeof STATEMENT_FORMATS)[number]
