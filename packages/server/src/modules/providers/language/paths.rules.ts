import { ExactNumber, numberText } from './numbers.rules.ts'
import type { Path } from './types.ts'

// Rules that find a value in a supplier's JSON.

/** Segment of a path that leads to the one element of a list, and stays at an object. */
export const ONLY = '$only'

/** Segment of a path that leads to every element of a list. */
export const ANY = '$any'

/** True for the path of the HTTP status, which stands in the answer's head. */
export function isStatusPath(path: Path): boolean {
  return path[0] === '$status'
}

/** True for an index. Which element has which index is the supplier's choice, and another one tomorrow. */
export function isPosition(segment: string): boolean {
  return !/\D/.test(segment)
}

/**
 * Returns the value at a path; undefined when there is none. Only own members count, so that a supplier cannot reach
 * JavaScript's own names. A list has a value for `$only`, and for the index 0, while it has one element; `$only` of an
 * object is the object itself.
 */
export function valueAt(json: unknown, path: Path): unknown {
  let value = json
  for (const segment of path) {
    if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return undefined
    if (Array.isArray(value)) {
      const items: readonly unknown[] = value
      if (items.length !== 1 || (segment !== ONLY && segment !== '0')) return undefined
      value = items[0]
    } else if (segment !== ONLY) {
      if (!Object.hasOwn(value, segment)) return undefined
      value = (value as Readonly<Record<string, unknown>>)[segment]
    }
  }
  return value
}

/** Returns the values at a path: one, or those of every element where it has `$any`. */
export function valuesAt(json: unknown, path: Path): readonly unknown[] {
  const at = path.indexOf(ANY)
  if (at === -1) {
    const value = valueAt(json, path)
    return value === undefined || value === null ? [] : [value]
  }
  const items = valueAt(json, path.slice(0, at))
  return Array.isArray(items) ? items.flatMap((item) => valuesAt(item, path.slice(at + 1))) : []
}

/** Returns a value as text, a number with the digits of its literal; undefined when there is none. */
export function textAt(json: unknown, path: Path): string | undefined {
  return textOfValue(valueAt(json, path))
}

/** Returns a single value as text; undefined for an object, a list or null. */
export function textOfValue(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'boolean') return String(value)
  return typeof value === 'number' || value instanceof ExactNumber ? numberText(value) : undefined
}

/** Returns the text at the first of the paths that leads to one. */
export function firstText(json: unknown, paths: readonly Path[]): string | undefined {
  for (const path of paths) {
    const text = textAt(json, path)
    if (text !== undefined) return text
  }
  return undefined
}

/** Tells whether a value is a number that is not whole, or is not written with all its digits. */
export function isBrokenNumber(value: unknown): boolean {
  if (value instanceof ExactNumber) return /\D/.test(value.literal)
  return typeof value === 'number' && (!Number.isSafeInteger(value) || value < 0)
}
