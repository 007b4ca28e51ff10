import { dayRange } from '../../../lib/dates.ts'
import { oneOf, readFields } from '../../../lib/input/fields.ts'
import { parseId } from '../../../lib/input/ids.ts'
import { optional } from '../../../lib/input/parameters.ts'
import { PAGE_RULES } from '../console/pages.rules.ts'

export const ENTRY_DAYS_MAX = 366
const ENTRY_DAYS_USUAL = 31

const ENTRY_TYPES = {
  deposit: 'DEPOSIT',
  payment: 'TRANSACTION',
  refund: 'REFUND',
  commission: 'COMMISSION',
} as const

export const ENTRY_WORDS = Object.keys(ENTRY_TYPES) as (keyof typeof ENTRY_TYPES)[]

export const ENTRY_RULES = {
  ...PAGE_RULES,
  type: optional(oneOf(ENTRY_WORDS), null),
  days: optional(dayRange(ENTRY_DAYS_MAX), null),
}

export type EntryQuery = { readonly [name in keyof typeof ENTRY_RULES]?: string | undefined }

/** Reads the filter and the page. The days are the last month unless the query gives others. */
export function readEntryQuery(query: EntryQuery, today: number) {
  const { limit, cursor, type, days } = readFields(ENTRY_RULES, query)
  return {
    filter: {
      days: days ?? { from: today - ENTRY_DAYS_USUAL + 1, to: today },
      type: type === null ? null : ENTRY_TYPES[type],
    },
    page: { before: cursor === null ? null : (parseId(cursor) ?? 1n), limit },
  }
}
