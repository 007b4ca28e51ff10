import type { DayRange } from '../../../lib/dates.ts'
import { DAY } from '../../../lib/dates.ts'
import { invalidFields } from '../../../lib/errors.ts'
import { readFields } from '../../../lib/input/fields.ts'
import type { QueryParameters } from '../../../lib/input/forms.ts'
import { ID_CURSOR } from '../../../lib/input/ids.ts'
import { count, optional } from '../../../lib/input/parameters.ts'

export const PAGE_SIZE_DEFAULT = 50
export const PAGE_SIZE_MAX = 200
const DAYS_DEFAULT = 31
const DAYS_MAX = 366

export const DAY_RULES = { from: optional(DAY, null), to: optional(DAY, null) }

/** Reads the days. They are the last month unless the query gives others. */
export function readDays(query: QueryParameters, today: number): DayRange {
  const { from: first, to: last } = readFields(DAY_RULES, { from: query.from, to: query.to })
  const to = last ?? Math.max(today, first ?? today)
  const from = first ?? to - DAYS_DEFAULT + 1
  if (from > to) throw invalidFields({ to: ['must not lie before from'] })
  if (to - from >= DAYS_MAX) throw invalidFields({ from: [`must lie at most ${DAYS_MAX} days before to`] })
  return { from, to }
}

export const PAGE_RULES = {
  limit: optional(count(1, PAGE_SIZE_MAX), PAGE_SIZE_DEFAULT),
  cursor: optional(ID_CURSOR, null),
}

export type Page = { readonly before: bigint | null; readonly limit: number }

export function readPage(query: QueryParameters): Page {
  const { limit, cursor } = readFields(PAGE_RULES, { limit: query.limit, cursor: query.cursor })
  return { before: cursor, limit }
}
