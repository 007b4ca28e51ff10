import { MOMENT } from '../../lib/dates.ts'
import { invalidFields } from '../../lib/errors.ts'
import type { Rule } from '../../lib/input/fields.ts'
import { oneOf, readFields, textRule } from '../../lib/input/fields.ts'
import type { QueryParameters } from '../../lib/input/forms.ts'
import { count, optional } from '../../lib/input/parameters.ts'
import type { CaseFilter } from './types.ts'
import { CASE_KINDS, CASE_STATES } from './types.ts'

export const PAGE_SIZE_DEFAULT = 50
export const PAGE_SIZE_MAX = 100

const NUMBER = /^C-\d{4}-(\d{6,18})$/

/** Parses the id at the end of a case's number; undefined: no case has such a number. */
export function parseNumber(number: string): bigint | undefined {
  const id = NUMBER.exec(number)?.[1]
  return id === undefined ? undefined : BigInt(id)
}

export const CASE_NUMBER: Rule<bigint> = textRule({
  message: 'must be the number of a case',
  schema: { pattern: NUMBER.source },
  parse: parseNumber,
})

const CURSOR: Rule<bigint> = { ...CASE_NUMBER, message: 'must be the cursor of the page before' }

export const CASE_LIST_RULES = {
  state: optional(oneOf(CASE_STATES), null),
  kind: optional(oneOf(CASE_KINDS), null),
  from: optional(MOMENT, null),
  to: optional(MOMENT, null),
  limit: optional(count(1, PAGE_SIZE_MAX), PAGE_SIZE_DEFAULT),
  cursor: optional(CURSOR, null),
}

export function readCaseFilter(query: QueryParameters): CaseFilter {
  const { state, kind, from, to, limit, cursor } = readFields(CASE_LIST_RULES, {
    state: query.state,
    kind: query.kind,
    from: query.from,
    to: query.to,
    limit: query.limit,
    cursor: query.cursor,
  })
  if (from !== null && to !== null && from.firstMs > to.lastMs) {
    throw invalidFields({ to: ['must not be before from'] })
  }
  return {
    state,
    kind,
    fromMs: from?.firstMs ?? null,
    untilMs: to === null ? null : to.lastMs + 1,
    beforeId: cursor,
    limit,
  }
}
