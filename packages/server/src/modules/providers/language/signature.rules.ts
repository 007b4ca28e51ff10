import type { Found, Reader } from './reading.rules.ts'
import { complain, needed, oneOf, optional } from './reading.rules.ts'
import { encoding, headerName, NO_SECRET, secret, template } from './sources.rules.ts'
import type { Template, Vocabulary } from './types.ts'

// Reads how a message is signed: a request of ours, or a callback.

const SIGNATURE: Template = [{ name: 'signature', filters: [], whenEmpty: 'text', as: 'text' }]

/** Values of which one must be signed. */
const CONTENT = ['body', 'body_sha256', 'body_sha256_base64', 'query', 'target'] as const

const named = (parts: Template, ...names: readonly string[]) =>
  parts.some((part) => typeof part !== 'string' && names.includes(part.name))

function signedPayload(words: Vocabulary): Reader<Template> {
  return (value, site) => {
    const parts = template(words)(value, site)
    if (parts.length === 0 || named(parts, ...CONTENT)) return parts
    return complain(site, `must hold the content that it proves: ${CONTENT.join(', ')}`, parts)
  }
}

const signatureValue: Reader<Template> = (value, site) => {
  const parts = template({ signature: 'text' })(value, site)
  if (parts.length === 0 || named(parts, 'signature')) return parts
  return complain(site, 'must hold {{signature}}', parts)
}

export const timestampForm = oneOf('unix', 'unix_ms', 'iso')
export type TimestampForm = ReturnType<typeof timestampForm>

type Algorithm = 'sha1' | 'sha256' | 'sha512'

/** Members of a signature; a request and a callback have different words to sign. */
export function hmacMembers(words: Vocabulary, algorithm: Reader<Algorithm> = oneOf('sha256', 'sha512')) {
  return {
    secret: needed(secret, NO_SECRET),
    key: optional(oneOf('text', 'base64', 'whsec'), 'text'),
    algorithm: optional(algorithm, 'sha256'),
    encoding: optional(encoding, 'hex'),
    payload: needed(signedPayload(words), []),
    header: needed(headerName, ''),
    value: optional(signatureValue, SIGNATURE),
  }
}

export type Hmac = Found<ReturnType<typeof hmacMembers>>
