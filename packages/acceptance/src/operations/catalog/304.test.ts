import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Demo, Reader } from '../../catalog.ts'
import { NEWEST, OLDER, shareDemo } from '../../catalog.ts'
import { expectEdgeHeaders } from '../../edge.ts'
import type { Answer } from '../../http.ts'

let demo: Demo
let first: Reader

beforeAll(async () => {
  demo = await shareDemo()
  first = demo.first
})

function tagOf(answer: Answer): string {
  expect(answer.headers.etag).toMatch(/^(W\/)?"[^"]+"$/)
  return answer.headers.etag ?? ''
}

function decoded(answer: Answer): string {
  switch (answer.headers['content-encoding']) {
    case 'br':
      return brotliDecompressSync(answer.bytes).toString('utf8')
    case 'gzip':
      return gunzipSync(answer.bytes).toString('utf8')
    case undefined:
      return answer.text
    default:
      throw new Error(`nobody asked for ${answer.headers['content-encoding']}`)
  }
}

const PATHS = [
  '/v2/catalog',
  '/v2/catalog?include_inactive=true',
  '/v2/catalog?product_code=BILLPAY',
  '/v2/options?product_code=BILLPAY&field_id=biller&limit=25000',
  '/v2/options?product_code=NOVAD&field_id=plan',
  '/v2/options?product_code=EDULOAN&field_id=loan_account&account_number=900101145678',
]

describe.each(PATHS)('a tag of %s', (path) => {
  it('sent back gives 304, without a body, with the tag and the release', async () => {
    const answer = await first.get(path)
    const again = await first.get(path, { 'If-None-Match': tagOf(answer) })
    expect(again.status).toBe(304)
    expect(again.bytes.length).toBe(0)
    expect(again.headers.etag).toBe(answer.headers.etag)
    expect(again.headers['x-api-version']).toBe(answer.headers['x-api-version'])
    expect(again.headers.vary).toBe(answer.headers.vary)
    expectEdgeHeaders(again)
  })

  it('is found in a list, weak or strong, and `*` is any', async () => {
    const tag = tagOf(await first.get(path))
    const strong = tag.replace(/^W\//, '')
    for (const header of [`"other", ${tag}`, `${tag},"other"`, strong, `W/${strong}`, '*']) {
      expect((await first.get(path, { 'If-None-Match': header })).status, header).toBe(304)
    }
  })

  it('a tag of another answer gives the whole answer', async () => {
    const answer = await first.get(path)
    for (const header of ['"other"', 'W/"other"', tagOf(answer).slice(0, -2), '']) {
      const again = await first.get(path, { 'If-None-Match': header })
      expect(again.status, header).toBe(200)
      expect(again.text).toBe(answer.text)
    }
  })

  it('stays while nothing changes, and is the same for every encoding', async () => {
    const tag = tagOf(await first.get(path))
    for (const encoding of ['gzip', 'br', 'identity']) {
      expect(tagOf(await first.get(path, { 'Accept-Encoding': encoding }))).toBe(tag)
    }
  })
})

it('a tag belongs to its release, its parameters and its account', async () => {
  const answers = await Promise.all([
    first.get('/v2/catalog', { 'X-API-Version': OLDER }),
    first.get('/v2/catalog', { 'X-API-Version': NEWEST }),
    first.get('/v2/catalog?product_code=NOVA'),
    demo.second.get('/v2/catalog', { 'X-API-Version': OLDER }),
  ])
  expect(new Set(answers.map(tagOf)).size).toBe(4)
})

it('accounts that see the same billers get the same tag for them', async () => {
  const path = '/v2/options?product_code=BILLPAY&field_id=biller'
  expect(tagOf(await demo.second.get(path))).toBe(tagOf(await first.get(path)))
})

const MORE_PATHS = ['/v1/billpay/billers?limit=1000', '/v2/product-list']

describe.each([...PATHS, ...MORE_PATHS])('the encodings of %s', (path) => {
  it.each([
    ['gzip', 'gzip'],
    ['br', 'br'],
    ['gzip, deflate, br', 'br'],
    ['br;q=0.5, gzip;q=0.9', 'gzip'],
    ['*', 'br'],
    ['GZIP', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['identity', undefined],
    ['zstd, deflate', undefined],
    ['gzip;q=0, br;q=0', undefined],
    ['', undefined],
  ])('Accept-Encoding: %s is answered with %s, which means the same', async (accepted, encoding) => {
    const plain = await first.get(path)
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(JSON.parse(plain.text)).toBeTypeOf('object')
    const answer = await first.get(path, { 'Accept-Encoding': accepted })
    expect(answer.status).toBe(200)
    // A body that fits into a packet is not compressed.
    const isSmall = plain.bytes.length < 1_000
    expect(answer.headers['content-encoding']).toBe(isSmall ? undefined : encoding)
    expect(decoded(answer)).toBe(plain.text)
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(answer.headers['content-length']).toBe(String(answer.bytes.length))
    expect(answer.headers.vary?.toLowerCase()).toContain('accept-encoding')
    if (encoding !== undefined && !isSmall) expect(answer.bytes.length).toBeLessThan(plain.bytes.length / 2)
  })
})

it('caches between us and the client are told what the answer depends on, and that it is private', async () => {
  for (const path of PATHS) {
    const { headers } = await first.get(path)
    expect(headers.vary?.toLowerCase().split(', ')).toEqual(
      expect.arrayContaining(['accept-encoding', 'x-api-version']),
    )
    expect(headers['cache-control']).toContain('private')
  }
})
