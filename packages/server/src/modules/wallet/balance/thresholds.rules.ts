import type { Rule } from '../../../lib/input/fields.ts'
import { readFields } from '../../../lib/input/fields.ts'
import type { QueryParameters } from '../../../lib/input/forms.ts'
import { required } from '../../../lib/input/parameters.ts'
import type { Amount } from '../../../lib/money.ts'
import { parseMoney, UNITS_PER_RINGGIT } from '../../../lib/money.ts'

const AMOUNT_MIN = UNITS_PER_RINGGIT
/** Limit of a threshold: more than any wallet holds, and far below the database's bigint. */
const AMOUNT_MAX = 1_000_000_000_000n * UNITS_PER_RINGGIT

export const THRESHOLD: Rule<Amount> = {
  message: 'must be an amount from 1 to 1000000000000, with at most 4 decimals',
  schema: {
    type: 'number',
    minimum: Number(AMOUNT_MIN / UNITS_PER_RINGGIT),
    maximum: Number(AMOUNT_MAX / UNITS_PER_RINGGIT),
  },
  read(value) {
    const amount = typeof value === 'string' ? parseMoney(value) : undefined
    return amount !== undefined && amount >= AMOUNT_MIN && amount <= AMOUNT_MAX ? amount : undefined
  },
}

export const THRESHOLD_RULES = { amount: required('amount', THRESHOLD) }

export function readThresholdParameters(query: QueryParameters): { amount: Amount } {
  return readFields(THRESHOLD_RULES, { amount: query.amount })
}
