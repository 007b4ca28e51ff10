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

/** Member of an object of the language: how it is read, and what stands for it when it is left out or wrong. */
export type Member<T> = { readonly isNeeded: boolean; readonly read: Reader<T>; readonly standIn: T }

/** Declares a member that must be there; `standIn` follows only after a mistake, which makes the whole useless. */
export function needed<const T>(read: Reader<T>, standIn: NoInfer<T>): Member<T> {
  return { isNeeded: true, read, standIn }
}

/** Declares a member that may be left out, or null. */
export function optional<const T, const F>(read: Reader<T>, fallback: F): Member<T | F> {
  return { isNeeded: false, read, standIn: fallback }
}

type Declared = Readonly<Record<string, Member<unknown>>>

type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name

/** Result of reading an object by its declaration: `serial_number` becomes `serialNumber`. */
export type Found<M extends Declared> = {
  readonly [Name in keyof M & string as CamelCase<Name>]: M[Name] extends Member<infer T> ? T : never
}

export type Seen = {
  /** Place of the object itself. */
  readonly site: Site
  /** Tells whether a member is written there, even as null. */
  has(name: string): boolean
}

const asFound = <T>(found: T): T => found

/**
 * Reads an object by its declaration: unknown members are mistakes, and so are missing ones that are needed. `make`
 * checks what its members say together, and makes the result of them.
 */
export function object<M extends Declared>(members: M): Reader<Found<M>>
export function object<M extends Declared, R>(members: M, make: (found: Found<M>, seen: Seen) => R): Reader<R>
export function object<M extends Declared>(
  members: M,
  make: (found: Found<M>, seen: Seen) => unknown = asFound,
): Reader<unknown> {
  const names = Object.keys(members)
  return (value, site) => {
    if (!isObject(value)) {
      complain(site, 'must be an object', 0)
      // The stand-ins are no mistakes of the operator.
      const unseen: Seen = { site: { ...site, problems: [] }, has: () => false }
      return make(
        foundIn(members, ({ standIn }) => standIn),
        unseen,
      )
    }
    for (const name of Object.keys(value)) {
      if (!names.includes(name))
        complain(below(site, name), `is not known here; there are ${names.join(', ')}`, 0)
    }
    const written = (name: string) => (Object.hasOwn(value, name) ? value[name] : undefined)
    const found = foundIn(members, ({ isNeeded, read, standIn }, name) => {
      const member = written(name)
      if (member === undefined && isNeeded) return complain(below(site, name), 'is missing', standIn)
      return member === undefined || (member === null && !isNeeded)
        ? standIn
        : read(member, below(site, name))
    })
    return make(found, { site, has: (name) => written(name) !== undefined })
  }
}

function foundIn<M extends Declared>(
  members: M,
  readMember: (member: Member<unknown>, name: string) => unknown,
): Found<M> {
  const camelCase = (name: string) => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())
  const entries = Object.entries(members).map(([name, member]) => [camelCase(name), readMember(member, name)])
  return Object.fromEntries(entries) as Found<M>
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const NAMES_MAX = 1_000

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

/** Reads an object whose `type` says which members it has. */
export function byType<R extends Readonly<Record<string, Reader<unknown>>>>(
  readers: R,
  standIn: keyof R & string,
): Reader<ReturnType<R[keyof R]>> {
  const [first = standIn, ...others] = Object.keys(readers)
  const name = oneOf(first, ...others)
  return (value, site) => {
    const written = isObject(value) ? name(value.type, below(site, 'type')) : standIn
    // A wrong type has been reported, and the members are compared with those of the first one.
    const given = isObject(value) ? { ...value, type: written } : value
    return readers[written]?.(given, site) as ReturnType<R[keyof R]>
  }
}
