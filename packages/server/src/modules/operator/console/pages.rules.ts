import { invalidFields, RequestError } from '../../../lib/errors.ts'
import type { Rule } from '../../../lib/input/fields.ts'
import { count, optional } from '../../../lib/input/parameters.ts'

export const PAGE_MAX = 200
export const PAGE_USUAL = 50

const CURSOR_LENGTH_MAX = 200
const SEARCH_LENGTH_MAX = 100

const PRINTABLE = /^[\x20-\x7e]*$/

export const PAGE_RULES = {
  limit: optional(count(1, PAGE_MAX), PAGE_USUAL),
  cursor: optional(plainText(CURSOR_LENGTH_MAX), null),
} as const

/** A code or a cursor: none of ours has anything but printable ASCII in it. */
export function plainText(lengthMax: number): Rule<string> {
  return {
    words: `must be at most ${lengthMax} plain characters`,
    schema: { type: 'string', maxLength: lengthMax, pattern: PRINTABLE.source },
    read: (value) =>
      typeof value === 'string' && value.length <= lengthMax && PRINTABLE.test(value) ? value : undefined,
  }
}

/** Spaces around it were not meant. */
export const SEARCH: Rule<string | null> = optional(
  {
    words: `must be at most ${SEARCH_LENGTH_MAX} characters`,
    schema: { type: 'string', maxLength: SEARCH_LENGTH_MAX },
    read(value) {
      if (typeof value !== 'string' || value.length > SEARCH_LENGTH_MAX || value.includes('\u0000'))
        return undefined
      return value.trim()
    },
  },
  null,
)

export type Page<T> = { readonly items: readonly T[]; readonly cursor: string | null }

/** Of one more than fit on the page. */
export function pageOf<T>(found: readonly T[], limit: number, cursorOf: (item: T) => string): Page<T> {
  const items = found.slice(0, limit)
  const last = items.at(-1)
  return { items, cursor: found.length > limit && last !== undefined ? cursorOf(last) : null }
}

/** Of a list in memory that is ordered by its keys. */
export function pageAfter<T>(
  all: Iterable<T>,
  { cursor, limit }: { readonly cursor: string | null; readonly limit: number },
  keyOf: (item: T) => string,
): Page<T> {
  const found: T[] = []
  let isReached = cursor === null
  for (const item of all) {
    if (isReached) found.push(item)
    else isReached = keyOf(item) === cursor
    if (found.length > limit) break
  }
  return pageOf(found, limit, keyOf)
}

export function pageView<T, V>({ items, cursor }: Page<T>, view: (item: T) => V) {
  return { data: items.map(view), cursor, has_more: cursor !== null }
}

const ID_FORM = /^[1-9]\d{0,17}$/
export const ID_SCHEMA = { type: 'string', pattern: ID_FORM.source } as const

/** What stands in an address and cannot be anybody's code names nothing: the database is not asked. */
export function isPlain(text: string): boolean {
  return PRINTABLE.test(text)
}

/** undefined: nothing has such an id. */
export function readId(text: string): bigint | undefined {
  return ID_FORM.test(text) ? BigInt(text) : undefined
}

/** The same words whether it never was or is somebody else's. */
export function unknown(what: string): RequestError {
  return notFound(`There is no such ${what}.`)
}

export function notFound(publicText: string): RequestError {
  return new RequestError({ status: 404, code: 'not_found', publicText })
}

/** A change of nothing would be a line in the audit log about nothing. */
export function mustChange(changes: object): void {
  if (Object.values(changes).some((value) => value !== undefined)) return
  throw invalidFields({ body: ['Give something to change.'] })
}
