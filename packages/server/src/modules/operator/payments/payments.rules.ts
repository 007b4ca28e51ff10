import { dayRange } from '../../../lib/dates.ts'
import type { Rule } from '../../../lib/input/fields.ts'
import { fromText, LIST_LIMIT, oneOf, readFields, text } from '../../../lib/input/fields.ts'
import { idRule } from '../../../lib/input/ids.ts'
import { EXACT, optional } from '../../../lib/input/parameters.ts'
import { DECISION_FIELDS } from '../../payments/core/fields.rules.ts'
import { parseReference } from '../../payments/core/schedule.rules.ts'
import { PAGE_RULES, plainText } from '../kit/pages.rules.ts'

export const DAYS_MAX = 31

const STATES = ['pending', 'stuck', 'succeeded', 'failed', 'voided'] as const

export const PAYMENT_ID = idRule('must be a transaction id')

/** Payment id in a search. A text that cannot be one finds nothing. */
const ID: Rule<bigint> = {
  ...PAYMENT_ID,
  read: (value) => (typeof value === 'string' ? (PAYMENT_ID.read(value) ?? 0n) : undefined),
}

export const SEARCH_RULES = {
  ...PAGE_RULES,
  cursor: optional(ID, null),
  id: optional(ID, null),
  refid: optional(EXACT, null),
  customer: optional(EXACT, null),
  account: optional(plainText(40), null),
  product: optional(EXACT, null),
  provider: optional(EXACT, null),
  reference: optional(EXACT, null),
  state: optional(oneOf(STATES), null),
  days: optional(dayRange(DAYS_MAX), null),
}

export type SearchParameters = { readonly [name in keyof typeof SEARCH_RULES]?: string | undefined }

/**
 * Reads the search. Without an id, a reference or a customer it covers only the last days, because it would read all
 * payments.
 */
export function readPaymentSearch(query: SearchParameters, today: number) {
  const { cursor, reference, ...asked } = readFields(SEARCH_RULES, query)
  const ours = reference === null ? undefined : parseReference(reference)
  const id = ours === undefined ? asked.id : idOf(asked.id, ours.paymentId)
  const isNamed = id !== null || asked.refid !== null || asked.customer !== null
  const recent = { from: today - DAYS_MAX + 1, to: today + 1 }
  return {
    ...asked,
    id,
    serialNumber: ours === undefined ? reference : null,
    beforeId: cursor,
    days: asked.days ?? (isNamed ? null : recent),
  }
}

const NO_PAYMENT = 0n

/** Returns the payment that a reference of ours names, unless the search asks for another one. */
function idOf(asked: bigint | null, named: bigint): bigint {
  return asked === null || asked === named ? named : NO_PAYMENT
}

export const STUCK_RULES = { limit: optional(fromText(LIST_LIMIT), 100) }

export const RESOLUTION_RULES = {
  ...DECISION_FIELDS,
  evidence: text(1, 400),
}
