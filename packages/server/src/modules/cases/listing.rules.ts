import { parseDay, startOfDayMs } from '../../lib/dates.ts'
import { invalidFields } from '../../lib/errors.ts'
import type { Rule } from '../../lib/fields.ts'
import { oneOf, readFields } from '../../lib/fields.ts'
import type { QueryParameters } from '../../lib/forms.ts'
import { count, optional } from '../../lib/parameters.ts'
import type { CaseFilter } from './types.ts'
import { CASE_KINDS, CASE_STATES } from './types.ts'

export const PAGE_SIZE_DEFAULT = 50
export const PAGE_SIZE_MAX = 100

const DAY_MS = 86_400_000
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+ -]\d\d:\d\d)$/

/** A day by GMT+8, or an instant; as the first millisecond that it means and the first after it. */
type Moment = { readonly startMs: number; readonly endMs: number }

const MOMENT: Rule<Moment> = {
  words: 'must be a day yyyy-MM-dd or an ISO 8601 instant with its zone',
  read(value) {
    if (typeof value !== 'string') return undefined
    const day = parseDay(value)
    if (day !== undefined) return { startMs: startOfDayMs(day), endMs: startOfDayMs(day) + DAY_MS }
    // 30 February is read as 2 March: its day must be one.
    if (!INSTANT.test(value) || parseDay(value.slice(0, 'yyyy-MM-dd'.length)) === undefined) return undefined
    // A plus sign that was not encoded has become a space on its way.
    const instantMs = Date.parse(value.replace(' ', '+'))
    return Number.isNaN(instantMs) ? undefined : { startMs: instantMs, endMs: instantMs + 1 }
  },
}

const NUMBER = /^C-\d{4}-(\d{6,18})$/

/** The id that a case's number ends with; undefined: no case has such a number. */
export function parseNumber(number: string): bigint | undefined {
  const id = NUMBER.exec(number)?.[1]
  return id === undefined ? undefined : BigInt(id)
}

const CURSOR: Rule<bigint> = {
  words: 'must be the cursor of the page before',
  read: (value) => (typeof value === 'string' ? parseNumber(value) : undefined),
}

const RULES = {
  state: optional(oneOf(CASE_STATES), null),
  kind: optional(oneOf(CASE_KINDS), null),
  from: optional(MOMENT, null),
  to: optional(MOMENT, null),
  limit: optional(count(1, PAGE_SIZE_MAX), PAGE_SIZE_DEFAULT),
  cursor: optional(CURSOR, null),
}

export function readCaseFilter(query: QueryParameters): CaseFilter {
  const { state, kind, from, to, limit, cursor } = readFields(RULES, {
    state: query.state,
    kind: query.kind,
    from: query.from,
    to: query.to,
    limit: query.limit,
    cursor: query.cursor,
  })
  if (from !== null && to !== null && from.startMs >= to.endMs) {
    throw invalidFields({ to: ['must not be before from'] })
  }
  const [fromMs, untilMs] = [from?.startMs ?? null, to?.endMs ?? null]
  return { state, kind, fromMs, untilMs, beforeId: cursor, limit }
}
