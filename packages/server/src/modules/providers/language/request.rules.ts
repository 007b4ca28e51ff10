import { isPlainAscii } from '../../../lib/input/fields.ts'
import { readTarget, refusalOfAddress } from '../../../outbound/targets.rules.ts'
import type { Found, Reader, Seen } from './reading.rules.ts'
import {
  below,
  complain,
  entriesOf,
  isObject,
  needed,
  object,
  oneOf,
  optional,
  text,
} from './reading.rules.ts'
import { readTemplate } from './template.rules.ts'
import type {
  BodyTemplate,
  OperationRequest,
  SecretReference,
  Template,
  TextSource,
  Vocabulary,
} from './types.ts'

// Reads the part of a configuration about requests.

const NOW: Vocabulary = { timestamp: 'time', nonce: 'text' }

export const ORDER_WORDS: Vocabulary = {
  reference: 'text',
  product_code: 'text',
  supplier_code: 'text',
  account: 'text',
  amount: 'money',
  face_value: 'money',
  subproduct_code: 'text',
  biller_code: 'text',
  ref2: 'text',
  ic_number: 'text',
  submitted_at: 'time',
  ...NOW,
}
export const BILL_WORDS: Vocabulary = {
  product_code: 'text',
  supplier_code: 'text',
  account: 'text',
  amount: 'money',
  biller_code: 'text',
  ref2: 'text',
  ...NOW,
}
export const OPTIONS_WORDS: Vocabulary = {
  product_code: 'text',
  supplier_code: 'text',
  field_id: 'text',
  account: 'text',
  ...NOW,
}
export const NO_WORDS: Vocabulary = NOW

/** Values that a request's signature can cover; `target` is path and query, `timestamp` is as the header spells it. */
const SIGNED_WORDS: Vocabulary = {
  method: 'text',
  path: 'text',
  query: 'text',
  target: 'text',
  body: 'text',
  body_sha256: 'text',
  timestamp: 'text',
  nonce: 'text',
}

// ── Pieces ──

export function template(words: Vocabulary, isTyped = false): Reader<Template> {
  return (value, site) => {
    if (typeof value !== 'string') return complain(site, 'must be a text', [])
    const reading = readTemplate(value, words, isTyped)
    return reading.ok ? reading.template : complain(site, reading.problem, [])
  }
}

export const secret: Reader<SecretReference> = (value, site) => {
  if (!isSecretReference(value)) {
    return complain(site, 'must name a secret, as { "secret": "name" }; values are given apart', {
      secret: '',
    })
  }
  if (!site.secretNames.has(value.secret)) {
    return complain(site, `there is no secret "${value.secret}" among those given`, value)
  }
  return value
}

function isSecretReference(value: unknown): value is SecretReference {
  return isObject(value) && Object.keys(value).join() === 'secret' && typeof value.secret === 'string'
}

const textOrSecret: Reader<string | SecretReference> = (value, site) =>
  isObject(value) ? secret(value, site) : text(value, site)

function textSource(words: Vocabulary, isTyped = false): Reader<TextSource> {
  const readText = template(words, isTyped)
  return (value, site) => (isObject(value) ? secret(value, site) : readText(value, site))
}

/** Headers that the client sets itself, or that are about the connection rather than the request. */
const OWN_HEADERS =
  /^(host|connection|content-length|transfer-encoding|accept-encoding|upgrade|expect|te|trailer|keep-alive|proxy-.*)$/i
const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/

export const headerName: Reader<string> = (value, site) => {
  const name = text(value, site)
  const problem = name === '' ? undefined : problemOfHeader(name)
  return problem === undefined ? name : complain(site, problem, '')
}

function problemOfHeader(name: string): string | undefined {
  if (!HEADER_NAME.test(name)) return `"${name}" is no name of a header`
  return OWN_HEADERS.test(name) ? `the header ${name} is set by the client itself` : undefined
}

export function headers(words: Vocabulary): Reader<OperationRequest['headers']> {
  const readAll = entriesOf(textSource(words))
  return (value, site) => {
    const entries = readAll(value, site)
    for (const [name, source] of entries) {
      const problem = problemOfHeader(name) ?? problemOfHeaderText(source)
      if (problem !== undefined) complain(below(site, name), problem, 0)
    }
    return entries
  }
}

function problemOfHeaderText(source: TextSource): string | undefined {
  const fixed = 'secret' in source ? [] : source.filter((part) => typeof part === 'string')
  return fixed.every(isPlainAscii) ? undefined : 'a header holds printable ASCII characters alone'
}

/** Reads an https URL; http is accepted for addresses that only local work can reach. */
export const url: Reader<string> = (value, site) => {
  const written = text(value, site)
  if (written === '') return ''
  const reading = readTarget(written)
  if (!reading.ok) return complain(site, reading.problem, '')
  const { origin, path, literal } = reading.target
  const isLocal =
    /^http:\/\/localhost(:|$)/.test(origin) ||
    (literal !== undefined && refusalOfAddress(literal, []) !== undefined)
  if (origin.startsWith('http:') && !isLocal) return complain(site, 'must begin with https://', '')
  // The parsed target does not show an empty query, so the text is checked.
  if (written.includes('?')) return complain(site, 'must carry no query', '')
  if (/[\s\p{Cc}]/u.test(written)) return complain(site, 'must have no spaces', '')
  return `${origin}${path}`
}

// ── Operations ──

const BODY_DEPTH_MAX = 20

/** Members of an operation that describe its request. */
export function requestMembers(words: Vocabulary) {
  const fields = entriesOf(textSource(words, true))
  return {
    method: needed(oneOf('GET', 'POST', 'PUT', 'PATCH', 'DELETE'), 'POST'),
    path: needed(pathTemplate(words), []),
    query: optional(fields, []),
    headers: optional(headers(words), []),
    body: optional(bodyTemplate(words, BODY_DEPTH_MAX), { constant: null }),
    form: optional(fields, []),
  }
}

/** Makes the request of what its members say. */
export function requestOf(found: Found<ReturnType<typeof requestMembers>>, seen: Seen): OperationRequest {
  const { method, path, query, headers: sent } = found
  const body = bodyOf(found, seen)
  if (method === 'GET' && body.kind !== 'none') {
    complain(below(seen.site, body.kind === 'json' ? 'body' : 'form'), 'a GET request has no body', 0)
  }
  return { method, path, query, headers: sent, body }
}

function bodyOf(
  { body, form }: Found<ReturnType<typeof requestMembers>>,
  { site, has }: Seen,
): OperationRequest['body'] {
  if (has('body') && has('form')) complain(below(site, 'form'), 'there is a body already', 0)
  if (has('form')) return { kind: 'form', fields: form }
  return has('body') ? { kind: 'json', template: body } : { kind: 'none' }
}
/** Reads a path whose segments are fixed, or values that cannot leave their segment: they are encoded when written. */
function pathTemplate(words: Vocabulary): Reader<Template> {
  const readText = template(words)
  return (value, site) => {
    const parts = readText(value, site)
    if (typeof value !== 'string' || parts.length === 0) return parts
    const fixed = value.replace(/\{\{[^{}]*\}\}/g, 'x')
    if (!fixed.startsWith('/') || fixed.startsWith('//')) {
      return complain(site, 'must begin with one slash: it lies below base_url', [])
    }
    if (/[?#\\]/.test(fixed)) return complain(site, 'must have no ?, # or \\; parameters go to "query"', [])
    // The URL parser also takes %2e for a dot.
    if (/\/(\.|%2e){1,2}(\/|$)/i.test(fixed)) return complain(site, 'must not leave base_url', [])
    // A path that the URL parser writes differently would be refused with each order.
    const isWritten = new URL(`https://host.example${fixed}`).pathname === fixed
    if (!isWritten || !/^[\x21-\x7e]*$/.test(fixed)) return complain(site, 'must be percent-encoded', [])
    return parts
  }
}

function bodyTemplate(words: Vocabulary, depthLeft: number): Reader<BodyTemplate> {
  return (value, site) => {
    if (depthLeft === 0) return complain(site, `is nested deeper than ${BODY_DEPTH_MAX}`, { constant: null })
    if (typeof value === 'string') return template(words, true)(value, site)
    if (value === null || typeof value === 'boolean' || typeof value === 'number') return { constant: value }
    if (isSecretReference(value)) return secret(value, site)
    const inner = bodyTemplate(words, depthLeft - 1)
    if (Array.isArray(value)) return { list: value.map((item, at) => inner(item, below(site, String(at)))) }
    return { members: entriesOf(inner)(value, site) }
  }
}

// ── Signatures ──

const SIGNATURE: Template = [{ name: 'signature', filters: [], whenEmpty: 'text', isNumber: false }]

const named = (parts: Template, ...names: readonly string[]) =>
  parts.some((part) => typeof part !== 'string' && names.includes(part.name))

/** Filters that keep different texts different. */
const LOSSLESS_FILTERS: ReadonlySet<string> = new Set(['base64', 'urlencode'])
/** Filters that keep different references different: our references are a W, digits and a dash. */
const FAITHFUL_TO_REFERENCES: ReadonlySet<string> = new Set([
  ...LOSSLESS_FILTERS,
  'upper',
  'lower',
  'with_prefix',
  'without_prefix',
])

/** Tells whether the template holds the value with nothing of it lost. */
export function containsUnaltered(parts: Template, name: string): boolean {
  const faithful = name === 'reference' ? FAITHFUL_TO_REFERENCES : LOSSLESS_FILTERS
  return parts.some(
    (part) =>
      typeof part !== 'string' && part.name === name && part.filters.every((each) => faithful.has(each.name)),
  )
}

function signedPayload(words: Vocabulary): Reader<Template> {
  return (value, site) => {
    const parts = template(words)(value, site)
    if (parts.length === 0 || named(parts, 'body', 'body_sha256', 'query', 'target')) return parts
    return complain(site, 'must hold the content that it proves: body, body_sha256, query or target', parts)
  }
}

const signatureValue: Reader<Template> = (value, site) => {
  const parts = template({ signature: 'text' })(value, site)
  if (parts.length === 0 || named(parts, 'signature')) return parts
  return complain(site, 'must hold {{signature}}', parts)
}

// ── Authentication ──

/** Stands for a secret whose name is wrong. */
export const NO_SECRET: SecretReference = { secret: '' }

export const timestampForm = oneOf('unix', 'unix_ms', 'iso')
export type TimestampForm = ReturnType<typeof timestampForm>

const type = <const T extends string>(name: T) => needed(oneOf(name), name)

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
  }),
}

export const auth = byType(AUTH, 'none')
export type Auth = ReturnType<typeof auth>

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

/** Members of a signature; a request and a callback have different words to sign. */
export function hmacMembers(words: Vocabulary) {
  return {
    secret: needed(secret, NO_SECRET),
    algorithm: optional(oneOf('sha256', 'sha512'), 'sha256'),
    encoding: optional(oneOf('hex', 'hex_upper', 'base64', 'base64url'), 'hex'),
    payload: needed(signedPayload(words), []),
    header: needed(headerName, ''),
    value: optional(signatureValue, SIGNATURE),
  }
}

export type Hmac = Found<ReturnType<typeof hmacMembers>>
