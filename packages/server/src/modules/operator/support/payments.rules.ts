import { dayRange } from '../../../lib/dates.ts'
import type { Rule } from '../../../lib/input/fields.ts'
import { oneOf, readFields, text } from '../../../lib/input/fields.ts'
import { count, optional } from '../../../lib/input/parameters.ts'
import { PAGE_RULES, plainText } from '../console/pages.rules.ts'

export const DAYS_MAX = 31
const TEXT_LENGTH_MAX = 200

const STATES = ['pending', 'succeeded', 'failed', 'voided'] as const

/** Text that is compared exactly, so it is not trimmed. */
const EXACT: Rule<string> = {
  words: `must be at most ${TEXT_LENGTH_MAX} characters of text`,
  schema: { type: 'string', maxLength: TEXT_LENGTH_MAX },
  read: (value) =>
    typeof value === 'string' && value.length <= TEXT_LENGTH_MAX && !value.includes('\u0000')
      ? value
      : undefined,
}

const PAYMENT_ID = /^[1-9]\d{0,18}$/
const PAYMENT_ID_MAX = 2n ** 63n - 1n

/** Reads a payment's id. It begins with a millisecond, so it is longer than other ids. undefined: it cannot be one. */
export function readPaymentId(value: string): bigint | undefined {
  const id = PAYMENT_ID.test(value) ? BigInt(value) : undefined
  return id === undefined || id > PAYMENT_ID_MAX ? undefined : id
}

/** Payment id in a search. A text that cannot be one finds nothing. */
const ID: Rule<bigint> = {
  words: 'must be a transaction id',
  schema: { type: 'string', pattern: PAYMENT_ID.source },
  read: (value) => (typeof value === 'string' ? (readPaymentId(value) ?? 0n) : undefined),
}

export const SEARCH_RULES = {
  ...PAGE_RULES,
  cursor: optional(ID, null),
  id: optional(ID, null),
  refid: optional(EXACT, null),
  customer: optional(EXACT, null),
  account: optional(plainText(40), null),
  product: optional(EXACT, null),
  state: optional(oneOf(STATES), null),
  days: optional(dayRange(DAYS_MAX), null),
}

export type SearchParameters = { readonly [name in keyof typeof SEARCH_RULES]?: string | undefined }

/**
 * Reads the search. Without an id, a reference or a customer it covers only the last days, because it would read all
 * payments.
 */
export function readPaymentSearch(query: SearchParameters, today: number) {
  const { cursor, ...asked } = readFields(SEARCH_RULES, query)
  const isNamed = asked.id !== null || asked.refid !== null || asked.customer !== null
  const recent = { from: today - DAYS_MAX + 1, to: today + 1 }
  return { ...asked, beforeId: cursor, days: asked.days ?? (isNamed ? null : recent) }
}

export const STUCK_RULES = { limit: optional(count(1, 1_000), 100) }

export const RESOLUTION_RULES = {
  as: oneOf(['succeeded', 'failed']),
  evidence: text(1, 400),
  serialNumber: text(0, 200),
  pin: text(0, 200),
}
