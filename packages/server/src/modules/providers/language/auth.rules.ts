import { path } from './path.rules.ts'
import type { Reader } from './reading.rules.ts'
import { below, byType, complain, entriesOf, needed, object, oneOf, optional, text } from './reading.rules.ts'
import { url } from './request.rules.ts'
import { hmacMembers, timestampForm } from './signature.rules.ts'
import { headerName, headers, NO_SECRET, secret, textOrSecret, textSource } from './sources.rules.ts'
import type { TextSource, Vocabulary } from './types.ts'

// Reads how we prove who we are.

/** Values that a request's signature can cover; `target` is path and query, `timestamp` is as the header spells it. */
const SIGNED_WORDS: Vocabulary = {
  method: 'text',
  path: 'text',
  query: 'text',
  target: 'text',
  body: 'text',
  body_sha256: 'text',
  body_sha256_base64: 'text',
  timestamp: 'text',
  nonce: 'text',
}

const type = <const T extends string>(name: T) => needed(oneOf(name), name)

const OWN_MEMBERS: ReadonlySet<string> = new Set(['grant_type', 'client_id', 'client_secret', 'scope'])

const extra: Reader<readonly (readonly [string, TextSource])[]> = (value, site) => {
  const entries = entriesOf(textSource({}))(value, site)
  for (const [name] of entries) {
    if (OWN_MEMBERS.has(name)) complain(below(site, name), 'has a member of its own, or is always sent', 0)
  }
  return entries
}

const AUTH = {
  none: object({ type: type('none') }),
  basic: object({
    type: type('basic'),
    username: needed(textOrSecret, ''),
    password: needed(secret, NO_SECRET),
  }),
  bearer: object({ type: type('bearer'), token: needed(secret, NO_SECRET) }),
  hmac: object({
    type: type('hmac'),
    ...hmacMembers(SIGNED_WORDS),
    timestamp: optional(
      object({ header: optional(headerName, null), form: optional(timestampForm, 'unix') }),
      { header: null, form: 'unix' },
    ),
    nonce_header: optional(headerName, null),
  }),
  oauth2_client_credentials: object({
    type: type('oauth2_client_credentials'),
    token_url: needed(url, ''),
    client_id: needed(textOrSecret, ''),
    client_secret: needed(secret, NO_SECRET),
    scope: optional(text, null),
    client_auth: optional(oneOf('basic', 'body'), 'basic'),
    request: optional(oneOf('form', 'json'), 'form'),
    extra: optional(extra, []),
    headers: optional(headers({}), []),
    token_path: optional(path, ['access_token']),
    expires_path: optional(path, ['expires_in']),
  }),
}

export const auth = byType(AUTH, 'none')
export type Auth = ReturnType<typeof auth>
