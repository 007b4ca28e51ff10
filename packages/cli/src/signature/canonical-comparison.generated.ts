// Generated from packages/server/src/modules/auth/signing/canonical-comparison.rules.ts by npm run sdk-api. Do not edit.
import { hash } from 'node:crypto'
import { isHexDigest, tryFormDecode } from './forms.ts'

// Compares the canonical string that the service built with the one that a client built, and names the usual mistake.
// It knows no request, no key and no database, so that a client's own tools can use it as it is.

/** Mistakes that clients usually make when they build the canonical string, in words that help. */
export const MISTAKES = {
  // ── The text as a whole ──
  signed_otherwise:
    'The text is right. Then the secret or the signature is not: decode the secret from Base64 and use its bytes as the ' +
    'key, use the secret of this key, and send "v1=" and the Base64 of the 32 bytes of the HMAC.',
  nothing_given: 'Nothing was given. Print the text right before it is signed, and paste it.',
  byte_order_mark: 'The text begins with a byte order mark. Build it in memory as UTF-8 without one.',
  trailing_newline: 'The text ends with a line break. Nothing follows the body hash.',
  surrounding_space: 'There are spaces around the text. It has none.',
  quoted: 'The text is in quotation marks. Sign it without them.',
  newline_separators: 'The parts are separated by line breaks. Separate them by colons.',
  other_separator: 'The parts are not separated by colons. Write one colon between two parts.',
  parts_in_other_order:
    'The parts are in another order. It is v1, timestamp, nonce, METHOD, query, body hash.',
  parts_missing: 'The text does not have the six parts v1, timestamp, nonce, METHOD, query and body hash.',
  version_missing: 'The text does not begin with "v1:". The version is its first part.',
  version_spelling: 'The version is "v1", in a small letter and without spaces.',
  empty_query_left_out:
    'The empty query was left out together with its colon. Without parameters the part is empty: METHOD::bodyHash.',

  // ── Timestamp and nonce ──
  timestamp_in_milliseconds:
    'The timestamp is not in seconds. Divide milliseconds by 1,000 and leave out the rest.',
  timestamp_with_fraction: 'The timestamp has a fraction. Send and sign whole seconds.',
  timestamp_as_date: 'The timestamp is a date. It is the Unix time in whole seconds, in digits alone.',
  timestamp_of_another_moment:
    'The timestamp is another one than was sent. Take it once, and use it for the header and for the text.',
  nonce_case: 'The nonce is spelt otherwise than in the header. Use the very same text in both.',
  nonce_of_another_call:
    'The nonce is another one than was sent. Make it once, for the header and for the text.',

  // ── Method ──
  method_in_lower_case: 'The method is not in capitals. Write GET, POST, PUT, PATCH or DELETE.',
  other_method:
    'The method is another one than the request had. A redirect or a library may have changed it.',

  // ── Query ──
  query_missing:
    'The query is missing. Everything after the question mark belongs to the text, sorted by name.',
  query_with_question_mark: 'The query begins with its question mark. Leave the question mark out.',
  path_included: 'The path stands in the text. Only the query belongs there, without the path.',
  host_included:
    'The address stands in the text. Only the query belongs there, without scheme, host and path.',
  query_with_fragment: 'The query holds a "#". The part after it is never sent; leave it out.',
  query_not_sorted: 'The parameters are not sorted. Sort them by name, by code point.',
  query_with_loose_ends: 'The query ends with "&". Join the parameters with "&", and end with the last one.',
  query_empty_values: 'Parameters without a value are in the text. Leave them out, there and in the address.',
  query_hex_case: 'The percent escapes are in small letters. Use the query as it is sent: %3A and not %3a.',
  query_encoded_otherwise:
    'The values are encoded in another way than they were sent. Take the query from the finished address.',
  query_encoded_twice: 'The values are encoded twice (%25 is a percent sign). Encode each value once.',
  query_other_values:
    'A parameter has another value than was sent. Take the query from the finished address.',
  query_other_parameters:
    'The parameters are others than were sent. Take the query from the finished address.',

  // ── Body hash ──
  body_hash_missing: 'The body hash is missing. Without a body it is the hash of nothing, and not nothing.',
  body_hash_in_hex: 'The body hash is in hexadecimal. Write its 32 bytes in Base64.',
  body_hash_in_capital_hex: 'The body hash is in hexadecimal, in capitals. Write its 32 bytes in Base64.',
  body_hash_without_padding: 'The body hash lacks the "=" at its end. Write ordinary Base64 with padding.',
  body_hash_url_safe: 'The body hash is in URL-safe Base64. Write ordinary Base64, with + and / and =.',
  body_hash_of_hex: 'The hexadecimal form of the hash was written in Base64. Encode the 32 bytes themselves.',
  body_hash_of_nothing: 'It is the hash of an empty body, and a body was sent. Hash the bytes that are sent.',
  body_hash_of_empty_value:
    'A value such as {} was hashed, and no body was sent. Hash no bytes at all when nothing is sent.',
  body_hash_other_algorithm: 'The length is that of another algorithm. The body hash is SHA-256 in Base64.',
  body_instead_of_hash: 'The body itself stands in the text. Write the Base64 of its SHA-256 instead.',
  body_not_received:
    'A body was hashed that did not arrive. GET and DELETE send none; look at what your client sends.',
  body_hash_of_other_bytes:
    'The hash is of other bytes than arrived. Usually JSON was serialised once for the hash and once more for sending, ' +
    'with other spaces, order or escapes: make the text once, hash its bytes, and send those.',
} as const satisfies Readonly<Record<string, string>>

export type MistakeCode = keyof typeof MISTAKES

export const MISTAKE_CODES = Object.keys(MISTAKES) as readonly MistakeCode[]

export const CANONICAL_PARTS = ['version', 'timestamp', 'nonce', 'method', 'query', 'body_hash'] as const
export type CanonicalPart = (typeof CANONICAL_PARTS)[number]

export type Parts = Readonly<Record<CanonicalPart, string>>

export type Difference = {
  readonly part: CanonicalPart
  /** Place in the client's text, both from 1. */
  readonly line: number
  readonly column: number
  /** The part as each side has it; null: the client's text does not have the six parts. */
  readonly ours: string
  readonly yours: string | null
}

export type Comparison = {
  /** First place where the texts differ; null: they are equal. */
  readonly difference: Difference | null
  /** Usual mistake; null: it is none of the known ones. */
  readonly mistake: MistakeCode | null
}

/** Cuts a canonical string into its parts. The query may hold colons; no other part does. */
export function partsOf(text: string): Parts | undefined {
  const match = /^([^:]*):([^:]*):([^:]*):([^:]*):([\s\S]*):([^:]*)$/.exec(text)
  if (match === null) return undefined
  const [, version = '', timestamp = '', nonce = '', method = '', query = '', bodyHash = ''] = match
  return { version, timestamp, nonce, method, query, body_hash: bodyHash }
}

/** Compares the texts. `ours` is whole; `yours` may be anything. */
export function compareCanonical(ours: string, yours: string): Comparison {
  const right = partsOf(ours)
  if (right === undefined) throw new Error('the canonical string of the service has six parts')
  if (ours === yours) return { difference: null, mistake: 'signed_otherwise' }
  const given = partsOf(yours)
  const difference = differenceOf(ours, right, yours, given)
  const structural = structuralMistake(ours, right, yours)
  if (structural !== undefined) return { difference, mistake: structural }
  if (given === undefined) return { difference, mistake: 'parts_missing' }
  const part = CANONICAL_PARTS.find((each) => right[each] !== given[each]) ?? 'query'
  return { difference: { ...difference, part }, mistake: MISTAKE_IN[part](right, given) ?? null }
}

// ── The place ──

function differenceOf(ours: string, right: Parts, yours: string, given: Parts | undefined): Difference {
  let at = 0
  while (at < ours.length && at < yours.length && ours[at] === yours[at]) at += 1
  const before = yours.slice(0, at)
  const lines = before.split('\n')
  const part = partAt(right, at)
  return {
    part,
    line: lines.length,
    column: (lines.at(-1)?.length ?? 0) + 1,
    ours: right[part],
    yours: given?.[part] ?? null,
  }
}

/** Part of our text that holds the position, or that ends there. */
function partAt(right: Parts, position: number): CanonicalPart {
  let end = 0
  for (const part of CANONICAL_PARTS) {
    end += right[part].length
    if (position <= end) return part
    end += 1
  }
  return 'body_hash'
}

// ── Mistakes in the text as a whole ──

function structuralMistake(ours: string, right: Parts, yours: string): MistakeCode | undefined {
  if (yours === '') return 'nothing_given'
  if (yours.startsWith('\uFEFF')) return 'byte_order_mark'
  if (/[\r\n]$/.test(yours) && yours.replace(/[\r\n]+$/, '') === ours) return 'trailing_newline'
  if (yours.trim() === ours) return 'surrounding_space'
  if (/^(["'])[\s\S]*\1$/.test(yours) && yours.slice(1, -1) === ours) return 'quoted'
  const values = CANONICAL_PARTS.map((part) => right[part])
  if (/[\r\n]/.test(yours) && yours.split(/\r?\n/).join(':') === ours) return 'newline_separators'
  if (['|', '.', ',', ';', '&', ' ', '\\n', ''].some((mark) => values.join(mark) === yours)) {
    return 'other_separator'
  }
  if (`v1:${yours}` === ours) return 'version_missing'
  if (right.query === '' && yours === values.filter((_, index) => index !== 4).join(':')) {
    return 'empty_query_left_out'
  }
  if (isReordered(values, yours)) return 'parts_in_other_order'
  return mistakeThatBreaksParts(right, yours)
}

function isReordered(values: readonly string[], yours: string): boolean {
  const sorted = (parts: readonly string[]) => [...parts].sort().join('\n')
  const given = yours.split(':')
  return given.length === values.length && sorted(given) === sorted(values)
}

/** Finds mistakes that bring colons of their own, so that the parts cannot be told apart. */
function mistakeThatBreaksParts(right: Parts, yours: string): MistakeCode | undefined {
  const upTo = (...parts: readonly CanonicalPart[]) => parts.map((part) => `${right[part]}:`).join('')
  const restAfter = (start: string) => (yours.startsWith(start) ? yours.slice(start.length) : undefined)
  if (/^v1:\d{4}-\d\d-\d\dT/.test(yours)) return 'timestamp_as_date'
  const atQuery = restAfter(upTo('version', 'timestamp', 'nonce', 'method'))
  if (atQuery !== undefined && /^https?:\/\//i.test(atQuery)) return 'host_included'
  const atHash = restAfter(upTo('version', 'timestamp', 'nonce', 'method', 'query'))
  return atHash !== undefined && /^\s*[{[]/.test(atHash) ? 'body_instead_of_hash' : undefined
}

// ── Mistakes in one part ──

type Judge = (right: Parts, given: Parts) => MistakeCode | undefined

const MISTAKE_IN: Readonly<Record<CanonicalPart, Judge>> = {
  version: (_, { version }) => (/^v1$/i.test(version.trim()) ? 'version_spelling' : 'version_missing'),
  timestamp: (right, given) => timestampMistake(right.timestamp, given.timestamp),
  nonce: (right, given) => nonceMistake(right.nonce, given.nonce),
  method: ({ method }, given) =>
    given.method.trim().toUpperCase() === method ? 'method_in_lower_case' : 'other_method',
  query: (right, given) => queryMistake(right.query, given.query),
  body_hash: (right, given) => hashMistake(right.body_hash, given.body_hash),
}

function timestampMistake(right: string, given: string): MistakeCode {
  if (/^\d+\.\d+$/.test(given)) return 'timestamp_with_fraction'
  if (/^\d{13}$/.test(given)) return 'timestamp_in_milliseconds'
  if (/^\d{16}$|^\d{19}$/.test(given)) return 'timestamp_in_milliseconds'
  if (given === '' || /\D/.test(given)) return 'timestamp_as_date'
  return given.length === right.length ? 'timestamp_of_another_moment' : 'timestamp_in_milliseconds'
}

function nonceMistake(right: string, given: string): MistakeCode {
  if (given.toLowerCase() === right.toLowerCase()) return 'nonce_case'
  return given.replaceAll('-', '') === right.replaceAll('-', '') ? 'nonce_case' : 'nonce_of_another_call'
}

function queryMistake(right: string, given: string): MistakeCode | undefined {
  if (given === '') return 'query_missing'
  if (given.startsWith('?')) return 'query_with_question_mark'
  if (given.startsWith('/')) return 'path_included'
  if (/^[\w.-]+\.[a-z]{2,}(:\d+)?(\/|$)/i.test(given)) return 'host_included'
  if (given.includes('#')) return 'query_with_fragment'
  const [ours, yours] = [pairsOf(right), pairsOf(given)]
  const isSame = (a: readonly string[], b: readonly string[]) => sortedText(a) === sortedText(b)
  if (isSame(ours, yours)) return given.endsWith('&') ? 'query_with_loose_ends' : 'query_not_sorted'
  if (isSame(ours, yours.filter(hasValue))) return 'query_empty_values'
  const upper = (pairs: readonly string[]) => pairs.map(upperHex)
  if (isSame(upper(ours), upper(yours))) return 'query_hex_case'
  const decoded = decodedPairs(ours)
  if (isSame(decoded, decodedPairs(decodedPairs(yours)))) {
    return isSame(decoded, decodedPairs(yours)) ? 'query_encoded_otherwise' : 'query_encoded_twice'
  }
  const names = (pairs: readonly string[]) => pairs.map((pair) => pair.split('=', 1)[0] ?? '')
  return isSame(names(ours), names(yours)) ? 'query_other_values' : 'query_other_parameters'
}

function pairsOf(query: string): string[] {
  return query.split('&').filter((pair) => pair !== '')
}

function sortedText(pairs: readonly string[]): string {
  return [...pairs].sort().join('&')
}

function hasValue(pair: string): boolean {
  return pair.includes('=') && !pair.endsWith('=')
}

function upperHex(text: string): string {
  return text.replace(/%[0-9a-f]{2}/gi, (code) => code.toUpperCase())
}

function decodedPairs(pairs: readonly string[]): string[] {
  return pairs.map((pair) => tryFormDecode(pair) ?? pair)
}

const NOTHING = hash('sha256', '', 'base64')
/** Hashes of bodies that libraries make of "no body". */
const OF_EMPTY_VALUES = new Set(
  ['{}', '[]', 'null', '""', 'undefined'].map((body) => hash('sha256', body, 'base64')),
)
/** Lengths of Base64 and hexadecimal of MD5, SHA-1, SHA-384 and SHA-512. */
const OTHER_LENGTHS = new Set([24, 28, 32, 40, 64 * 2, 88, 96])

function hashMistake(right: string, given: string): MistakeCode {
  const hex = Buffer.from(right, 'base64').toString('hex')
  if (given === '') return 'body_hash_missing'
  if (given.toLowerCase() === hex) return given === hex ? 'body_hash_in_hex' : 'body_hash_in_capital_hex'
  if (isHexDigest(given.toLowerCase())) return 'body_hash_in_hex'
  const urlSafe = right.replaceAll('+', '-').replaceAll('/', '_')
  if (given === right.replace(/=+$/, '')) return 'body_hash_without_padding'
  if (given === urlSafe || given === urlSafe.replace(/=+$/, '')) return 'body_hash_url_safe'
  if (Buffer.from(given, 'base64').toString('latin1').toLowerCase() === hex) return 'body_hash_of_hex'
  if (given === NOTHING) return 'body_hash_of_nothing'
  if (right === NOTHING && OF_EMPTY_VALUES.has(given)) return 'body_hash_of_empty_value'
  if (OTHER_LENGTHS.has(given.length)) return 'body_hash_other_algorithm'
  return right === NOTHING ? 'body_not_received' : 'body_hash_of_other_bytes'
}
