import { isPlainAscii } from '../../../lib/input/fields.ts'
import { readTarget, refusalOfAddress } from '../../../outbound/targets.rules.ts'
import type { Members, Reader, Site } from './reading.rules.ts'
import { below, complain, entriesOf, isObject, oneOf, readMembers, text } from './reading.rules.ts'
import { readTemplate } from './template.rules.ts'
import type {
  Auth,
  BodyTemplate,
  Hmac,
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

export const REQUEST_MEMBERS = ['method', 'path', 'query', 'headers', 'body', 'form'] as const

const BODY_DEPTH_MAX = 20

/** Reads the members of an operation that describe its request; the caller reads the others. */
export function readRequest(members: Members, words: Vocabulary): OperationRequest {
  const { site } = members
  const method =
    members.required('method', oneOf('GET', 'POST', 'PUT', 'PATCH', 'DELETE')) ?? ('POST' as const)
  const body = readBody(members, words)
  if (method === 'GET' && body.kind !== 'none') {
    complain(below(site, body.kind === 'json' ? 'body' : 'form'), 'a GET request has no body', 0)
  }
  return {
    method,
    path: members.required('path', pathTemplate(words)) ?? [],
    query: members.optional('query', entriesOf(textSource(words, true)), []),
    headers: members.optional('headers', headers(words), []),
    body,
  }
}

function readBody(members: Members, words: Vocabulary): OperationRequest['body'] {
  if (members.has('body') && members.has('form')) {
    complain(below(members.site, 'form'), 'there is a body already', 0)
  }
  if (members.has('form')) {
    return { kind: 'form', fields: members.optional('form', entriesOf(textSource(words, true)), []) }
  }
  if (!members.has('body')) return { kind: 'none' }
  const read = bodyTemplate(words, BODY_DEPTH_MAX)
  return { kind: 'json', template: members.optional('body', read, { constant: null }) }
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

// ── Authentication ──

const AUTH_TYPES = ['none', 'basic', 'bearer', 'hmac', 'oauth2_client_credentials'] as const

export const auth: Reader<Auth> = (value, site) => {
  const none: Auth = { type: 'none' }
  if (!isObject(value)) return complain(site, 'must be an object', none)
  const type = oneOf(...AUTH_TYPES)(value.type, below(site, 'type'))
  const members = <T extends Auth>(known: readonly string[], read: (found: Members) => T) =>
    readMembers<Auth>(value, site, ['type', ...known], read, none)
  switch (type) {
    case 'none':
      return members([], () => none)
    case 'basic':
      return members(['username', 'password'], (found) => ({
        type,
        username: found.required('username', textOrSecret) ?? '',
        password: found.required('password', secret) ?? { secret: '' },
      }))
    case 'bearer':
      return members(['token'], (found) => ({
        type,
        token: found.required('token', secret) ?? { secret: '' },
      }))
    case 'hmac':
      return members([...HMAC_MEMBERS, 'timestamp', 'nonce_header'], (found) => ({
        type,
        ...readHmac(found, SIGNED_WORDS),
        timestamp: found.optional('timestamp', requestTimestamp, { header: null, form: 'unix' }),
        nonceHeader: found.optional<string | null>('nonce_header', headerName, null),
      }))
    case 'oauth2_client_credentials':
      return members(['token_url', 'client_id', 'client_secret', 'scope', 'client_auth'], (found) => ({
        type,
        tokenUrl: found.required('token_url', url) ?? '',
        clientId: found.required('client_id', textOrSecret) ?? '',
        clientSecret: found.required('client_secret', secret) ?? { secret: '' },
        scope: found.optional<string | null>('scope', text, null),
        clientAuth: found.optional('client_auth', oneOf('basic', 'body'), 'basic'),
      }))
  }
}

export const HMAC_MEMBERS = ['secret', 'algorithm', 'encoding', 'payload', 'header', 'value'] as const
const SIGNATURE: Template = [{ name: 'signature', filters: [], whenEmpty: 'text', isNumber: false }]

export function readHmac(members: Members, words: Vocabulary): Hmac {
  return {
    secret: members.required('secret', secret) ?? { secret: '' },
    algorithm: members.optional('algorithm', oneOf('sha256', 'sha512'), 'sha256'),
    encoding: members.optional('encoding', oneOf('hex', 'hex_upper', 'base64', 'base64url'), 'hex'),
    payload: members.required('payload', signedPayload(words)) ?? [],
    header: members.required('header', headerName) ?? '',
    value: members.optional('value', signatureValue, SIGNATURE),
  }
}

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

export const timestampForm = oneOf('unix', 'unix_ms', 'iso')

type RequestTimestamp = Extract<Auth, { type: 'hmac' }>['timestamp']

function requestTimestamp(value: unknown, site: Site): RequestTimestamp {
  const standIn: RequestTimestamp = { header: null, form: 'unix' }
  return readMembers<RequestTimestamp>(
    value,
    site,
    ['header', 'form'],
    (members) => ({
      header: members.optional<string | null>('header', headerName, null),
      form: members.optional('form', timestampForm, 'unix'),
    }),
    standIn,
  )
}
