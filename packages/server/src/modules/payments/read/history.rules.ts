import type { DayRange } from '../../../lib/dates.ts'
import { dayOf, dayRange, startOfDayMs } from '../../../lib/dates.ts'
import type { Rule } from '../../../lib/input/fields.ts'
import { readFields } from '../../../lib/input/fields.ts'
import type { QueryParameters } from '../../../lib/input/forms.ts'
import { count, EXACT, optional, required } from '../../../lib/input/parameters.ts'
import type { Amount } from '../../../lib/money.ts'
import { ACCEPTED, PROCESSING, SUCCEEDED, stateOf, VOIDED } from '../core/states.rules.ts'
import type { PaymentCode } from '../core/types.ts'

// ── Requests ──

export const PAGE_SIZE_MAX = 1_000
export const DAYS_MAX = 366
const OFFSET_MAX = 999_999_999

export const STATUSES = ['SUCCESSFUL', 'PENDING', 'FAILED', 'REFUND'] as const
export type Status = (typeof STATUSES)[number]

export type HistoryFilter = {
  readonly days: DayRange
  /** Statuses to show; empty: all. */
  readonly statuses: readonly Status[]
  readonly account: string | null
  readonly product: string | null
}

export type HistoryQuery = HistoryFilter & { readonly limit: number; readonly offset: number }

/** Reads a status that is repeated, given once or left out. Empty values count as not given. */
const STATUS_LIST: Rule<readonly Status[]> = {
  message: `must be one or more of ${STATUSES.join(', ')}`,
  schema: { type: 'array', items: { type: 'string', enum: STATUSES } },
  read(value) {
    const given = (Array.isArray(value) ? value : [value]).filter((each) => each !== undefined && each !== '')
    const known = STATUSES.filter((status) => given.includes(status))
    return given.every((each) => known.includes(each)) ? known : undefined
  },
}

export const HISTORY_RULES = {
  limit: required('limit', count(1, PAGE_SIZE_MAX)),
  date: required('date', dayRange(DAYS_MAX)),
  status: STATUS_LIST,
  account: optional(EXACT, null),
  offset: optional(count(0, OFFSET_MAX), 0),
  product: optional(EXACT, null),
}

/** Names of the parameter: libraries write a list as `status[]`, or number its values as `status[0]`. */
const STATUS_NAME = /^status(?:\[\d*\])?$/

export function readHistoryParameters(query: QueryParameters): HistoryQuery {
  const { date, status, ...values } = readFields(HISTORY_RULES, {
    limit: query.limit,
    date: query.date,
    status: Object.keys(query).flatMap((name) => (STATUS_NAME.test(name) ? query[name] : [])),
    account: query.account,
    offset: query.offset,
    product: query.product,
  })
  return { ...values, days: date, statuses: status }
}

// ── States as history names them ──

const STATUS_OF = {
  accepted: 'PENDING',
  processing: 'PENDING',
  succeeded: 'SUCCESSFUL',
  voided: 'REFUND',
  failed: 'FAILED',
} as const

export function statusOf(code: PaymentCode): Status {
  return STATUS_OF[stateOf(code)]
}

// ── Days and ids ──

const ID_SHIFT = 20n
/** Days 1 January 1970 and 2200: ids of the days between them fit, and no payment is outside. */
const FIRST_DAY = 0
const LAST_DAY = 84_006

/** Returns the first id of a day. Ids begin with the millisecond of the initiation, so a day is a range of ids. */
export function firstIdOf(day: number): bigint {
  return BigInt(startOfDayMs(day)) << ID_SHIFT
}

export function dayOfId(id: bigint): number {
  return dayOf(Number(id >> ID_SHIFT))
}

/** Returns the part of a range in which payments can exist; undefined when there is none. */
export function possibleDays({ from, to }: DayRange): DayRange | undefined {
  const possible = { from: Math.max(from, FIRST_DAY), to: Math.min(to, LAST_DAY) }
  return possible.from <= possible.to ? possible : undefined
}

// ── Sums ──

/** Sums of the payments of one day and one code. */
export type DaySum = {
  readonly day: number
  readonly code: PaymentCode
  readonly payments: bigint
  readonly faceValue: Amount
  readonly cost: Amount
}

export function matching(sums: readonly DaySum[], statuses: readonly Status[]): readonly DaySum[] {
  return statuses.length === 0 ? sums : sums.filter(({ code }) => statuses.includes(statusOf(code)))
}

export type Totals = {
  readonly payments: bigint
  readonly counts: Readonly<Record<Status, bigint>>
  /** Sum over payments that succeeded or still may. */
  readonly faceValue: Amount
  readonly cost: Amount
}

export function totalsOf(sums: readonly Omit<DaySum, 'day'>[]): Totals {
  const counts = { SUCCESSFUL: 0n, PENDING: 0n, FAILED: 0n, REFUND: 0n }
  let payments = 0n
  let faceValue = 0n
  let cost = 0n
  for (const sum of sums) {
    const status = statusOf(sum.code)
    counts[status] += sum.payments
    payments += sum.payments
    if (status !== 'SUCCESSFUL' && status !== 'PENDING') continue
    faceValue += sum.faceValue
    cost += sum.cost
  }
  return { payments, counts, faceValue, cost }
}

/** Start of a page: the number of matching payments to skip, counted from the newest of `day`. */
export type PageStart = { readonly day: number; readonly passOver: bigint }

/**
 * Finds the start of a page. It skips whole days before the offset by their counts. So a page, however deep, has to
 * scan past one day's payments at most. undefined: the page is past the end.
 */
export function findPageStart(sums: readonly DaySum[], offset: number): PageStart | undefined {
  const counts = new Map<number, bigint>()
  for (const { day, payments } of sums) counts.set(day, (counts.get(day) ?? 0n) + payments)
  let passOver = BigInt(offset)
  for (const [day, payments] of [...counts].sort(([a], [b]) => b - a)) {
    if (passOver < payments) return { day, passOver }
    passOver -= payments
  }
  return undefined
}

/** Filter by status on the code column; null: no filter. Every code that no other status names counts as failed. */
export type CodeFilter = { readonly codes: readonly PaymentCode[]; readonly hasFailed: boolean } | null

const CODES: Readonly<Record<Status, readonly PaymentCode[]>> = {
  SUCCESSFUL: [SUCCEEDED],
  PENDING: [ACCEPTED, PROCESSING],
  FAILED: [],
  REFUND: [VOIDED],
}

export function codeFilterOf(statuses: readonly Status[]): CodeFilter {
  if (statuses.length === 0 || statuses.length === STATUSES.length) return null
  return { codes: statuses.flatMap((status) => CODES[status]), hasFailed: statuses.includes('FAILED') }
}
