import type { ConfigProblem } from './types.ts'

// Readers of a JSON configuration. A reader always returns a value: after a mistake it is a stand-in, and the mistake
// is added to the problems, so that one reading finds all of them.

export type Site = {
  /** Place in the JSON, such as `submit.response.table`. */
  readonly path: string
  readonly problems: ConfigProblem[]
  readonly secretNames: ReadonlySet<string>
}

export type Reader<T> = (value: unknown, site: Site) => T

export function complain<T>(site: Site, message: string, standIn: T): T {
  site.problems.push({ path: site.path === '' ? '$' : site.path, message })
  return standIn
}

/** Adds what is a mistake in a new configuration, and works in one that was saved before. */
export function complainOfOutdated<T>(site: Site, message: string, value: T): T {
  site.problems.push({ path: site.path, message, isOutdated: true })
  return value
}

export function below(site: Site, name: string): Site {
  return { ...site, path: site.path === '' ? name : `${site.path}.${name}` }
}

/**
 * Members of an object, read by name. Unknown members are mistakes, and `standIn` is the result for a value that is
 * not an object.
 */
export type Members = {
  required<T>(name: string, reader: Reader<T>): T | undefined
  optional<T>(name: string, reader: Reader<T>, fallback: T): T
  has(name: string): boolean
  /** Place of the object itself. */
  readonly site: Site
}

const NAMES_MAX = 1_000

export function readMembers<T>(
  value: unknown,
  site: Site,
  known: readonly string[],
  read: (members: Members) => T,
  standIn: T,
): T {
  if (!isObject(value)) return complain(site, 'must be an object', standIn)
  for (const name of Object.keys(value)) {
    if (!known.includes(name))
      complain(below(site, name), `is not known here; there are ${known.join(', ')}`, 0)
  }
  const found = (name: string) => (Object.hasOwn(value, name) ? value[name] : undefined)
  return read({
    site,
    has: (name) => found(name) !== undefined,
    required(name, reader) {
      const member = found(name)
      return member === undefined
        ? complain(below(site, name), 'is missing', undefined)
        : reader(member, below(site, name))
    },
    optional(name, reader, fallback) {
      const member = found(name)
      return member === undefined || member === null ? fallback : reader(member, below(site, name))
    },
  })
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Reads an object whose member names the operator chooses. */
export function entriesOf<T>(reader: Reader<T>): Reader<readonly (readonly [string, T])[]> {
  return (value, site) => {
    if (!isObject(value)) return complain(site, 'must be an object', [])
    const entries = Object.entries(value)
    if (entries.length > NAMES_MAX) return complain(site, `has more than ${NAMES_MAX} members`, [])
    return entries.map(([name, member]) => [name, reader(member, below(site, name))] as const)
  }
}

const TEXT_MAX = 4_000

export const text: Reader<string> = (value, site) => {
  if (typeof value !== 'string' || value === '') return complain(site, 'must be a text', '')
  return value.length > TEXT_MAX ? complain(site, `is longer than ${TEXT_MAX} characters`, '') : value
}

export function integer(min: number, max: number): Reader<number> {
  return (value, site) =>
    typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max
      ? value
      : complain(site, `must be a whole number from ${min} to ${max}`, min)
}

export const boolean: Reader<boolean> = (value, site) =>
  typeof value === 'boolean' ? value : complain(site, 'must be true or false', false)

export function oneOf<const T extends string>(...names: readonly [T, ...T[]]): Reader<T> {
  return (value, site) =>
    names.find((name) => name === value) ?? complain(site, `must be one of ${names.join(', ')}`, names[0])
}
