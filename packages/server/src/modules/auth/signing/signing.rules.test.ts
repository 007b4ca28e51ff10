import { createHash, createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import querystring from 'node:querystring'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseQuery } from '../../../lib/input/forms.ts'
import { createHmacKey } from '../../../lib/secrets/hmac.ts'
import { runs } from '../../../testing/runs.ts'
import type { SignedParts } from './signing.rules.ts'
import {
  canonicalQueries,
  findSignedQuery,
  isNonce,
  isWithinSkew,
  parseSignature,
  parseTimestamp,
} from './signing.rules.ts'

type VectorBody =
  | { utf8: string }
  | { base64: string }
  | { generator: { byte: number; length: number } }
  | null
type Vector = {
  name: string
  secret: string
  method: string
  query: string
  body: VectorBody
  timestamp: string
  nonce: string
  signature: string
  verifies: boolean
  reads: [string, string][] | null
}

const { cases } = JSON.parse(
  readFileSync(new URL('../../../../../../vectors/signing.json', import.meta.url), 'utf8'),
) as { cases: Vector[] }

function bytesOf(body: VectorBody): Buffer {
  if (body === null) return Buffer.alloc(0)
  if ('utf8' in body) return Buffer.from(body.utf8, 'utf8')
  if ('base64' in body) return Buffer.from(body.base64, 'base64')
  return Buffer.alloc(body.generator.length, body.generator.byte)
}

function verify(vector: Vector): string | undefined {
  const signature = parseSignature(vector.signature)
  if (signature === undefined) return undefined
  const parts = {
    timestamp: vector.timestamp,
    nonce: vector.nonce,
    method: vector.method,
    rawQuery: vector.query,
    body: bytesOf(vector.body),
  }
  return findSignedQuery(parts, createHmacKey(Buffer.from(vector.secret, 'base64')), signature)
}

describe('golden signatures', () => {
  it('are at least forty', () => expect(cases.length).toBeGreaterThanOrEqual(40))

  it.each(cases.filter((each) => each.verifies))('$name: verifies and reads what was signed', (vector) => {
    const query = verify(vector)
    expect(query).toBeDefined()
    const expected: Record<string, string | string[]> = {}
    for (const [name, value] of vector.reads ?? []) {
      const earlier = expected[name]
      expected[name] =
        earlier === undefined ? value : [...(Array.isArray(earlier) ? earlier : [earlier]), value]
    }
    expect({ ...parseQuery(query ?? '') }).toEqual(expected)
  })

  it.each(cases.filter((each) => !each.verifies))('$name: does not verify', (vector) => {
    expect(verify(vector)).toBeUndefined()
  })
})

// ── An implementation of the contract's four steps that shares no code with the one under test ──

const SECRET = Buffer.from('the thirty-two bytes of a secret')
const KEY = createHmacKey(SECRET)

function signLikeAClient(parts: SignedParts): Buffer {
  const query = parts.rawQuery
    .split('&')
    .filter((pair) => /=./.test(pair))
    .map((pair) => ({ key: pair.split('=')[0] ?? '', pair }))
    .sort((a, b) => (a.key === b.key ? 0 : a.key < b.key ? -1 : 1))
    .map(({ pair }) => pair)
    .join('&')
  const bodyHash = createHash('sha256').update(parts.body).digest('base64')
  const canonical = ['v1', parts.timestamp, parts.nonce, parts.method, query, bodyHash].join(':')
  return createHmac('sha256', SECRET).update(canonical).digest()
}

const wireText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 8 }).map((text) => encodeURIComponent(text)),
  fc.string({ maxLength: 8 }).map((text) => encodeURIComponent(text).replaceAll('%20', '+')),
  fc.constantFrom('a', 'ab', 'a-b', 'A', 'status', '1', '', '%zz', '%41'),
)
const wirePair = fc.oneof(
  { weight: 5, arbitrary: fc.tuple(wireText, wireText).map(([name, value]) => `${name}=${value}`) },
  { weight: 1, arbitrary: wireText },
)
const wireQuery = fc.array(wirePair, { maxLength: 6 }).map((pairs) => pairs.join('&'))
const parts = fc.record({
  timestamp: fc.integer({ min: 1, max: 2_000_000_000 }).map(String),
  nonce: fc.stringMatching(/^[A-Za-z0-9_-]{16,128}$/),
  method: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE'),
  rawQuery: wireQuery,
  body: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
})

describe('signatures', () => {
  it('any query and body signed by an independent implementation verify', () => {
    fc.assert(
      fc.property(parts, (request) => {
        expect(findSignedQuery(request, KEY, signLikeAClient(request))).toBeDefined()
      }),
      { numRuns: runs(500) },
    )
  })

  it('the application reads what was signed or nothing, whatever else is sent under a signature', () => {
    fc.assert(
      fc.property(parts, wireQuery, (request, otherQuery) => {
        const signature = signLikeAClient(request)
        const read = findSignedQuery(request, KEY, signature)
        const readOther = findSignedQuery({ ...request, rawQuery: otherQuery }, KEY, signature)
        if (readOther !== undefined) expect(parseQuery(readOther)).toEqual(parseQuery(read ?? 'none'))
      }),
      { numRuns: runs(2_000) },
    )
  })

  it('a change to method, timestamp, nonce or a body that is read does not verify', () => {
    fc.assert(
      fc.property(parts, parts, (request, other) => {
        const signature = signLikeAClient(request)
        for (const change of ['method', 'body', 'timestamp', 'nonce'] as const) {
          const changed: SignedParts = { ...request, [change]: other[change] }
          const same = change === 'body' ? request.body.equals(other.body) : request[change] === other[change]
          // A body is never read on GET and DELETE, so one that was signed as "no body" may carry any.
          const unread = change === 'body' && /GET|DELETE/.test(request.method) && request.body.length === 0
          expect(findSignedQuery(changed, KEY, signature) === undefined).toBe(!same && !unread)
        }
      }),
      { numRuns: runs(500) },
    )
  })

  it('a change to a value the application would read does not verify', () => {
    fc.assert(
      fc.property(parts, fc.stringMatching(/^[a-z]{1,5}$/), (request, text) => {
        const signature = signLikeAClient(request)
        const separator = request.rawQuery === '' ? '' : '&'
        const changed = { ...request, rawQuery: `${request.rawQuery}${separator}added=${text}` }
        expect(findSignedQuery(changed, KEY, signature)).toBeUndefined()
      }),
    )
  })

  it('a foreign secret does not verify', () => {
    fc.assert(
      fc.property(parts, (request) => {
        const foreign = createHmacKey(Buffer.alloc(32, 7))
        expect(findSignedQuery(request, foreign, signLikeAClient(request))).toBeUndefined()
      }),
    )
  })

  it('a query signed by one encoder and sent by another verifies, and reads the same', () => {
    const marked = fc.string({ unit: fc.constantFrom(..." !'()*~-._aZ9/:+&=%#é🍜"), maxLength: 12 })
    const encoders: ((text: string) => string)[] = [
      (text) => encodeURIComponent(text),
      (text) => new URLSearchParams([['', text]]).toString().slice(1),
      (text) => querystring.escape(text).replaceAll('%20', '+'),
      (text) =>
        encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`),
    ]
    const encoder = fc.constantFrom(...encoders)
    fc.assert(
      fc.property(
        parts,
        fc.array(fc.tuple(marked, marked), { maxLength: 4 }),
        encoder,
        encoder,
        (request, pairs, sign, send) => {
          const written = (encode: (text: string) => string) =>
            pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&')
          fc.pre(
            new Set(pairs.map(([name]) => name)).size === pairs.length &&
              pairs.every(([, value]) => value !== ''),
          )
          const signature = signLikeAClient({ ...request, rawQuery: written(sign) })
          const read = findSignedQuery({ ...request, rawQuery: written(send) }, KEY, signature)
          expect(read).toBeDefined()
          expect(parseQuery(read ?? '')).toEqual(parseQuery(written(sign)))
        },
      ),
      { numRuns: runs(1_000) },
    )
  })

  it('a hostile query costs a bounded number of readings', () => {
    const hostile = (length: number) =>
      Array.from({ length }, (_, index) => `k${index % 7}=%20+~*${index % 3 ? '' : 'x'}`).join('&')
    expect([...canonicalQueries(hostile(800))].length).toBeLessThanOrEqual(20)
    expect([...canonicalQueries(hostile(100))].length).toBeLessThanOrEqual(44)
  })
})

describe('signing headers', () => {
  it.each([
    ['a'.repeat(15), false],
    ['a'.repeat(16), true],
    ['a'.repeat(128), true],
    ['a'.repeat(129), false],
    ['abcdefghijklmno.', false],
    ['abcdefghijklmno\n', false],
    ['abcdefghijklmnoé', false],
  ])('nonce %j is well-formed: %s', (nonce, wellFormed) => expect(isNonce(nonce)).toBe(wellFormed))

  it.each(['', '1.5', '-1', '+1', ' 1', '1e9', '0x10', '١٢٣', 'now', '1'.repeat(16)])(
    'timestamp %j is not a Unix timestamp',
    (text) => expect(parseTimestamp(text)).toBeUndefined(),
  )

  it('five minutes either way are within the skew, and no more', () => {
    expect(isWithinSkew(1_000, 1_300_000)).toBe(true)
    expect(isWithinSkew(1_600, 1_300_000)).toBe(true)
    expect(isWithinSkew(1_000, 1_300_001)).toBe(false)
    expect(isWithinSkew(1_601, 1_300_000)).toBe(false)
  })

  it('a signature has one spelling', () => {
    const text = Buffer.alloc(32, 0xff).toString('base64')
    expect(parseSignature(`v1=${text}`)).toEqual(Buffer.alloc(32, 0xff))
    // The last character before the padding carries two bits without meaning; they must be zero.
    expect(parseSignature(`v1=${text.slice(0, -2)}9=`)).toBeUndefined()
    for (const wrong of [
      text,
      `v2=${text}`,
      `v1=${text.replace('=', '')}`,
      `v1=${text} `,
      'v1=',
      `V1=${text}`,
    ]) {
      expect(parseSignature(wrong)).toBeUndefined()
    }
  })
})
