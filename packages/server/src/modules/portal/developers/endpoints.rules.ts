import { DAY, startOfDayMs } from '../../../lib/dates.ts'
import { invalidFields } from '../../../lib/errors.ts'
import type { Rule } from '../../../lib/input/fields.ts'
import { readFields } from '../../../lib/input/fields.ts'
import type { QueryParameters } from '../../../lib/input/forms.ts'
import { SEQUENCE, uuidRule } from '../../../lib/input/ids.ts'
import { count, EXACT, optional } from '../../../lib/input/parameters.ts'
import type { LogFilter, LogStatus } from '../../events/log/log.types.ts'
import { LOG_STATUSES } from '../../events/log/log.types.ts'
import type { Stream } from '../../events/types.ts'
import { STREAMS } from '../../events/types.ts'

export function readStream(text: string): Stream | undefined {
  return STREAMS.find((each) => each === text)
}

const ENDED: readonly LogStatus[] = ['success', 'failed']

const STATUSES: Rule<readonly LogStatus[]> = {
  message: `must be one or more of ${LOG_STATUSES.join(', ')}`,
  schema: { type: 'array', items: { type: 'string', enum: LOG_STATUSES } },
  read(value) {
    const given: unknown[] = (Array.isArray(value) ? value : [value]).filter(
      (each) => each !== undefined && each !== '',
    )
    const known = LOG_STATUSES.filter((status) => given.includes(status))
    if (!given.every((each) => known.some((status) => status === each))) return undefined
    // Pending deliveries have a list of their own.
    if (known.includes('pending') && known.length > 1) return undefined
    return known.length === 0 ? ENDED : known
  },
}

export const DELIVERY_ID = uuidRule('must be the id of a delivery')

const CURSOR = uuidRule('must be the cursor of the page before')

const LIMIT_MAX = 100
const LIMIT_DEFAULT = 50

export const DELIVERY_RULES = {
  status: STATUSES,
  from: optional(DAY, null),
  to: optional(DAY, null),
  event: optional(EXACT, null),
  limit: optional(count(1, LIMIT_MAX), LIMIT_DEFAULT),
  cursor: optional(CURSOR, null),
}

export function readDeliveriesQuery(query: QueryParameters): LogFilter {
  const { status, from, to, event, limit, cursor } = readFields(DELIVERY_RULES, {
    status: query.status,
    from: query.from,
    to: query.to,
    event: query.event,
    limit: query.limit,
    cursor: query.cursor,
  })
  if (from !== null && to !== null && from > to) throw invalidFields({ to: ['must not lie before from'] })
  return {
    statuses: status,
    fromMs: from === null ? null : startOfDayMs(from),
    toMs: to === null ? null : startOfDayMs(to + 1) - 1,
    search: event,
    before: cursor,
    limit,
  }
}

export const FEED_RULES = {
  after: optional(SEQUENCE, 0n),
  before: optional(SEQUENCE, null),
  limit: optional(count(1, 200), LIMIT_DEFAULT),
}

export function readFeedQuery(query: QueryParameters) {
  const { after, before, limit } = query
  return readFields(FEED_RULES, { after, before, limit })
}
