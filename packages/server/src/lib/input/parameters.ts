import type { Rule, RuleSchema } from './fields.ts'

// How query parameters are read: always text, and an empty one is one that was not given.

/** The parameter may be left out; `fallback` stands in for it. */
export function optional<T, F>(rule: Rule<T>, fallback: F): Rule<T | F> {
  return {
    words: rule.words,
    ...(rule.schema !== undefined && { schema: { ...rule.schema, ...defaultOf(fallback) } }),
    read: (value) => (value === undefined || value === '' ? fallback : rule.read(value)),
  }
}

/** A fallback that stands for "nothing was asked" is no value that a client could send. */
function defaultOf(fallback: unknown): RuleSchema {
  if (typeof fallback === 'bigint') return { default: Number(fallback) }
  return ['string', 'number', 'boolean'].includes(typeof fallback) ? { default: fallback } : {}
}

/** The parameter must be there; `name` is said when it is not. */
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

/** Compared exactly, so it is not trimmed. */
export function code(lengthMax: number): Rule<string> {
  return {
    words: `must be at most ${lengthMax} characters`,
    schema: { type: 'string', maxLength: lengthMax },
    read: (value) => (typeof value === 'string' && value.length <= lengthMax ? value : undefined),
  }
}
