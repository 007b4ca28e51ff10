import type { DayRange } from '../../../lib/dates.ts'
import { formatDay, parseDay } from '../../../lib/dates.ts'
import { oneOf, readFields } from '../../../lib/input/fields.ts'
import type { QueryParameters } from '../../../lib/input/forms.ts'
import { count, optional } from '../../../lib/input/parameters.ts'
import type { Page } from '../access/parameters.rules.ts'
import { readDays, readPage } from '../access/parameters.rules.ts'

export const ENTRY_WORDS = {
  deposit: 'DEPOSIT',
  payment: 'TRANSACTION',
  refund: 'REFUND',
  commission: 'COMMISSION',
} as const

type Label = keyof typeof ENTRY_WORDS
const WORDS = Object.keys(ENTRY_WORDS) as Label[]

export type StatementQuery = {
  readonly filter: { readonly days: DayRange; readonly type: (typeof ENTRY_WORDS)[Label] | null }
  readonly page: Page
}

export const STATEMENT_RULES = { type: optional(oneOf(WORDS), null) }

export function readStatementQuery(query: QueryParameters, today: number): StatementQuery {
  const { type } = readFields(STATEMENT_RULES, { type: query.type })
  return {
    filter: { days: readDays(query, today), type: type === null ? null : ENTRY_WORDS[type] },
    page: readPage(query),
  }
}

const MONTHS_DEFAULT = 12
const MONTHS_MAX = 36

export const MONTHS_RULES = { months: optional(count(1, MONTHS_MAX), MONTHS_DEFAULT) }

export function readMonths(query: QueryParameters): number {
  return readFields(MONTHS_RULES, { months: query.months }).months
}

/** Calendar months by GMT+8, starting with the present one, which ends today. */
export function lastMonths(today: number, months: number): DayRange[] {
  const [year = 0, month = 1] = formatDay(today).split('-').map(Number)
  return Array.from({ length: months }, (_, back) => {
    const from = firstDayOf(year, month - back)
    const to = back === 0 ? today : firstDayOf(year, month - back + 1) - 1
    return { from, to }
  })
}

/** First day of a month. Months below 1 lie in the years before. */
function firstDayOf(year: number, month: number): number {
  const day = parseDay(new Date(Date.UTC(year, month - 1, 1)).toISOString().slice(0, 'yyyy-MM-dd'.length))
  if (day === undefined) throw new Error(`no first day of ${year}-${month}`)
  return day
}
