import type { Rule } from '../../../lib/input/fields.ts'
import { readFields } from '../../../lib/input/fields.ts'
import type { QueryParameters } from '../../../lib/input/forms.ts'
import { count, required } from '../../../lib/input/parameters.ts'

/** A year: longer than any outstanding payment waits. */
const ADVANCE_MAX_SECONDS = 31_536_000

/** Reads text: a query parameter or a command-line option. */
export const ADVANCE_SECONDS: Rule<number> = count(1, ADVANCE_MAX_SECONDS)

export const ADVANCE_RULES = { advanceSeconds: required('advance_seconds', ADVANCE_SECONDS) }

export function readAdvance(query: QueryParameters): number {
  return readFields(ADVANCE_RULES, { advanceSeconds: query.advance_seconds }).advanceSeconds
}
