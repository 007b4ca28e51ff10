import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Reading } from './signing.ts'
import {
  bodyHash,
  canonicalQuery,
  canonicalString,
  decodedReadingCounts,
  EVERY_READING,
  signRequest,
} from './signing.ts'

type Vector = {
  name: string
  secret: string
  method: string
  query: string
  body: null | { utf8: string } | { base64: string } | { generator: { byte: number; length: number } }
  timestamp: string
  nonce: string
  canonical_string: string
  body_hash: string
  signature: string
  verifies: boolean
  reading: Reading | null
  reads: [string, string][] | null
  why: string
}

const VECTORS_FILE = new URL('../../../vectors/signing.json', import.meta.url)
const { cases: vectors } = JSON.parse(readFileSync(VECTORS_FILE, 'utf8')) as { cases: Vector[] }
const verifying = vectors.filter((vector) => vector.verifies)
const refused = vectors.filter((vector) => !vector.verifies)

function bodyOf(body: Vector['body']): Buffer | undefined {
  if (body === null) return undefined
  if ('generator' in body) return Buffer.alloc(body.generator.length, body.generator.byte)
  return 'utf8' in body ? Buffer.from(body.utf8, 'utf8') : Buffer.from(body.base64, 'base64')
}

function inputOf(vector: Vector) {
  const { secret, method, query, timestamp, nonce } = vector
  return { apiKey: 'key', secretBase64: secret, method, query, body: bodyOf(vector.body), timestamp, nonce }
}

/** Lists every signature that the service has to accept for this request. */
function acceptableSignatures(vector: Vector): Set<string> {
  const input = inputOf(vector)
  const readings = EVERY_READING.filter(
    (reading) => reading.encoding !== 'decoded' || decodedReadingCounts(vector.query),
  )
  const hashed = ['GET', 'DELETE'].includes(vector.method)
    ? (['body', 'nothing'] as const)
    : (['body'] as const)
  return new Set(
    readings.flatMap((reading) =>
      hashed.map((hashOf) => signRequest({ ...input, reading, hashOf })['X-Signature']),
    ),
  )
}

describe('golden signing vectors', () => {
  it('cover accepted and refused signatures, each under a name of its own', () => {
    expect(new Set(vectors.map((vector) => vector.name)).size).toBe(vectors.length)
    expect(verifying.length).toBeGreaterThanOrEqual(60)
    expect(refused.length).toBeGreaterThanOrEqual(30)
  })

  it('reach every reading of the query', () => {
    const encodings = new Set(verifying.map((vector) => vector.reading?.encoding))
    expect(encodings).toEqual(new Set(['wire', 'decoded', 'form', 'percent']))
    expect(verifying.some((vector) => vector.reading?.empties === 'kept')).toBe(true)
    expect(verifying.some((vector) => vector.reading?.repeats === 'sorted')).toBe(true)
  })

  it.each(verifying)('$name is reproduced to the byte', (vector) => {
    const hashOf = vector.body_hash === bodyHash(undefined) ? 'nothing' : 'body'
    const input = { ...inputOf(vector), reading: vector.reading ?? undefined, hashOf } as const
    expect(canonicalString(input)).toBe(vector.canonical_string)
    expect(bodyHash(hashOf === 'nothing' ? undefined : input.body)).toBe(vector.body_hash)
    expect(signRequest(input)).toEqual({
      'X-Api-Key': 'key',
      'X-Timestamp': vector.timestamp,
      'X-Nonce': vector.nonce,
      'X-Signature': vector.signature,
    })
  })

  it.each(verifying)('$name is one of the signatures the service has to accept', (vector) => {
    expect(acceptableSignatures(vector)).toContain(vector.signature)
  })

  it.each(verifying)('$name reads what was signed, form-decoded', (vector) => {
    const signed = canonicalQuery(vector.query, vector.reading ?? undefined)
    expect(vector.reads).toEqual([...new URLSearchParams(signed)])
  })

  it.each(refused)('$name matches no reading of the request', (vector) => {
    expect(vector.reads).toBeNull()
    expect(acceptableSignatures(vector)).not.toContain(vector.signature)
  })
})

describe('signRequest', () => {
  const credentials = { apiKey: 'key', secretBase64: Buffer.alloc(32, 7).toString('base64') }

  it('a request without a reading is signed as the contract says: wire, sorted by key, empty values and bare names left out', () => {
    const query = 'b=2%20x&flag&c=&a=1&b=1'
    expect(canonicalQuery(query)).toBe('a=1&b=2%20x&b=1')
    const fixed = { ...credentials, method: 'GET', query, timestamp: 1767225600, nonce: '0123456789abcdef' }
    const reading = { encoding: 'wire', empties: 'dropped', repeats: 'sent' } as const
    expect(signRequest(fixed)).toEqual(signRequest({ ...fixed, reading }))
  })

  it('makes a nonce of the allowed form and a timestamp in seconds, new for each request', () => {
    const first = signRequest({ ...credentials, method: 'GET' })
    const second = signRequest({ ...credentials, method: 'GET' })
    expect(first['X-Nonce']).toMatch(/^[A-Za-z0-9_-]{16,128}$/)
    expect(first['X-Nonce']).not.toBe(second['X-Nonce'])
    expect(Math.abs(Number(first['X-Timestamp']) - Date.now() / 1000)).toBeLessThan(5)
    expect(first['X-Signature']).toMatch(/^v1=[A-Za-z0-9+/]{43}=$/)
  })

  it('writes the method in upper case', () => {
    const fixed = { ...credentials, timestamp: 1, nonce: '0123456789abcdef' }
    expect(signRequest({ ...fixed, method: 'post' })).toEqual(signRequest({ ...fixed, method: 'POST' }))
  })
})
