import { oneOf } from '../../../lib/input/fields.ts'
import { optional } from '../../../lib/input/parameters.ts'
import { DEPOSIT_STATES } from '../../deposits/types.ts'
import { PAGE_RULES } from '../access/parameters.rules.ts'

export const DEPOSIT_REQUEST_RULES = { ...PAGE_RULES, state: optional(oneOf(DEPOSIT_STATES), null) }

/** Members of a body beside the slip. */
const FIELDS_BYTES = 8 * 1024

/** Bytes of a body with the largest slip. */
export function bodyBytesMax(slipTextMax: number): number {
  return slipTextMax + FIELDS_BYTES
}
