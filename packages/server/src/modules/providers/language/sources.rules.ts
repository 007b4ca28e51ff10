import { isPlainAscii } from '../../../lib/input/fields.ts'
import type { Reader } from './reading.rules.ts'
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
  DigestSource,
  OperationRequest,
  SecretReference,
  Template,
  TextPart,
  TextSource,
  Vocabulary,
} from './types.ts'

// Reads the values that a request is written with: templates, secrets, and what is made of both.

export function template(words: Vocabulary, isTyped = false): Reader<Template> {
  return (value, site) => {
    if (typeof value !== 'string') return complain(site, 'must be a text', [])
    const reading = readTemplate(value, words, isTyped)
    return reading.ok ? reading.template : complain(site, reading.problem, [])
  }
}

// ── Secrets ──

/** Stands for a secret whose name is wrong. */
export const NO_SECRET: SecretReference = { secret: '' }

export const secret: Reader<SecretReference> = (value, site) => {
  if (!isSecretReference(value)) {
    const message = 'must name a secret, as { "secret": "name" }; values are given apart'
    return complain(site, message, NO_SECRET)
  }
  if (!site.secretNames.has(value.secret)) {
    return complain(site, `there is no secret "${value.secret}" among those given`, value)
  }
  return value
}

function isSecretReference(value: unknown): value is SecretReference {
  return isObject(value) && Object.keys(value).join() === 'secret' && typeof value.secret === 'string'
}

export const textOrSecret: Reader<string | SecretReference> = (value, site) =>
  isObject(value) ? secret(value, site) : text(value, site)

// ── Texts made of several parts ──

const PARTS_MAX = 20

function textParts(words: Vocabulary): Reader<readonly TextPart[]> {
  const readText = template(words)
  return (value, site) => {
    if (!Array.isArray(value) || value.length === 0 || value.length > PARTS_MAX) {
      return complain(site, `must be a list of 1 to ${PARTS_MAX} texts and secrets`, [])
    }
    return value.map((part, at) =>
      isObject(part) ? secret(part, below(site, String(at))) : readText(part, below(site, String(at))),
    )
  }
}

export const encoding = oneOf('hex', 'hex_upper', 'base64', 'base64url')

const DIGEST_NAMES = ['digest', 'of', 'encoding']

export function digest(words: Vocabulary): Reader<DigestSource> {
  return object({
    digest: needed(oneOf('md5', 'sha1', 'sha256', 'sha512'), 'sha256'),
    of: needed(textParts(words), []),
    encoding: optional(encoding, 'hex'),
  })
}

function joined(words: Vocabulary): Reader<TextSource> {
  return object({ text: needed(textParts(words), []) }, ({ text: parts }) => ({ parts }))
}

/** Returns how an object of these names makes a text; undefined for any other object. */
function madeText(value: unknown, words: Vocabulary): Reader<TextSource> | undefined {
  if (isSecretReference(value)) return secret
  if (!isObject(value)) return undefined
  const names = Object.keys(value)
  if (names.join() === 'text' && Array.isArray(value.text)) return joined(words)
  const isDigest = names.includes('of') && names.every((name) => DIGEST_NAMES.includes(name))
  return names.includes('digest') && isDigest ? digest(words) : undefined
}

/** Reads a text of a header, a parameter or a form: a template, a secret, or one made of both. */
export function textSource(words: Vocabulary, isTyped = false): Reader<TextSource> {
  const readText = template(words, isTyped)
  return (value, site) => {
    if (!isObject(value)) return readText(value, site)
    const made = madeText(value, words)
    if (made !== undefined) return made(value, site)
    return complain(
      site,
      'must be a text, { "secret": … }, { "digest": …, "of": […] } or { "text": […] }',
      [],
    )
  }
}

// ── Headers ──

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
  const fixed = templatesOf(source).flatMap((each) => each.filter((part) => typeof part === 'string'))
  return fixed.every(isPlainAscii) ? undefined : 'a header holds printable ASCII characters alone'
}

// ── Bodies ──

const BODY_DEPTH_MAX = 20

export function bodyTemplate(words: Vocabulary, depthLeft = BODY_DEPTH_MAX): Reader<BodyTemplate> {
  return (value, site) => {
    if (depthLeft === 0) return complain(site, `is nested deeper than ${BODY_DEPTH_MAX}`, { constant: null })
    if (typeof value === 'string') return template(words, true)(value, site)
    if (value === null || typeof value === 'boolean' || typeof value === 'number') return { constant: value }
    const made = madeText(value, words)
    if (made !== undefined) return { source: made(value, site) }
    const inner = bodyTemplate(words, depthLeft - 1)
    if (Array.isArray(value)) return { list: value.map((item, at) => inner(item, below(site, String(at)))) }
    return { members: entriesOf(inner)(value, site) }
  }
}

// ── Placeholders of a request ──

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
  const faithful = name.startsWith('reference') ? FAITHFUL_TO_REFERENCES : LOSSLESS_FILTERS
  return parts.some(
    (part) =>
      typeof part !== 'string' && part.name === name && part.filters.every((each) => faithful.has(each.name)),
  )
}

/** Returns the templates whose text is sent as it is; a digest hides its own. */
function sentBy(source: TextSource): Template[] {
  return 'digest' in source ? [] : templatesOf(source)
}

function templatesOf(source: TextSource): Template[] {
  if ('secret' in source) return []
  const parts = 'digest' in source ? source.of : 'parts' in source ? source.parts : [source]
  return parts.flatMap((part) => ('secret' in part ? [] : [part]))
}

function sourcesIn(body: BodyTemplate): TextSource[] {
  if ('constant' in body) return []
  if ('source' in body) return [body.source]
  if ('list' in body) return body.list.flatMap(sourcesIn)
  if ('members' in body) return body.members.flatMap(([, member]) => sourcesIn(member))
  return [body]
}

/** Returns every text that a request is written with. */
function sourcesOf({ path, query, headers: sent, body }: OperationRequest): TextSource[] {
  const fields = body.kind === 'form' ? body.fields : []
  const inBody = body.kind === 'json' ? sourcesIn(body.template) : []
  return [path, ...[...query, ...sent, ...fields].map(([, source]) => source), ...inBody]
}

/** Tells whether a request sends the value with nothing of it lost. */
export function sendsWhole(request: OperationRequest, name: string): boolean {
  return sourcesOf(request)
    .flatMap(sentBy)
    .some((each) => containsUnaltered(each, name))
}

/** Tells whether a request cannot be written without the value. One that ends in a dot is a family of values. */
export function uses(request: OperationRequest, name: string): boolean {
  const isOne = (each: string) => (name.endsWith('.') ? each.startsWith(name) : each === name)
  return sourcesOf(request)
    .flatMap(templatesOf)
    .some((each) => each.some((part) => typeof part !== 'string' && isOne(part.name)))
}
