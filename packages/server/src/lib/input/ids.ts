import type { Rule } from './fields.ts'
import { parseDigits, textRule } from './fields.ts'

const ID_FORM = /^[1-9]\d{0,18}$/
const ID_MAX = 2n ** 63n - 1n

/** Reads the id of a row, a bigint of the database; undefined: no row can have it. */
export function parseId(text: string): bigint | undefined {
  if (!ID_FORM.test(text)) return undefined
  const id = BigInt(text)
  return id <= ID_MAX ? id : undefined
}

const BIGINT_FORM = /^-?\d{1,19}$/

/** Tells whether a text is a whole number of the size that the database's bigint has. */
export function isBigintText(text: string): boolean {
  return BIGINT_FORM.test(text)
}

/** Rule for the id of a row, or for a place in a list that is such an id. */
export function idRule(message: string): Rule<bigint> {
  return textRule({ message, schema: { pattern: ID_FORM.source }, parse: parseId })
}

export const ID = idRule('must be an id')

/** Rule for the cursor of a list whose rows have ids. */
export const ID_CURSOR = idRule('must be the cursor of the page before')

/** Limit of a sequence: a JSON number on the wire, which must stay exact there. */
const SEQUENCE_MAX = 999_999_999_999_999

/** Rule for a place in the feed of events; 0 is before the first one. */
export const SEQUENCE: Rule<bigint> = {
  message: 'must be a whole number from 0 on',
  schema: { type: 'integer', minimum: 0, maximum: SEQUENCE_MAX },
  read(value) {
    const sequence = typeof value === 'string' ? parseDigits(value) : undefined
    return sequence === undefined ? undefined : BigInt(sequence)
  },
}

const UUID_FORM = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Reads a UUID in the spelling of the database; undefined: the text is none. */
export function parseUuid(text: string): string | undefined {
  return UUID_FORM.test(text) ? text.toLowerCase() : undefined
}

export function uuidRule(message: string): Rule<string> {
  return textRule({ message, schema: { format: 'uuid' }, parse: parseUuid })
}
