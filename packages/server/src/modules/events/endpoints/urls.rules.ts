import type { Rule } from '../../../lib/input/fields.ts'
import type { Stream } from '../types.ts'

/** Why nothing would ever be sent to a URL, as far as its text tells; undefined: it may be. */
export type RefusalOf = (url: string) => string | undefined

export const WEBHOOK_URL_LENGTH_MAX = 500
/** The contract names no bound; what is longer does not survive the proxies on its way. */
export const CALLBACK_URL_LENGTH_MAX = 2_000

// What the parser of URLs would silently drop or turn: the URL that is shown is the one that is used.
const TURNED_BY_PARSERS = /[\s\\\p{Cc}\p{Cs}]/u

/** Where a stream's events may be sent. Throws nothing: the words name what is wrong with this very URL. */
export function urlProblemOf(
  stream: Stream,
  isProduction: boolean,
  refusalOf: RefusalOf,
  url: string,
): string | undefined {
  const lengthMax = stream === 'callback' ? CALLBACK_URL_LENGTH_MAX : WEBHOOK_URL_LENGTH_MAX
  if (url.length > lengthMax) return `must be at most ${lengthMax} characters`
  const isHttpsAlone = isHttpsOnly(stream, isProduction)
  const isAbsolute = isHttpsAlone ? /^https:\/\/[^/]/i.test(url) : /^https?:\/\/[^/]/i.test(url)
  if (!isAbsolute || TURNED_BY_PARSERS.test(url) || !hasPlace(url)) {
    return `must be an absolute ${isHttpsAlone ? 'HTTPS' : 'HTTP or HTTPS'} URL`
  }
  return refusalOf(url)
}

/** A name that can be looked up, whose last dot may be the root's, and a port that can be listened at. */
function hasPlace(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { hostname, port } = new URL(url)
  return port !== '0' && !/^\.|\.\./.test(hostname)
}

/** Catalogue events want HTTPS everywhere, balance events in production; callbacks go wherever they are wanted. */
export function isHttpsOnly(stream: Stream, isProduction: boolean): boolean {
  return stream === 'catalog' || (stream === 'balance' && isProduction)
}

/** For reading beside other fields: a text is a URL until it is looked at closely. */
export const URL_TEXT: Rule<string> = {
  words: 'must be an absolute URL',
  schema: { type: 'string', format: 'uri' },
  read: (value) => (typeof value === 'string' && value !== '' ? value : undefined),
}
