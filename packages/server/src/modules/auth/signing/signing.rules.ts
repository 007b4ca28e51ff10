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
 * differently after signing, so the query is tried as sent, percent-decoded and form-encoded; each with empty values
 * dropped or kept, and with repeated names in sent order or by value.
 */
export function canonicalQueries(rawQuery: string): ReadonlySet<string> {
  const sent = splitPairs(rawQuery)
  if (sent.length === 0) return ONLY_EMPTY
  const queries = new Set<string>()
  for (const pairs of encodingsOf(sent)) {
    const filled = pairs.filter(([, value]) => value !== '')
    for (const chosen of filled.length === pairs.length ? [pairs] : [filled, pairs]) {
      queries.add(joinSorted(chosen, byName))
      queries.add(joinSorted(chosen, byNameAndValue))
    }
  }
  return queries
}

const ONLY_EMPTY: ReadonlySet<string> = new Set([''])

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

function encodingsOf(sent: readonly Pair[]): (readonly Pair[])[] {
  const encodings = [sent]
  const decoded = decodeAll(sent)
  if (decoded !== undefined) {
    if (decoded.every(isUnambiguous)) encodings.push(decoded)
    encodings.push(decoded.map(([name, value]) => [formEncode(name), formEncode(value)]))
    // The client's own encoding, with only its spaces written as `+`: libraries differ about `~` and `*`.
    encodings.push(sent.map(([name, value]) => [plusSpaces(name), plusSpaces(value)]))
  }
  return encodings
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

/** Text that form encoding does not change, which is most of what is sent. */
const PLAIN = /^[\w.*-]*$/

function formEncode(text: string): string {
  if (PLAIN.test(text)) return text
  return new URLSearchParams([['', text]]).toString().slice(1)
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

function byName(a: Pair, b: Pair): number {
  return compareText(a[0], b[0])
}

function byNameAndValue(a: Pair, b: Pair): number {
  return compareText(a[0], b[0]) || compareText(a[1], b[1])
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
