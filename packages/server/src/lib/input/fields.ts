import { invalidFields } from '../errors.ts'

/**
 * Rule for reading one field: `read` returns undefined for a value that breaks the rule, and `words` describe the rule.
 */
export type Rule<T> = {
  readonly words: string
  readonly read: (value: unknown) => T | undefined
  /** JSON Schema of the rule, for the API documents: the limits are written down once, here. */
  readonly schema?: RuleSchema
  /** True when the API document marks the field as required. */
  readonly isRequired?: true
}

export type RuleSchema = Readonly<Record<string, unknown>>

type Rules = Readonly<Record<string, Rule<unknown>>>
type Read<R extends Rules> = { [K in keyof R]: R[K] extends Rule<infer T> ? T : never }
type Input<R extends Rules> = { readonly [K in keyof R]?: unknown }

/** Reads every field, or throws the problems of all invalid fields together. */
export function readFields<R extends Rules>(rules: R, input: Input<R>): Read<R> {
  const values: Record<string, unknown> = {}
  let problems: Record<string, string[]> | undefined
  for (const name in rules) {
    const rule = rules[name] as Rule<unknown>
    const value = rule.read(input[name])
    if (value !== undefined) {
      values[name] = value
      continue
    }
    problems ??= {}
    problems[wireName(name)] = [rule.words]
  }
  if (problems !== undefined) throw invalidFields(problems)
  return values as Read<R>
}

/** Reads the fields of a change: a field that is not given stays as it is. */
export function readGivenFields<R extends Rules>(rules: R, input: Input<R>): Partial<Read<R>> {
  const given = Object.entries(rules).filter(([name]) => input[name] !== undefined)
  return readFields<Rules>(Object.fromEntries(given), input) as Partial<Read<R>>
}

function wireName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

// Control characters and halves of surrogate pairs have no place in a name, and break logs and mail headers.
const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u

/** Rule for one line of text, trimmed; the length counts characters, not UTF-16 units. */
export function text(min: number, max: number): Rule<string> {
  return {
    words: `must be ${min} to ${max} characters of text`,
    schema: { type: 'string', ...(min > 0 && { minLength: min }), maxLength: max },
    read(value) {
      if (typeof value !== 'string') return undefined
      const trimmed = value.trim()
      const length = [...trimmed].length
      return length >= min && length <= max && !UNPRINTABLE.test(trimmed) ? trimmed : undefined
    },
  }
}

export function pattern(words: string, form: RegExp): Rule<string> {
  return {
    words,
    schema: { type: 'string', ...patternOf(form) },
    read: (value) => (typeof value === 'string' && form.test(value) ? value : undefined),
  }
}

/**
 * Returns the pattern for the schema. JSON Schema has no flags: an expression that needs one is described by the words
 * alone.
 */
function patternOf(form: RegExp): RuleSchema {
  return form.flags === '' || form.flags === 'u' ? { pattern: form.source } : {}
}

export function oneOf<T extends string>(values: readonly T[]): Rule<T> {
  return {
    words: `must be one of ${values.join(', ')}`,
    schema: { type: 'string', enum: values },
    read: (value) => values.find((each) => each === value),
  }
}

export function wholeNumber(min: number, max: number): Rule<number> {
  return {
    words: `must be a whole number from ${min} to ${max}`,
    schema: { type: 'integer', minimum: min, maximum: max },
    read: (value) =>
      typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max
        ? value
        : undefined,
  }
}

export const BOOLEAN: Rule<boolean> = {
  words: 'must be true or false',
  schema: { type: 'boolean' },
  read: (value) => (typeof value === 'boolean' ? value : undefined),
}
