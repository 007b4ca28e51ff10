// Cases of request signing. The text that a client signs is written by hand in each case; this file adds the arithmetic
// (hash, HMAC) and the parameters that the application may read. It shares no code with the server or with any client.
import { createHash, createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'

const QUERIES = new URL('../../data/signing-queries.txt', import.meta.url)

type Body =
  | { utf8: string }
  | { base64: string }
  | { generator: { kind: 'repeat'; byte: number; length: number } }

type Parts = {
  version: string
  timestamp: string
  nonce: string
  method: string
  query: string
  bodyHash: string
}

type Request = {
  secret?: string
  method?: string
  query?: string
  signed?: string
  body?: Body
  timestamp?: string
  nonce?: string
  reading?: string
  refused?: boolean
  hash?: string
  hashed?: string
  canonical?(right: Parts): Parts
  join?(parts: string[]): string
  key?(secret: string): Buffer
  header?(mac: Buffer): string
}

const SECRET = '/Lw0p+TB03JaEtFzRRogY/pigRxLM1Yp9VZAKEpPayk='
const OTHER_SECRET = 'M1AUg/TYXv/YMVYX3lq7fQGIMf/l8plG/pruf+RXAtg='
const SECRET_64_BYTES =
  'FGHP4Q5T/niszusqed0hSjtIAG+g8Srbu8dAN1piEybYq9wAKAM0HKXdFckudwbRlNiy26uhJNh+vYxV45TiYQ=='
const SECRET_96_BYTES =
  'H0D8ktokFpR1CXnubPWC8tXX0o4YM13gWrxU0FYOD1MChgxlK/CNVgJSql50IQVG82n7u86MEs/HlXsmUv6adT4j6BYAOVlKM4lPZWThsTSLvXoAiNQsSstz7q7VnACd'
const CONTRACT = JSON.stringify({ encoding: 'wire', empties: 'dropped', repeats: 'sent' })
const TIMESTAMP = '1767225600'

const JSON_BODY = '{"refid":"A-1001","product":"NOVA","account":"60123456789","amount":"10"}'
const UNICODE_BODY = '{"remarks":"Saté 王小明 🍜"}'
const utf8 = (text: string): Body => ({ utf8: text })
const bytes = (hex: string): Body => ({ base64: Buffer.from(hex, 'hex').toString('base64') })
const hashOf = (text: string | Buffer) => sha256(text).toString('base64')

// Requests that differ in more than their query. `hashed` is what the client hashed if that is not the body;
// `canonical`, `key` and `header` change one step of the signing. A case with `refused` must not verify.
const REQUESTS: [name: string, request: Request, why: string][] = [
  ['post-json', { method: 'POST', body: utf8(JSON_BODY) }, 'the bytes of the body as sent'],
  ['post-json-spaced', { method: 'POST', body: utf8('{ "a" : 1 }') }, 'white space counts'],
  ['post-unicode', { method: 'POST', body: utf8(UNICODE_BODY) }, 'UTF-8 bytes'],
  ['post-crlf', { method: 'POST', body: utf8('{\r\n  "a": 1\r\n}\r\n') }, 'CRLF is not turned into LF'],
  ['post-trailing-newline', { method: 'POST', body: utf8('{"a":1}\n') }, 'a final newline counts'],
  [
    'post-byte-order-mark',
    { method: 'POST', body: bytes('efbbbf7b7d') },
    'the mark is three bytes of the body',
  ],
  [
    'post-not-utf8',
    { method: 'POST', body: bytes('ff00fe80') },
    'any bytes can be signed; parsing comes after',
  ],
  ['post-empty-body', { method: 'POST', body: utf8('') }, 'an empty body has the hash of the empty string'],
  [
    'post-query-and-body',
    { method: 'POST', query: 'b=2&a=1', signed: 'a=1&b=2', body: utf8('{}') },
    'query and body are both signed',
  ],
  ['post-query-only', { method: 'POST', query: 'amount=500' }, 'POST /v2/low-balance-threshold: no body'],
  [
    'post-callback-url-as-sent',
    {
      method: 'POST',
      query: 'url=https%3A%2F%2Fshop.example%2Fcb%3Fkey%3D1&method=GET',
      signed: 'method=GET&url=https%3A%2F%2Fshop.example%2Fcb%3Fkey%3D1',
    },
    'POST /v2/callback-url: an address with a query of its own',
  ],
  [
    'post-callback-url-decoded',
    {
      method: 'POST',
      query: 'url=https%3A%2F%2Fshop.example%2Fcb&method=GET',
      signed: 'method=GET&url=https://shop.example/cb',
      reading: 'decoded',
    },
    'colons and slashes are harmless when decoded',
  ],
  [
    'post-callback-url-decoded-query-refused',
    {
      method: 'POST',
      query: 'url=https%3A%2F%2Fshop.example%2Fcb%3Fkey%3D1&method=GET',
      signed: 'method=GET&url=https://shop.example/cb?key=1',
      refused: true,
    },
    'the decoded address contains =',
  ],
  [
    'post-ten-mebibytes',
    { method: 'POST', body: { generator: { kind: 'repeat', byte: 97, length: 10_485_760 } } },
    'the largest body there may be: 10 MiB of the letter a',
  ],
  ['put-json', { method: 'PUT', body: utf8('{"url":"https://shop.example/hook"}') }, 'PUT like POST'],
  ['put-no-body', { method: 'PUT' }, 'no body is the empty string'],
  ['patch-json', { method: 'PATCH', body: utf8('{"enabled":false}') }, 'PATCH hashes its body too'],
  ['delete-no-body', { method: 'DELETE' }, 'the hash of the empty string'],
  ['delete-query', { method: 'DELETE', query: 'b=2&a=1', signed: 'a=1&b=2' }, 'a query on DELETE is signed'],
  ['delete-body-hashed', { method: 'DELETE', body: utf8('{"a":1}') }, 'a body on DELETE may be hashed'],
  [
    'delete-body-not-hashed',
    { method: 'DELETE', body: utf8('{"a":1}'), hashed: '' },
    'or left out of the hash',
  ],
  ['get-body-hashed', { body: utf8('{"a":1}') }, 'a body on GET may be hashed'],
  ['get-body-not-hashed', { body: utf8('{"a":1}'), hashed: '' }, 'or left out of the hash'],
  ['nonce-shortest', { nonce: '0123456789abcdef' }, '16 characters'],
  ['nonce-longest', { nonce: 'N0nce_-x'.repeat(16) }, '128 characters'],
  ['nonce-every-kind', { nonce: 'AZaz09-_AZaz09-_' }, 'letters, digits, hyphen and underscore'],
  ['nonce-uuid', { nonce: '4f9c2c1e-7a55-4b0e-9d4b-0c6f2b8f6a11' }, 'a UUID will do'],
  ['timestamp-other', { timestamp: '1799999999' }, 'the timestamp as its header says it'],
  ['secret-64-bytes', { secret: SECRET_64_BYTES }, 'a key as long as the block of SHA-256'],
  ['secret-96-bytes', { secret: SECRET_96_BYTES }, 'a key longer than the block, which HMAC hashes first'],

  [
    'post-body-not-hashed',
    { method: 'POST', body: utf8(JSON_BODY), hashed: '', refused: true },
    'only GET and DELETE',
  ],
  [
    'put-body-not-hashed',
    { method: 'PUT', body: utf8('{"a":1}'), hashed: '', refused: true },
    'only GET and DELETE',
  ],
  [
    'patch-body-not-hashed',
    { method: 'PATCH', body: utf8('{"a":1}'), hashed: '', refused: true },
    'only GET and DELETE',
  ],
  [
    'get-body-other',
    { body: utf8('{"a":1}'), hashed: '{"a":2}', refused: true },
    'neither the body nor nothing',
  ],
  [
    'body-changed',
    { method: 'POST', body: utf8('{"a":2}'), hashed: '{"a":1}', refused: true },
    'changed on the way',
  ],
  [
    'body-rewritten',
    { method: 'POST', body: utf8('{ "a": 1 }'), hashed: '{"a":1}', refused: true },
    'not the bytes sent',
  ],
  [
    'body-newline-cut',
    { method: 'POST', body: utf8('{"a":1}\n'), hashed: '{"a":1}', refused: true },
    'not the bytes sent',
  ],
  [
    'body-mark-cut',
    { method: 'POST', body: bytes('efbbbf7b7d'), hashed: '{}', refused: true },
    'not the bytes sent',
  ],
  [
    'body-hash-hex',
    { method: 'POST', body: utf8('{}'), hash: sha256('{}').toString('hex'), refused: true },
    'the hash is written in Base64, not in hex',
  ],
  [
    'query-on-post-left-out',
    { method: 'POST', query: 'amount=500', signed: '', refused: true },
    'POST signs its query',
  ],
  [
    'method-lower-case',
    { method: 'POST', canonical: (p) => ({ ...p, method: 'post' }), refused: true },
    'upper case',
  ],
  [
    'method-other',
    { method: 'DELETE', canonical: (p) => ({ ...p, method: 'GET' }), refused: true },
    'the method is signed',
  ],
  [
    'timestamp-changed',
    { canonical: (p) => ({ ...p, timestamp: '1767225601' }), refused: true },
    'the time is signed',
  ],
  [
    'timestamp-milliseconds',
    { canonical: (p) => ({ ...p, timestamp: `${p.timestamp}000` }), refused: true },
    'seconds',
  ],
  [
    'nonce-changed',
    { canonical: (p) => ({ ...p, nonce: 'another-nonce-here' }), refused: true },
    'the nonce is signed',
  ],
  [
    'path-signed',
    { canonical: (p) => ({ ...p, query: '/v2/balance' }), refused: true },
    'the path is no part of it',
  ],
  ['version-left-out', { join: (parts) => parts.slice(1).join(':'), refused: true }, 'it begins with v1'],
  ['joined-by-newlines', { join: (parts) => parts.join('\n'), refused: true }, 'joined by colons'],
  ['newline-at-end', { join: (parts) => `${parts.join(':')}\n`, refused: true }, 'nothing follows the hash'],
  [
    'secret-not-decoded',
    { key: (secret) => Buffer.from(secret, 'ascii'), refused: true },
    'the key is the decoded secret',
  ],
  ['secret-other', { key: () => Buffer.from(OTHER_SECRET, 'base64'), refused: true }, 'another key'],
  [
    'signature-base64url',
    { header: (mac) => `v1=${mac.toString('base64url')}`, refused: true },
    'Base64, not base64url',
  ],
  ['signature-hex', { header: (mac) => `v1=${mac.toString('hex')}`, refused: true }, 'Base64, not hex'],
  ['signature-no-prefix', { header: (mac) => mac.toString('base64'), refused: true }, 'v1= is missing'],
  [
    'signature-upper-prefix',
    { header: (mac) => `V1=${mac.toString('base64')}`, refused: true },
    'v1 in lower case',
  ],
  [
    'signature-v2',
    { header: (mac) => `v2=${mac.toString('base64')}`, refused: true },
    'there is no version 2',
  ],
  [
    'signature-cut',
    { header: (mac) => `v1=${mac.subarray(0, 16).toString('base64')}`, refused: true },
    '16 of 32 bytes',
  ],
]

function sha256(data: string | Buffer) {
  return createHash('sha256').update(data).digest()
}

function bodyBytes(body: Body | null) {
  if (body === null) return Buffer.alloc(0)
  if ('generator' in body) return Buffer.alloc(body.generator.length, body.generator.byte)
  return 'utf8' in body ? Buffer.from(body.utf8, 'utf8') : Buffer.from(body.base64, 'base64')
}

/** Returns the parameters of a signed query as the application reads them. */
function readsOf(signedQuery: string): [name: string, value: string][] {
  if (signedQuery === '') return []
  const decode = (part: string) => decodeURIComponent(part.replaceAll('+', ' '))
  return signedQuery.split('&').map((pair) => {
    const at = pair.indexOf('=')
    return [decode(pair.slice(0, at)), decode(pair.slice(at + 1))]
  })
}

function readingOf(words: string) {
  const [encoding = '', ...rest] = words.split(' ')
  const marks = rest.find((word) => word.startsWith('marks='))
  return {
    encoding,
    ...(marks !== undefined && { marks: marks.slice('marks='.length) }),
    empties: rest.includes('kept') ? 'kept' : 'dropped',
    repeats: rest.includes('sorted') ? 'sorted' : 'sent',
  }
}

function makeCase(name: string, request: Request, why: string) {
  const {
    secret = SECRET,
    method = 'GET',
    query = '',
    signed = query,
    body = null,
    refused = false,
  } = request
  const { timestamp = TIMESTAMP, nonce = `vector-nonce-${name}`, reading = 'wire' } = request
  const bodyHash = request.hash ?? hashOf(request.hashed ?? bodyBytes(body))
  const right = { version: 'v1', timestamp, nonce, method, query: signed, bodyHash }
  const parts = Object.values(request.canonical?.(right) ?? right)
  const canonical = request.join?.(parts) ?? parts.join(':')
  const key = request.key?.(secret) ?? Buffer.from(secret, 'base64')
  const mac = createHmac('sha256', key).update(canonical, 'utf8').digest()
  return {
    name,
    secret,
    method,
    query,
    body,
    timestamp,
    nonce,
    canonical_string: canonical,
    body_hash: bodyHash,
    signature: request.header?.(mac) ?? `v1=${mac.toString('base64')}`,
    verifies: !refused,
    reading: refused ? null : readingOf(reading),
    reads: refused ? null : readsOf(signed),
    why,
  }
}

function queryCases() {
  const rows = readFileSync(QUERIES, 'utf8').split('\n')
  return rows.flatMap((row) => {
    const [name = '', query = '', signed = '', reading = '', why = ''] = row
      .split('|')
      .map((cell) => cell.trim())
    if (name === '' || name.startsWith('#')) return []
    return makeCase(name, { query, signed, reading, refused: reading === 'refused' }, why)
  })
}

const cases = [...queryCases(), ...REQUESTS.map(([name, request, why]) => makeCase(name, request, why))]

export const signing = { cases }

/** Cases of the contract's own reading: the other readings are the service's kindness to other clients. */
export const signingOfClients = {
  cases: cases.filter(isOurs).map(({ reading: _, reads: __, verifies: ___, ...rest }) => rest),
}

function isOurs({ verifies, reading, method, body }: ReturnType<typeof makeCase>) {
  // Our clients send no body with GET and DELETE.
  const isSendable = body === null || !['GET', 'DELETE'].includes(method)
  return verifies && isSendable && JSON.stringify(reading) === CONTRACT
}
