import { createHash } from 'node:crypto'
import { LOCAL_OFFSET_MS } from '../../../lib/dates.ts'
import type { Rejection } from '../core/types.ts'
import type { Interval, StopReason } from './types.ts'

const DAY_MS = 86_400_000
const WEEK_MS = 7 * DAY_MS

/** Returns the first time of a schedule after an instant; undefined: there is none. */
export function nextRunMs(every: Interval, firstMs: number, afterMs: number): number | undefined {
  if (firstMs > afterMs) return firstMs
  switch (every) {
    case 'once':
      return undefined
    case 'week':
      return firstMs + (Math.floor((afterMs - firstMs) / WEEK_MS) + 1) * WEEK_MS
    case 'month': {
      const months = monthOf(afterMs) - monthOf(firstMs)
      const same = inMonth(firstMs, months)
      return same > afterMs ? same : inMonth(firstMs, months + 1)
    }
  }
}

function monthOf(instantMs: number): number {
  const local = new Date(instantMs + LOCAL_OFFSET_MS)
  return local.getUTCFullYear() * 12 + local.getUTCMonth()
}

/** Same day and hour some months later; the last day of months that have no such day. */
function inMonth(firstMs: number, months: number): number {
  const first = new Date(firstMs + LOCAL_OFFSET_MS)
  const [year, month] = [first.getUTCFullYear(), first.getUTCMonth() + months]
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  const day = Date.UTC(year, month, Math.min(first.getUTCDate(), lastDay))
  return day + ((firstMs + LOCAL_OFFSET_MS) % DAY_MS) - LOCAL_OFFSET_MS
}

const REFID_DIGITS = 40

/** Derives the refid of a line of a run: whoever pays it, and however often, names the same payment. */
export function refidOf(run: {
  readonly account: string
  readonly scheduleId: bigint
  readonly run: number
  readonly line: number
}): string {
  const text = JSON.stringify(['schedule', 1, run.account, String(run.scheduleId), run.run, run.line])
  return `bulk-${createHash('sha256').update(text, 'utf8').digest('hex').slice(0, REFID_DIGITS)}`
}

/** Meaning of a rejection for a run: it stops, the line is tried again, or the line alone is left out. */
export type Verdict =
  | { readonly kind: 'stop'; readonly reason: StopReason }
  | { readonly kind: 'later' }
  | { readonly kind: 'refused'; readonly refusal: string }

/**
 * Judges a rejection. What would stand against the next lines too, or is not what the person saw, stops the run; what is
 * wrong with the line alone leaves it out.
 */
export function verdictOf({ code, remarks }: Pick<Rejection, 'code' | 'remarks'>): Verdict {
  const reason = REASONS[remarks] ?? CODE_REASONS[code]
  if (reason !== undefined) return { kind: 'stop', reason }
  return LATER.has(code) ? { kind: 'later' } : { kind: 'refused', refusal: remarks }
}

const REASONS: Readonly<Record<string, StopReason>> = {
  Cost_Above_Maximum: 'price',
  Invalid_Product: 'product',
  Product_Unavailable: 'product',
  'Unknown or inactive option code': 'product',
  'Several plans available for this amount and a plan code is needed': 'product',
  'Option code does not match amount': 'product',
  Account_Daily_Limit: 'limit',
  Account_Monthly_Limit: 'limit',
  Daily_Limit: 'limit',
  Monthly_Limit: 'limit',
  Member_Daily_Limit: 'limit',
  Member_Monthly_Limit: 'limit',
}
/** Amounts were right when they were scheduled: one that is wrong now is of a product that has changed. */
const CODE_REASONS: Readonly<Record<number, StopReason>> = { 41: 'account', 43: 'balance', 58: 'product' }
/** Out of stock, and temporary errors. */
const LATER: ReadonlySet<number> = new Set([45, 49])
