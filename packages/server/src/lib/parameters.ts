import type { Rule } from './fields.ts'

// How query parameters are read: always text, and an empty one is one that was not given.

/** The parameter may be left out; `fallback` stands in for it. */
export function optional<T, F>(rule: Rule<T>, fallback: F): Rule<T | F> {
  return {
    words: rule.words,
    read: (value) => (value === undefined || value === '' ? fallback : rule.read(value)),
  }
}

/** The parameter must be there; `name` is said when it is not. */
export function required<T>(name: string, rule: Rule<T>): Rule<T> {
  return {
    words: `The ${name} field is required and ${rule.words}.`,
    read: (value) => (value === '' ? undefined : rule.read(value)),
  }
}

export const FLAG: Rule<boolean> = {
  words: 'must be true or false',
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
    read: (value) => (typeof value === 'string' && value.length <= lengthMax ? value : undefined),
  }
}
