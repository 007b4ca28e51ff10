import type { Rule } from '../../../lib/input/fields.ts'
import type { Stream } from '../types.ts'

/** Reason why the text of a URL rules out that anything is sent to it; undefined: there is none. */
export type RefusalOf = (url: string) => string | undefined

export const WEBHOOK_URL_LENGTH_MAX = 500
/** The contract names no bound; common proxies refuse longer URLs. */
export const CALLBACK_URL_LENGTH_MAX = 2_000

// Characters that URL parsers silently drop or change. They are refused, so that the URL shown is the URL used.
const CHANGED_BY_PARSERS = /[\s\\\p{Cc}\p{Cs}]/u

/** Finds the problem of a URL for a stream, as text for its owner; undefined: there is none. */
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
  if (!isAbsolute || CHANGED_BY_PARSERS.test(url) || !hasHostAndPort(url)) {
    return `must be an absolute ${isHttpsAlone ? 'HTTPS' : 'HTTP or HTTPS'} URL`
  }
  return refusalOf(url)
}

/** Accepts a name that can be resolved (a dot at its end is legal) and a port that a server can listen on. */
function hasHostAndPort(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { hostname, port } = new URL(url)
  return port !== '0' && !/^\.|\.\./.test(hostname)
}

/** The contract demands HTTPS for catalogue events, and in production for balance events; it allows callbacks by HTTP. */
const HTTPS_ONLY: Readonly<Record<Stream, 'always' | 'in production' | 'never'>> = {
  callback: 'never',
  catalog: 'always',
  balance: 'in production',
}

export function isHttpsOnly(stream: Stream, isProduction: boolean): boolean {
  const when = HTTPS_ONLY[stream]
  return when === 'always' || (when === 'in production' && isProduction)
}

/** Accepts any text: urlProblemOf judges the URL later, when the stream is known. */
export const URL_TEXT: Rule<string> = {
  words: 'must be an absolute URL',
  schema: { type: 'string', format: 'uri' },
  read: (value) => (typeof value === 'string' && value !== '' ? value : undefined),
}
