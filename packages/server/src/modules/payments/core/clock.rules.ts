import { fromText, readFields, wholeNumber } from '../../../lib/input/fields.ts'
import type { QueryParameters } from '../../../lib/input/forms.ts'
import { required } from '../../../lib/input/parameters.ts'

/** A year: longer than any outstanding payment waits. */
const ADVANCE_MAX_SECONDS = 31_536_000

export const ADVANCE_SECONDS = wholeNumber(1, ADVANCE_MAX_SECONDS)

export const ADVANCE_RULES = { advanceSeconds: required('advance_seconds', fromText(ADVANCE_SECONDS)) }

export function readAdvance(query: QueryParameters): number {
  return readFields(ADVANCE_RULES, { advanceSeconds: query.advance_seconds }).advanceSeconds
}
