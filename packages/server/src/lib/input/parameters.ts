import type { Rule, RuleSchema } from './fields.ts'
import { BOOLEAN, fromText, textRule, wholeNumber } from './fields.ts'

// Rules for query parameters: a value is always text, and an empty one counts as not given.

/** Rule for a parameter that may be left out; `fallback` replaces it. */
export function optional<T, F>(rule: Rule<T>, fallback: F): Rule<T | F> {
  return {
    message: rule.message,
    schema: { ...rule.schema, ...defaultOf(fallback) },
    read: (value) => (value === undefined || value === '' ? fallback : rule.read(value)),
  }
}

/**
 * Returns the default for the schema. A fallback that means "nothing was asked" is no value that a client could send.
 */
function defaultOf(fallback: unknown): RuleSchema {
  if (typeof fallback === 'bigint') return { default: Number(fallback) }
  return ['string', 'number', 'boolean'].includes(typeof fallback) ? { default: fallback } : {}
}

/** Rule for a parameter that must be given; `name` is in the message when it is not. */
export function required<T>(name: string, rule: Rule<T>): Rule<T> {
  return {
    message: `The ${name} field is required and ${rule.message}.`,
    schema: notEmpty(rule.schema),
    isRequired: true,
    read: (value) => (value === '' ? undefined : rule.read(value)),
  }
}

function notEmpty(schema: RuleSchema): RuleSchema {
  const isText = schema.type === 'string' && schema.enum === undefined && schema.pattern === undefined
  return isText ? { ...schema, minLength: 1 } : schema
}

export const FLAG: Rule<boolean> = fromText(BOOLEAN)

export function count(min: number, max: number): Rule<number> {
  return fromText(wholeNumber(min, max))
}

/** Rule for a code. It is compared exactly, so it is not trimmed. */
export function code(lengthMax: number): Rule<string> {
  return textRule({
    message: `must be at most ${lengthMax} characters`,
    schema: { maxLength: lengthMax },
    parse: (given) => (given.length <= lengthMax ? given : undefined),
  })
}

const EXACT_LENGTH_MAX = 200

/**
 * Text of a filter that is compared exactly, so it is not trimmed. PostgreSQL's text holds every character except NUL.
 */
export const EXACT: Rule<string> = textRule({
  message: `must be at most ${EXACT_LENGTH_MAX} characters of text`,
  schema: { maxLength: EXACT_LENGTH_MAX },
  parse: (given) => (given.length <= EXACT_LENGTH_MAX && !given.includes('\0') ? given : undefined),
})
