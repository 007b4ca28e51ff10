import type { Rule } from './fields.ts'
import { textRule } from './fields.ts'

const WEB_FORM = /^https?:\/\/\S+$/i

/** Parses an absolute http or https address without spaces; undefined when the text is none. */
export function parseWebUrl(text: string): URL | undefined {
  return WEB_FORM.test(text) && URL.canParse(text) ? new URL(text) : undefined
}

/** Limit of an address: common proxies refuse longer ones. */
export const URL_LENGTH_MAX = 2_000

/** Rule for an http or https address. */
export const WEB_URL: Rule<string> = textRule({
  message: `must be an http or https address of at most ${URL_LENGTH_MAX} characters`,
  schema: { format: 'uri', maxLength: URL_LENGTH_MAX },
  parse: (text) => (text.length <= URL_LENGTH_MAX && parseWebUrl(text) !== undefined ? text : undefined),
})

/** Rule for the public address of a service of ours: links are made by adding a path to it. */
export const BASE_URL: Rule<string> = textRule({
  message: 'must be an absolute http or https address without credentials, query or fragment',
  schema: { format: 'uri', maxLength: URL_LENGTH_MAX },
  parse(text) {
    const url = WEB_URL.read(text) === undefined ? undefined : new URL(text)
    const isBare = url?.username === '' && url.password === '' && url.search === '' && url.hash === ''
    return isBare ? text.replace(/\/+$/, '') : undefined
  },
})
