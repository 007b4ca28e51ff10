import { RequestError } from '../../../lib/errors.ts'
import type { Rule } from '../../../lib/input/fields.ts'
import { isPlainAscii, PLAIN_ASCII_PATTERN, textRule } from '../../../lib/input/fields.ts'
import { count, optional } from '../../../lib/input/parameters.ts'

export const PAGE_MAX = 200
export const PAGE_USUAL = 50

const CURSOR_LENGTH_MAX = 200
const SEARCH_LENGTH_MAX = 100

export const PAGE_RULES = {
  limit: optional(count(1, PAGE_MAX), PAGE_USUAL),
  cursor: optional(plainText(CURSOR_LENGTH_MAX), null),
} as const

/** Rule for a code or a cursor: ours consist of printable ASCII only. */
export function plainText(lengthMax: number): Rule<string> {
  return textRule({
    message: `must be at most ${lengthMax} plain characters`,
    schema: { maxLength: lengthMax, pattern: PLAIN_ASCII_PATTERN },
    parse: (text) => (text.length <= lengthMax && isPlainAscii(text) ? text : undefined),
  })
}

/** Text to search for. Spaces around it are dropped: nobody means them. */
export const SEARCH: Rule<string | null> = optional(
  textRule({
    message: `must be at most ${SEARCH_LENGTH_MAX} characters`,
    schema: { maxLength: SEARCH_LENGTH_MAX },
    parse: (text) => (text.length > SEARCH_LENGTH_MAX || text.includes('\0') ? undefined : text.trim()),
  }),
  null,
)

export type Page<T> = { readonly items: readonly T[]; readonly cursor: string | null }

/** Makes a page from rows that were read with one more than the limit, which shows whether there is a next page. */
export function pageOf<T>(found: readonly T[], limit: number, cursorOf: (item: T) => string): Page<T> {
  const items = found.slice(0, limit)
  const last = items.at(-1)
  return { items, cursor: found.length > limit && last !== undefined ? cursorOf(last) : null }
}

/**
 * Makes a page of the wanted items of a list in memory. The page begins behind the item that the cursor names, also when
 * that item is not wanted any more: it may have changed since the page before.
 */
export function pageAfter<T>(
  all: Iterable<T>,
  { cursor, limit }: { readonly cursor: string | null; readonly limit: number },
  keyOf: (item: T) => string,
  isWanted: (item: T) => boolean,
): Page<T> {
  const found: T[] = []
  for (const item of itemsAfter(all, cursor, keyOf)) {
    if (isWanted(item)) found.push(item)
    if (found.length > limit) break
  }
  return pageOf(found, limit, keyOf)
}

/** Yields the items behind the one that the cursor names; null: all of them. */
export function* itemsAfter<T>(
  all: Iterable<T>,
  cursor: string | null,
  keyOf: (item: T) => string,
): Generator<T, void> {
  let isReached = cursor === null
  for (const item of all) {
    if (isReached) yield item
    else isReached = keyOf(item) === cursor
  }
}

export function pageView<T, V>({ items, cursor }: Page<T>, view: (item: T) => V) {
  return { data: items.map(view), cursor, has_more: cursor !== null }
}

/** Tells whether a text from an address can be a code. If it cannot, the database is not asked. */
export function isPlain(text: string): boolean {
  return isPlainAscii(text)
}

/** Answers with the same words for a thing that never existed and for one of another owner. */
export function unknown(what: string): RequestError {
  return notFound(`There is no such ${what}.`)
}

export function notFound(publicText: string): RequestError {
  return new RequestError({ status: 404, code: 'not_found', publicText })
}
