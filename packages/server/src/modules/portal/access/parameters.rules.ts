import type { DayRange } from '../../../lib/dates.ts'
import { parseDay } from '../../../lib/dates.ts'
import { invalidFields } from '../../../lib/errors.ts'
import type { Rule } from '../../../lib/input/fields.ts'
import { readFields } from '../../../lib/input/fields.ts'
import type { QueryParameters } from '../../../lib/input/forms.ts'
import { count, optional } from '../../../lib/input/parameters.ts'

export const PAGE_SIZE_DEFAULT = 50
export const PAGE_SIZE_MAX = 200
const DAYS_DEFAULT = 31
const DAYS_MAX = 366
const TEXT_LENGTH_MAX = 200

const DAY: Rule<number> = {
  words: 'must be a day yyyy-MM-dd',
  schema: { type: 'string', format: 'date' },
  read: (value) => (typeof value === 'string' ? parseDay(value) : undefined),
}

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

/** Text that is compared exactly, so it is not trimmed. PostgreSQL's text holds every character except NUL. */
export const EXACT: Rule<string> = {
  words: `must be at most ${TEXT_LENGTH_MAX} characters of text`,
  schema: { type: 'string', maxLength: TEXT_LENGTH_MAX },
  read: (value) =>
    typeof value === 'string' && value.length <= TEXT_LENGTH_MAX && !value.includes('\0') ? value : undefined,
}

const ID_FORM = /^[1-9]\d{0,18}$/
const ID_MAX = 2n ** 63n - 1n
export const ID_SCHEMA = { type: 'string', pattern: ID_FORM.source } as const

export function readId(text: unknown): bigint | undefined {
  if (typeof text !== 'string' || !ID_FORM.test(text)) return undefined
  const id = BigInt(text)
  return id <= ID_MAX ? id : undefined
}

const CURSOR: Rule<bigint> = {
  words: 'must be the cursor of the page before',
  schema: ID_SCHEMA,
  read: readId,
}

export const PAGE_RULES = {
  limit: optional(count(1, PAGE_SIZE_MAX), PAGE_SIZE_DEFAULT),
  cursor: optional(CURSOR, null),
}

export type Page = { readonly before: bigint | null; readonly limit: number }

export function readPage(query: QueryParameters): Page {
  const { limit, cursor } = readFields(PAGE_RULES, { limit: query.limit, cursor: query.cursor })
  return { before: cursor, limit }
}
