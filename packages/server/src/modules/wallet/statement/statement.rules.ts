import type { DayRange } from '../../../lib/dates.ts'
import { dayRange } from '../../../lib/dates.ts'
import { oneOf, readFields } from '../../../lib/input/fields.ts'
import type { QueryParameters } from '../../../lib/input/forms.ts'
import { count, optional, required } from '../../../lib/input/parameters.ts'
import type { Amount } from '../../../lib/money.ts'
import type { TransferKind } from '../balance/types.ts'

// ── Requests ──

export const PAGE_SIZE_DEFAULT = 100
export const PAGE_SIZE_MAX = 1_000
export const DAYS_MAX = 366
const PAGE_MAX = 999_999_999

export const STATEMENT_TYPES = ['DEPOSIT', 'TRANSACTION', 'REFUND', 'COMMISSION'] as const
export type StatementType = (typeof STATEMENT_TYPES)[number]

export type StatementQuery = {
  readonly days: DayRange
  /** null: all types. */
  readonly type: StatementType | null
  readonly page: number
  readonly perPage: number
}

export const STATEMENT_RULES = {
  date: required('date', dayRange(DAYS_MAX)),
  type: optional(oneOf(STATEMENT_TYPES), null),
  page: optional(count(1, PAGE_MAX), 1),
  limit: optional(count(1, PAGE_SIZE_MAX), PAGE_SIZE_DEFAULT),
}

export function readStatementParameters(query: QueryParameters): StatementQuery {
  const { date, type, page, limit } = readFields(STATEMENT_RULES, {
    date: query.date,
    type: query.type,
    page: query.page,
    limit: query.limit,
  })
  return { days: date, type, page, perPage: limit }
}

const KINDS: Readonly<Record<StatementType, readonly TransferKind[]>> = {
  DEPOSIT: ['deposit', 'adjustment'],
  TRANSACTION: ['payment'],
  REFUND: ['refund'],
  COMMISSION: ['commission'],
}

export function kindsOf(type: StatementType): readonly TransferKind[] {
  return KINDS[type]
}

// ── Sums ──

export type Total = { readonly amount: Amount; readonly count: bigint }
export type Totals = Readonly<Record<StatementType, Total>>

/** Consecutive entries of a wallet, after `before` up to `last`. `before` is 0 at the wallet's beginning. */
export type Stretch = {
  readonly before: bigint
  readonly last: bigint
  readonly balanceBefore: Amount
  readonly balanceLast: Amount
}

const NOTHING: Total = { amount: 0n, count: 0n }

/**
 * Computes the totals without reading payments, which are nearly all of a wallet's entries. Entries have no gaps, and
 * each balance is the one before plus its amount, so the rest after all other kinds is payments.
 */
export function totalsOf(stretch: Stretch, others: ReadonlyMap<TransferKind, Total>): Totals {
  const all = {
    amount: stretch.balanceLast - stretch.balanceBefore,
    count: stretch.last - stretch.before,
  }
  const rest = [...others.values()].reduce(minus, all)
  const sum = (type: StatementType) => KINDS[type].map((kind) => others.get(kind) ?? NOTHING).reduce(plus)
  return {
    DEPOSIT: sum('DEPOSIT'),
    TRANSACTION: rest,
    REFUND: sum('REFUND'),
    COMMISSION: sum('COMMISSION'),
  }
}

/** Keeps the totals of one type alone. */
export function onlyOf(totals: Totals, type: StatementType | null): Totals {
  if (type === null) return totals
  const none = { DEPOSIT: NOTHING, TRANSACTION: NOTHING, REFUND: NOTHING, COMMISSION: NOTHING }
  return { ...none, [type]: totals[type] }
}

export function countOf(totals: Totals): bigint {
  return STATEMENT_TYPES.reduce((sum, type) => sum + totals[type].count, 0n)
}

function plus(a: Total, b: Total): Total {
  return { amount: a.amount + b.amount, count: a.count + b.count }
}

function minus(a: Total, b: Total): Total {
  return { amount: a.amount - b.amount, count: a.count - b.count }
}
