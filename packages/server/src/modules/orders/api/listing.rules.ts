import { MOMENT } from '../../../lib/dates.ts'
import { invalidFields } from '../../../lib/errors.ts'
import { oneOf, readFields } from '../../../lib/input/fields.ts'
import type { QueryParameters } from '../../../lib/input/forms.ts'
import { count, EXACT, optional } from '../../../lib/input/parameters.ts'
import { ORDER_CODE } from '../core/fields.rules.ts'
import { ORDER_STATES } from '../core/types.ts'

const PAGE_SIZE_DEFAULT = 50
const PAGE_SIZE_MAX = 100

export const ORDER_LIST_RULES = {
  status: optional(oneOf(ORDER_STATES), null),
  reference: optional(EXACT, null),
  userId: optional(EXACT, null),
  from: optional(MOMENT, null),
  to: optional(MOMENT, null),
  limit: optional(count(1, PAGE_SIZE_MAX), PAGE_SIZE_DEFAULT),
  cursor: optional({ ...ORDER_CODE, message: 'must be the cursor of the page before' }, null),
}

export function readOrderFilter(query: QueryParameters) {
  const { status, reference, userId, from, to, limit, cursor } = readFields(ORDER_LIST_RULES, {
    status: query.status,
    reference: query.reference,
    userId: query.user_id,
    from: query.from,
    to: query.to,
    limit: query.limit,
    cursor: query.cursor,
  })
  if (from !== null && to !== null && from.firstMs > to.lastMs) {
    throw invalidFields({ to: ['must not be before from'] })
  }
  return {
    state: status,
    reference,
    userId,
    fromMs: from?.firstMs ?? null,
    untilMs: to === null ? null : to.lastMs + 1,
    before: cursor,
    limit,
  }
}
