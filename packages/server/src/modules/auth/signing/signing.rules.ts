import { hash, timingSafeEqual } from 'node:crypto'
import { parseDigits } from '../../../lib/input/fields.ts'
import { tryFormDecode } from '../../../lib/input/forms.ts'
import type { HmacKey } from '../../../lib/secrets/hmac.ts'
import { hmacSha256 } from '../../../lib/secrets/hmac.ts'

export const SIGNATURE_BYTES = 32
export const SKEW_MAX_SECONDS = 300

const NONCE = /^[A-Za-z0-9_-]{16,128}$/
// Fifteen digits also hold milliseconds and microseconds: these are timestamps too, but far from now.
const SIGNATURE_PREFIX = 'v1='
const EMPTY_BODY_HASH = hash('sha256', '', 'base64')

export function isNonce(text: string): boolean {
  return NONCE.test(text)
}

/** Seconds since 1970, or undefined when the text is not a Unix timestamp. */
export function parseTimestamp(text: string): number | undefined {
  return parseDigits(text)
}

export function isWithinSkew(timestampSeconds: number, nowMs: number): boolean {
  return Math.abs(timestampSeconds - nowMs / 1_000) <= SKEW_MAX_SECONDS
}

/**
 * Reads the 32 bytes after `v1=`, or undefined. Only canonical Base64 is accepted, so that a signature has one
 * spelling.
 */
export function parseSignature(header: string): Buffer | undefined {
  if (!header.startsWith(SIGNATURE_PREFIX)) return undefined
  const text = header.slice(SIGNATURE_PREFIX.length)
  const bytes = Buffer.from(text, 'base64')
  return bytes.length === SIGNATURE_BYTES && bytes.toString('base64') === text ? bytes : undefined
}

export function bodyHashOf(body: Buffer): string {
  return body.length === 0 ? EMPTY_BODY_HASH : hash('sha256', body, 'base64')
}

export type SignedParts = {
  readonly timestamp: string
  readonly nonce: string
  readonly method: string
  readonly rawQuery: string
  readonly body: Buffer
}

/**
 * Finds the canonical query for which `signature` is right, or undefined when there is none. The application then reads
 * its parameters from that string only, so that it cannot read anything that was not signed.
 */
export function findSignedQuery(
  parts: SignedParts,
  secret: HmacKey,
  signature: Buffer,
  received = bodyHashOf(parts.body),
): string | undefined {
  const hashes = acceptedBodyHashes(parts, received)
  for (const query of canonicalQueries(parts.rawQuery)) {
    for (const bodyHash of hashes) {
      const expected = hmacSha256(secret, canonicalString(parts, query, bodyHash))
      if (timingSafeEqual(expected, signature)) return query
    }
  }
  return undefined
}

export function canonicalString(
  parts: Pick<SignedParts, 'timestamp' | 'nonce' | 'method'>,
  query: string,
  bodyHash: string,
): string {
  return `v1:${parts.timestamp}:${parts.nonce}:${parts.method}:${query}:${bodyHash}`
}

/**
 * Hashes that are accepted for a body. GET and DELETE never parse a body, so a client that signed "no body" is right
 * too.
 */
function acceptedBodyHashes({ method, body }: SignedParts, received: string): string[] {
  const bodyless = method === 'GET' || method === 'DELETE'
  return bodyless && body.length > 0 ? [received, EMPTY_BODY_HASH] : [received]
}

type Pair = readonly [name: string, value: string]

/**
 * Every string that a client may have signed for this query, the contract's own form first. HTTP libraries re-encode
 * differently after signing, so the query is tried as sent, decoded and encoded anew; each with empty values dropped or
 * kept, and with repeated names in sent order or by value. A reading is made when it is asked for: almost every client
 * signs the first.
 */
export function* canonicalQueries(rawQuery: string): Generator<string, void> {
  const sent = splitPairs(rawQuery)
  if (sent.length === 0) {
    yield ''
    return
  }
  const tried = new Set<string>()
  for (const pairs of encodingsOf(sent)) {
    const filled = pairs.filter(([, value]) => value !== '')
    for (const chosen of filled.length === pairs.length ? [pairs] : [filled, pairs]) {
      for (const order of ORDERS) {
        const query = joinSorted(chosen, order)
        if (tried.has(query)) continue
        tried.add(query)
        yield query
      }
    }
  }
}

/** Splits the query. Parts without `=` are not parameters: they are neither signed nor read. */
function splitPairs(rawQuery: string): Pair[] {
  const pairs: Pair[] = []
  if (rawQuery === '') return pairs
  for (const part of rawQuery.split('&')) {
    const at = part.indexOf('=')
    if (at >= 0) pairs.push([part.slice(0, at), part.slice(at + 1)])
  }
  return pairs
}

function* encodingsOf(sent: readonly Pair[]): Generator<readonly Pair[], void> {
  yield sent
  const decoded = decodeAll(sent)
  if (decoded === undefined) return
  if (decoded.every(isUnambiguous)) yield decoded
  for (const encode of encodersFor(sent, decoded)) {
    yield decoded.map(([name, value]) => [encode(name), encode(value)])
  }
  // The client's own encoding, with only its spaces written as `+`.
  yield sent.map(([name, value]) => [plusSpaces(name), plusSpaces(value)])
}

function decodeAll(pairs: readonly Pair[]): Pair[] | undefined {
  const decoded: Pair[] = []
  for (const [name, value] of pairs) {
    const plainName = tryFormDecode(name)
    const plainValue = tryFormDecode(value)
    if (plainName === undefined || plainValue === undefined) return undefined
    decoded.push([plainName, plainValue])
  }
  return decoded
}

/** Characters with which a decoded query could be split or decoded into something else. */
const AMBIGUOUS = /[&=#%+]/

function isUnambiguous([name, value]: Pair): boolean {
  return !AMBIGUOUS.test(name) && !AMBIGUOUS.test(value)
}

/** Text that every encoder leaves as it is, which is most of what is sent. */
const PLAIN = /^[\w.-]*$/

/** Characters that encoders write in different ways, beside the space; they agree about all others. */
const MARKS = "!'()*~"
const MARKED = /[!'()*~]/
const SPACED = / /
/** Longest query that is read in the ways of rare encoders; each costs time, also where the signature is wrong. */
const RARELY_ENCODED_LENGTH_MAX = 2_000

/** Builds an encoder that writes a space as `space` and leaves these marks. It escapes all that could split a query. */
function encoder(space: string, marks: string): (text: string) => string {
  const escaped = [...MARKS]
    .filter((mark) => !marks.includes(mark))
    .map((mark) => [mark, `%${mark.charCodeAt(0).toString(16).toUpperCase()}`] as const)
  return (text) => {
    if (PLAIN.test(text)) return text
    let encoded = encodeURIComponent(text)
    for (const [mark, code] of escaped) encoded = encoded.replaceAll(mark, code)
    return space === '%20' ? encoded : encoded.replaceAll('%20', space)
  }
}

const HTML_FORM = encoder('+', '*')
const COMMON_ENCODERS = [HTML_FORM, encoder('%20', '~')]
/** Go and Python (`quote_plus`), PHP (`urlencode`), Java, and `encodeURIComponent`, each with both kinds of space. */
const ENCODERS = [
  ...COMMON_ENCODERS,
  ...[encoder('+', '~'), encoder('+', ''), encoder('+', MARKS)],
  ...[encoder('%20', '*'), encoder('%20', ''), encoder('%20', MARKS)],
]

/** Returns the encoders that a client may have used before it signed, while its HTTP library used another. */
function encodersFor(sent: readonly Pair[], decoded: readonly Pair[]) {
  const some = (form: RegExp) => decoded.some(([name, value]) => form.test(name) || form.test(value))
  if (!some(MARKED)) return some(SPACED) ? COMMON_ENCODERS : [HTML_FORM]
  const length = sent.reduce((sum, [name, value]) => sum + name.length + value.length, 0)
  return length > RARELY_ENCODED_LENGTH_MAX ? COMMON_ENCODERS : ENCODERS
}

function plusSpaces(text: string): string {
  return text.replaceAll('%20', '+')
}

function joinSorted(pairs: readonly Pair[], order: (a: Pair, b: Pair) => number): string {
  return [...pairs]
    .sort(order)
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
}

const ORDERS = [byName, byNameAndValue]

function byName(a: Pair, b: Pair): number {
  return compareText(a[0], b[0])
}

function byNameAndValue(a: Pair, b: Pair): number {
  return compareText(a[0], b[0]) || compareText(a[1], b[1])
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
