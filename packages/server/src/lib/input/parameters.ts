import type { Rule, RuleSchema } from './fields.ts'

// Rules for query parameters: a value is always text, and an empty one counts as not given.

/** Rule for a parameter that may be left out; `fallback` replaces it. */
export function optional<T, F>(rule: Rule<T>, fallback: F): Rule<T | F> {
  return {
    words: rule.words,
    ...(rule.schema !== undefined && { schema: { ...rule.schema, ...defaultOf(fallback) } }),
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
    words: `The ${name} field is required and ${rule.words}.`,
    ...(rule.schema !== undefined && { schema: notEmpty(rule.schema) }),
    isRequired: true,
    read: (value) => (value === '' ? undefined : rule.read(value)),
  }
}

function notEmpty(schema: RuleSchema): RuleSchema {
  const isText = schema.type === 'string' && schema.enum === undefined && schema.pattern === undefined
  return isText ? { ...schema, minLength: 1 } : schema
}

export const FLAG: Rule<boolean> = {
  words: 'must be true or false',
  schema: { type: 'boolean' },
  read: (value) => (typeof value === 'string' ? FLAGS.get(value.toLowerCase()) : undefined),
}

const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
])

export function count(min: number, max: number): Rule<number> {
  return {
    words: `must be a whole number from ${min} to ${max}`,
    schema: { type: 'integer', minimum: min, maximum: max },
    read(value) {
      if (typeof value !== 'string' || !/^\d{1,9}$/.test(value)) return undefined
      const number = Number(value)
      return number >= min && number <= max ? number : undefined
    },
  }
}

/** Rule for a code. It is compared exactly, so it is not trimmed. */
export function code(lengthMax: number): Rule<string> {
  return {
    words: `must be at most ${lengthMax} characters`,
    schema: { type: 'string', maxLength: lengthMax },
    read: (value) => (typeof value === 'string' && value.length <= lengthMax ? value : undefined),
  }
}
