import type { Reader } from '../language/reading.rules.ts'
import { below, complain } from '../language/reading.rules.ts'

const LIST_MAX = 300

/** Reads a list of at most so many things. */
export function listOf<T>(reader: Reader<T>): Reader<readonly T[]> {
  return (value, site) => {
    if (!Array.isArray(value)) return complain(site, 'must be a list', [])
    if (value.length > LIST_MAX) return complain(site, `has more than ${LIST_MAX} entries`, [])
    return value.map((item, at) => reader(item, below(site, String(at))))
  }
}

export function matching(form: RegExp, message: string): Reader<string> {
  return (value, site) =>
    typeof value === 'string' && form.test(value) ? value : complain(site, `must be ${message}`, '')
}

export const AMOUNT = matching(/^\d{1,9}\.\d\d$/, 'an amount such as 10.00')
