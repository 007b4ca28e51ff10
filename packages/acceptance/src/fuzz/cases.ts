import type { Random } from '../faults/random.ts'
import type { Operation, Parameter } from './documents.ts'
import { HOSTILE_NAMES, hostileText } from './hostile.ts'
import { bytesOf, mutateBytes, mutateJson } from './mutations.ts'
import type { PathValues } from './pool.ts'
import { copyJson, isObject } from './raw-json.ts'
import { validValue } from './values.ts'

// Requests of an operation, made from its document: valid ones, ones with a single mistake, and hostile ones.

export type Kind = 'valid' | 'near' | 'hostile'

export type FuzzCase = {
  readonly operation: string
  readonly kind: Kind
  /** Describes the mistake. */
  readonly note: string
  readonly method: string
  /** Values of the path, encoded; null: one that exists when the request is sent. */
  readonly path: Readonly<Record<string, string | null>>
  /** Query without `?`, as sent. */
  readonly query: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Buffer | undefined
}

/** Values that a request takes from the world instead of from the document. */
export type Facts = {
  /** Values of path parameters that exist and belong together. */
  path(operation: Operation): PathValues
  /** Returns the value of a member or parameter of this name; undefined leaves the document's example. */
  value(operation: Operation, name: string, given: unknown): unknown
  /** Valid request, where a step before it has made one. */
  readonly prepared?: PreparedRequest | undefined
}

/** Parts of a valid request; the others are taken from the document. */
export type PreparedRequest = {
  readonly path?: PathValues
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

type Draft = { -readonly [Name in keyof FuzzCase]: FuzzCase[Name] }

export function makeCase(random: Random, operation: Operation, kind: Kind, facts: Facts): FuzzCase {
  const draft = validDraft(random, operation, facts)
  draft.kind = kind
  if (kind === 'valid') return draft
  draft.note = kind === 'near' ? spoil(random, operation, draft) : attack(random, operation, draft)
  return draft
}

function validDraft(random: Random, operation: Operation, facts: Facts): Draft {
  const body = validBody(random, operation, facts)
  return {
    operation: operation.id,
    kind: 'valid',
    note: '',
    method: operation.method,
    path: validPath(random, operation, facts),
    query: validQuery(random, operation, facts),
    headers: [
      ...(body === undefined || operation.body === undefined
        ? []
        : [['Content-Type', operation.body.type] as const]),
      ...validHeaders(random, operation),
      ...Object.entries(facts.prepared?.headers ?? {}),
    ],
    body,
  }
}

// ── Valid ──

function validPath(random: Random, operation: Operation, facts: Facts): FuzzCase['path'] {
  const known = facts.path(operation)
  const parameters = operation.parameters.filter((each) => each.in === 'path')
  return Object.fromEntries(
    parameters.map((each) => {
      const isListed = each.schema.enum !== undefined
      const found = isListed ? random.pick(each.schema.enum ?? []) : known[each.name]
      const value = facts.prepared?.path?.[each.name] ?? found
      return [each.name, encode(String(value ?? parameterValue(random, operation, each)))]
    }),
  )
}

function parameterValue(random: Random, { api }: Operation, { schema, example }: Parameter): unknown {
  const takesExample = example !== undefined && random.chance(0.85)
  return takesExample ? example : validValue(random, api, schema)
}

function validQuery(random: Random, operation: Operation, facts: Facts): string {
  const given = facts.prepared?.query
  if (given !== undefined) {
    return Object.entries(given)
      .map(([name, value]) => pair(name, value))
      .join('&')
  }
  return operation.parameters
    .filter((each) => each.in === 'query' && (each.required || random.chance(0.3)))
    .map((each) => {
      const made = parameterValue(random, operation, each)
      return pair(each.name, facts.value(operation, each.name, made) ?? made)
    })
    .join('&')
}

function validHeaders(random: Random, operation: Operation): [string, string][] {
  return operation.parameters
    .filter((each) => each.in === 'header' && random.chance(0.3))
    .map((each) => [each.name, headerText(String(parameterValue(random, operation, each)))])
}

function validBody(random: Random, operation: Operation, facts: Facts): Buffer | undefined {
  const { body, api } = operation
  if (body === undefined) return undefined
  if (facts.prepared?.body !== undefined) return bytesOf(facts.prepared.body)
  const takesExample = body.example !== undefined && random.chance(0.75)
  const value = takesExample ? copyJson(body.example) : validValue(random, api, body.schema)
  if (body.type !== 'application/json') return Buffer.from(String(value))
  return bytesOf(withFacts(operation, value, facts))
}

/** Replaces the values of which the world knows better ones. */
function withFacts(operation: Operation, value: unknown, facts: Facts): unknown {
  if (Array.isArray(value)) return value.map((each) => withFacts(operation, each, facts))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, given]) => {
      const known = facts.value(operation, name, given)
      if (known === LEFT_OUT) return []
      return [[name, known === undefined ? withFacts(operation, given, facts) : known]]
    }),
  )
}

/** Fact that a member of the example is better left out. */
export const LEFT_OUT = Symbol('left out')

// ── One mistake ──

function spoil(random: Random, operation: Operation, draft: Draft): string {
  const has = (place: Parameter['in']) => operation.parameters.some((each) => each.in === place)
  return random.weighted<() => string>([
    [operation.body === undefined ? 0 : 6, () => spoilBody(random, operation, draft)],
    [operation.body === undefined ? 0 : 1.5, () => spoilType(random, draft)],
    [has('query') ? 4 : 0.5, () => spoilQuery(random, operation, draft, false)],
    [has('path') ? 2 : 0, () => spoilPath(random, operation, draft)],
    [0.5, () => spoilHeader(random, draft)],
    [0.3, () => addBody(random, draft)],
  ])()
}

function spoilBody(random: Random, operation: Operation, draft: Draft): string {
  const { body, api } = operation
  const bytes = draft.body ?? Buffer.alloc(0)
  if (body?.type === 'application/json' && random.chance(0.75)) {
    const { value, note } = mutateJson(random, api, JSON.parse(bytes.toString()), body.schema)
    draft.body = bytesOf(value)
    return note
  }
  const changed = mutateBytes(random, bytes)
  draft.body = changed.bytes
  return changed.note
}

const TYPES = [
  'text/plain',
  'application/json; charset=utf-16',
  'application/json; charset=latin1',
  'application/vnd.api+json',
  'multipart/form-data; boundary=x',
  'application/x-www-form-urlencoded',
  'text/csv',
  'application/xml',
  '*/*',
  ';',
  '',
]

function spoilType(random: Random, draft: Draft): string {
  const type = random.pick(TYPES)
  const others = draft.headers.filter(([name]) => name !== 'Content-Type')
  draft.headers = type === '' ? others : [...others, ['Content-Type', type]]
  return `content type ${type}`
}

const QUERY_TEXTS = [
  '%',
  '%zz',
  '%00',
  '%ff',
  '%C0%AF',
  '%ED%A0%80',
  '+',
  '%2B',
  '%26',
  '%3D',
  ';',
  '=',
  '&&',
  '#',
]

function spoilQuery(random: Random, operation: Operation, draft: Draft, isHostile: boolean): string {
  const names = operation.parameters.filter((each) => each.in === 'query').map(({ name }) => name)
  const name = names.length > 0 && random.chance(0.85) ? random.pick(names) : random.pick(HOSTILE_NAMES)
  const rest = draft.query.split('&').filter((each) => each !== '' && !each.startsWith(`${name}=`))
  const schema = operation.parameters.find((each) => each.name === name)?.schema
  const own = random.weighted<() => string[]>([
    [4, () => [pair(name, hostileText(random))]],
    [2, () => [`${encode(name)}=${random.pick(QUERY_TEXTS)}`]],
    [1, () => [pair(name, 'a'), pair(name, 'b')]],
    [1, () => [pair(`${name}[]`, 'a'), pair(`${name}[a]`, 'b')]],
    [1, () => [encode(name)]],
    [1, () => []],
    [schema?.maximum === undefined ? 0 : 2, () => [pair(name, (schema?.maximum ?? 0) + 1)]],
    [schema?.minimum === undefined ? 0 : 2, () => [pair(name, (schema?.minimum ?? 0) - 1)]],
    [schema?.maxLength === undefined ? 0 : 2, () => [pair(name, 'a'.repeat((schema?.maxLength ?? 0) + 1))]],
    [isHostile ? 1 : 0, () => [pair(name, 'x'.repeat(12_000))]],
    [isHostile ? 1 : 0, () => Array.from({ length: 1_000 }, (_, index) => `a${index}=`)],
  ])()
  draft.query = [...rest, ...own].join('&').slice(0, 14_000)
  return `query ${name}`
}

function spoilPath(random: Random, operation: Operation, draft: Draft): string {
  const { name } = random.pick(operation.parameters.filter((each) => each.in === 'path'))
  const value = random.weighted<() => string>([
    [4, () => encode(hostileText(random)).slice(0, 2_000)],
    [3, () => random.pick(PATH_TEXTS)],
  ])()
  draft.path = { ...draft.path, [name]: value === '' ? '%20' : value }
  return `path ${name}`
}

const PATH_TEXTS = [
  '..',
  '.',
  '..%2f..%2f..%2fetc%2fpasswd',
  '%2e%2e%2f',
  '%252e%252e',
  '%00',
  '%ff',
  '%C0%AE',
  '%',
  '%zz',
  'a%2Fb',
  'a;b=c',
  'a%3Fb',
  '0',
  '-1',
  '999999999999',
  '9223372036854775807',
  '9223372036854775808',
  'C-2026-999999999999999999',
  '0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b',
  'a'.repeat(200),
  'a'.repeat(201),
  '%F0%9F%8D%9C'.repeat(60),
]

const HEADERS: readonly (readonly [string, readonly string[]])[] = [
  ['Accept', ['text/html', '', '*/*;q=9', 'application/xml', ', ,,']],
  ['Accept-Encoding', ['gzip, br', 'identity;q=0', 'zstd', '*;q=0']],
  ['Accept-Language', ['ms', '*', 'x'.repeat(3_000)]],
  ['If-None-Match', ['*', '"x"', 'W/""', '"'.repeat(500)]],
  ['If-Modified-Since', ['yesterday', 'Thu, 01 Jan 1970 00:00:00 GMT']],
  ['Range', ['bytes=0-0', 'bytes=-1', 'bytes=9999999-', 'lines=1-2']],
  ['Last-Event-ID', ['-1', '99999999999999999999', 'a', '\xff']],
  ['X-API-Version', ['2024-01-01', '0000-00-00', '9999-99-99', "2024-01-01' --", '', '\xff']],
  ['X-Forwarded-For', ['', 'unknown', '1.2.3.4, , 5.6.7.8', '::ffff:1.2.3.4', '[::1]:80', ','.repeat(2_000)]],
  ['Content-Encoding', ['gzip', 'br', 'identity', 'nonsense']],
  ['Expect', ['nonsense']],
  ['Origin', ['null', 'https://evil.example', 'x']],
  ['Cookie', ['', ';;;=;', 'warung_member=', `warung_operator=${'x'.repeat(4_000)}`, '__proto__=1']],
  [
    'Authorization',
    ['Bearer', 'Bearer ', 'Basic YTpi', `Bearer ${'x'.repeat(6_000)}`, 'Bearer e30.e30.e30', 'Bearer ct_x'],
  ],
  ['X-Api-Key', ['', 'x', 'x'.repeat(4_000), '\xff']],
  ['X-Timestamp', ['', '0', '-1', '1e9', '99999999999999999999', 'now']],
  ['X-Nonce', ['', 'x', 'x'.repeat(200), '\xff'.repeat(20), "a'b".repeat(6)]],
  ['X-Signature', ['', 'v1=', 'v2=abc', `v1=${'A'.repeat(3_000)}`, 'v1=\xff', 'v1=%00']],
  ['X-CSRF-Token', ['', 'x', 'x'.repeat(4_000), '\xff']],
  ['X-HTTP-Method-Override', ['DELETE']],
  ['traceparent', ['00-0-0-0', `00-${'f'.repeat(32)}-${'f'.repeat(16)}-ff`, 'x']],
]

function spoilHeader(random: Random, draft: Draft): string {
  const [name, values] = random.pick(HEADERS)
  draft.headers = [...draft.headers, [name, random.pick(values)]]
  return `header ${name}`
}

/** Adds a body to a request that needs none. */
function addBody(random: Random, draft: Draft): string {
  draft.body = random.pick([
    Buffer.from('{'),
    Buffer.from('{"a":1}'),
    Buffer.alloc(70_000, 'x'),
    Buffer.from('\0'),
  ])
  return 'a body'
}

// ── Hostile ──

function attack(random: Random, operation: Operation, draft: Draft): string {
  return random.weighted<() => string>([
    [operation.body === undefined ? 0 : 4, () => attackBody(random, operation, draft)],
    [2, () => spoilQuery(random, operation, draft, true)],
    [Object.keys(draft.path).length === 0 ? 0 : 3, () => spoilPath(random, operation, draft)],
    [3, () => spoilHeader(random, draft)],
    [1, () => spoilMethod(random, draft)],
    [operation.body === undefined ? 0 : 0.4, () => overfill(operation, draft)],
  ])()
}

/** Changes several places of a body at once. */
function attackBody(random: Random, operation: Operation, draft: Draft): string {
  const notes = [spoilBody(random, operation, draft)]
  for (let more = random.between(0, 3); more > 0; more -= 1) {
    try {
      notes.push(spoilBody(random, operation, draft))
    } catch {
      // The first change left no JSON.
      break
    }
  }
  return notes.join(', ')
}

function spoilMethod(random: Random, draft: Draft): string {
  draft.method = random.pick(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'SEARCH'])
  return `method ${draft.method}`
}

const OVERFILL_MAX = 1_100_000

/** Makes a body larger than the operation reads, where that is not too many bytes to send. */
function overfill({ body }: Operation, draft: Draft): string {
  const size = Math.min((body?.bytesMax ?? 0) + 1, OVERFILL_MAX)
  draft.body = Buffer.concat([Buffer.from('{"a":"'), Buffer.alloc(size, 'x'), Buffer.from('"}')])
  return 'a large body'
}

// ── Spelling ──

function pair(name: string, value: unknown): string {
  return `${encode(name)}=${encode(String(value))}`
}

/** Encodes any text for an address, also text that is no valid Unicode. */
export function encode(text: string): string {
  return [...Buffer.from(text, 'utf8')]
    .map((byte) => (/[\w.~-]/.test(String.fromCharCode(byte)) ? String.fromCharCode(byte) : percent(byte)))
    .join('')
}

function percent(byte: number): string {
  return `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
}

function headerText(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?')
}
