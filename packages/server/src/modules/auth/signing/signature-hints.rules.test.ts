import { createHash, createHmac, randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createHmacKey } from '../../../lib/secrets/hmac.ts'
import { findFormatHint, findSignatureHint } from './signature-hints.rules.ts'

const SECRET = randomBytes(32)
const BODY = '{"a":1}'
const BASE64_HASH = createHash('sha256').update(BODY).digest('base64')
const HEX_HASH = createHash('sha256').update(BODY).digest('hex')
const EMPTY_HASH = createHash('sha256').digest('base64')
const PARTS = {
  timestamp: '1767225600',
  nonce: 'abcdefghijklmnop',
  method: 'POST',
  rawQuery: 'b=2&a=1',
  body: Buffer.from(BODY),
}

function hintFor(text: string, secret: Buffer | string = SECRET): string | undefined {
  const signature = createHmac('sha256', secret).update(text).digest()
  return findSignatureHint(PARTS, createHmacKey(SECRET), signature)
}

function text({ method = 'POST', query = 'a=1&b=2', hash = BASE64_HASH } = {}): string {
  return `v1:${PARTS.timestamp}:${PARTS.nonce}:${method}:${query}:${hash}`
}

describe('a signature that is right but for one usual mistake names the mistake', () => {
  it.each([
    ['a secret used as text', text(), SECRET.toString('base64'), /secret was used as text/],
    ['a body hash in hexadecimal', text({ hash: HEX_HASH }), SECRET, /body hash is in hexadecimal/],
    ['a method in lower case', text({ method: 'post' }), SECRET, /lower case/],
    ['no query', text({ query: '' }), SECRET, /query is missing/],
    ['a query with its question mark', text({ query: '?b=2&a=1' }), SECRET, /question mark/],
    ['a query that is not sorted', text({ query: 'b=2&a=1' }), SECRET, /Sort the parameters/],
    ['the hash of no body', text({ hash: EMPTY_HASH }), SECRET, /empty body was signed/],
  ])('%s', (_, signed, secret, hint) => {
    expect(hintFor(signed, secret)).toMatch(hint)
  })

  it('the hint says nothing about any other mistake', () => {
    expect(hintFor(text(), randomBytes(32))).toBeUndefined()
    expect(hintFor(text({ query: 'a=1' }))).toBeUndefined()
    expect(hintFor(text({ method: 'post', hash: HEX_HASH }))).toBeUndefined()
  })
})

it('a secret that is not of 32 bytes has no undecoded form that could be told', () => {
  const secret = randomBytes(40)
  const signature = createHmac('sha256', secret.toString('base64')).update(text()).digest()
  expect(findSignatureHint(PARTS, createHmacKey(secret), signature)).toBeUndefined()
})

it.each([
  [`v1=${SECRET.toString('hex')}`, /hexadecimal/],
  [SECRET.toString('hex').toUpperCase(), /hexadecimal/],
  [`v1=${Buffer.alloc(32, 0xfb).toString('base64url')}`, /URL-safe/],
  [Buffer.alloc(32, 0xfb).toString('base64'), /prefix is missing/],
  ['v1=', undefined],
  ['hello', undefined],
])('the header %j is told: %s', (header, hint) => {
  if (hint === undefined) expect(findFormatHint(header)).toBeUndefined()
  else expect(findFormatHint(header)).toMatch(hint)
})
