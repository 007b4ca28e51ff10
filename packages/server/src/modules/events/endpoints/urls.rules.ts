import type { Rule } from '../../../lib/input/fields.ts'
import { textRule } from '../../../lib/input/fields.ts'
import { STREAM_TRAITS } from '../streams.rules.ts'
import type { Stream } from '../types.ts'

/** Reason why the text of a URL rules out that anything is sent to it; undefined: there is none. */
export type RefusalOf = (url: string) => string | undefined

// Characters that URL parsers silently drop or change. They are refused, so that the URL shown is the URL used.
const CHANGED_BY_PARSERS = /[\s\\\p{Cc}\p{Cs}]/u

/** Finds the problem of a URL for a stream, as text for its owner; undefined: there is none. */
export function urlProblemOf(
  stream: Stream,
  isProduction: boolean,
  refusalOf: RefusalOf,
  url: string,
): string | undefined {
  const { urlLengthMax: lengthMax } = STREAM_TRAITS[stream]
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

export function isHttpsOnly(stream: Stream, isProduction: boolean): boolean {
  const when = STREAM_TRAITS[stream].httpsOnly
  return when === 'always' || (when === 'in production' && isProduction)
}

/** Accepts any text: urlProblemOf judges the URL later, when the stream is known. */
export const URL_TEXT: Rule<string> = textRule({
  message: 'must be an absolute URL',
  schema: { format: 'uri' },
  parse: (text) => (text === '' ? undefined : text),
})
