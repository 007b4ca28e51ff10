import type { Amount } from '../../../lib/money.ts'
import type { Entry } from '../../wallet/balance/types.ts'
import type { Movements } from '../../wallet/statement/periods.types.ts'

/** Balances and movements of a wallet on one day by GMT+8. */
export type WalletDay = {
  /** Days since 1970-01-01. */
  readonly day: number
  readonly opening: Amount
  readonly movements: Movements
  readonly closing: Amount
  readonly firstSequence: bigint
  readonly lastSequence: bigint
}

/** Closed day, which never changes. */
export type Closing = WalletDay & { readonly resellerId: bigint; readonly closedAt: Date }

/** Day that can be shown. `closedAt` is null when it is not closed yet; the values are then the present ledger's. */
export type ShownDay = WalletDay & { readonly closedAt: Date | null }

export type ClosingBreakKind =
  | 'arithmetic'
  | 'sequence'
  | 'opening'
  | 'movements'
  | 'wallet'
  | 'late_entry'
  | 'missing'

/** Difference between a closing and the ledger, or between a closing and the one before it. */
export type ClosingBreak = {
  readonly kind: ClosingBreakKind
  readonly account: string
  readonly day: number
  readonly expected: string
  readonly found: string
}

/** Calendar month as yyyy-MM, and its days by GMT+8. */
export type Month = { readonly name: string; readonly from: number; readonly to: number }

/** Month of a wallet. Entries posted after the statement was opened are neither in its sums nor in its entries. */
export type MonthStatement = {
  readonly account: string
  readonly name: string
  readonly month: Month
  /** Day of the statement: the first day after the month, or today while the month is not over. */
  readonly asOf: number
  readonly opening: Amount
  readonly days: readonly ShownDay[]
  readonly totals: Movements
  readonly closing: Amount
  /** Entries oldest first, page by page. They can be read more than once. */
  readonly entries: () => AsyncIterable<readonly Entry[]>
}

export const STATEMENT_FORMATS = ['csv', 'pdf'] as const
export type StatementFormat = (typeof STATEMENT_FORMATS)[number]
