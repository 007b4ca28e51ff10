import { MOMENT } from '../../../lib/dates.ts'
import { invalidFields } from '../../../lib/errors.ts'
import type { Rule } from '../../../lib/input/fields.ts'
import { oneOf, readFields, textRule } from '../../../lib/input/fields.ts'
import type { QueryParameters } from '../../../lib/input/forms.ts'
import { code, count, optional } from '../../../lib/input/parameters.ts'
import type { LogFilter, LogStatus } from './log.types.ts'

export const PAGE_SIZE_DEFAULT = 50
export const PAGE_SIZE_MAX = 100
const SEARCH_LENGTH_MAX = 100

const STATUSES = ['all', 'success', 'failed', 'pending'] as const

/** `all` means all that are finished. */
function statusesOf(status: (typeof STATUSES)[number]): readonly LogStatus[] {
  return status === 'all' ? ['success', 'failed'] : [status]
}

// ── Cursors ──

const CURSOR_BYTES = 16
/** 16 bytes as Base64 without padding. */
const CURSOR_LENGTH = 22

/** Marks the end of a page. Encoded, so that callers do not depend on its being the id of a delivery. */
export function cursorOf(deliveryId: string): string {
  return Buffer.from(deliveryId.replaceAll('-', ''), 'hex').toString('base64url')
}

const CURSOR: Rule<string> = textRule({
  message: 'must be the cursor of a page before',
  schema: { contentEncoding: 'base64url', maxLength: CURSOR_LENGTH },
  parse(value) {
    const bytes = Buffer.from(value, 'base64url')
    if (bytes.length !== CURSOR_BYTES || bytes.toString('base64url') !== value) return undefined
    return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
  },
})

// ── Parameters ──

export const LOG_RULES = {
  status: optional(oneOf(STATUSES), 'all' as const),
  from: optional(MOMENT, null),
  to: optional(MOMENT, null),
  search: optional(code(SEARCH_LENGTH_MAX), null),
  limit: optional(count(1, PAGE_SIZE_MAX), PAGE_SIZE_DEFAULT),
  cursor: optional(CURSOR, null),
}

export function readLogParameters(query: QueryParameters): LogFilter {
  const { status, from, to, search, limit, cursor } = readFields(LOG_RULES, {
    status: query.status,
    from: query.from,
    to: query.to,
    search: query.search,
    limit: query.limit,
    cursor: query.cursor,
  })
  if (from !== null && to !== null && from.firstMs > to.lastMs) {
    throw invalidFields({ to: ['must not lie before from'] })
  }
  return {
    statuses: statusesOf(status),
    fromMs: from?.firstMs ?? null,
    toMs: to?.lastMs ?? null,
    // PostgreSQL's text cannot hold NUL, and no event id contains it, so any other character will do.
    search: search?.trim().replaceAll('\0', '?') ?? null,
    before: cursor,
    limit,
  }
}
