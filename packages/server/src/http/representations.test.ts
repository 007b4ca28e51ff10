import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { IncomingRequest } from './operation.ts'
import { answerWith, chooseEncoding, createRepresentationCache, representationOf } from './representations.ts'

const TEXT = Buffer.from(
  JSON.stringify({ items: Array.from({ length: 300 }, (_, index) => `item ${index}`) }),
)

function asking(headers: Record<string, string>): IncomingRequest {
  return {
    id: '',
    method: 'GET',
    rawQuery: '',
    headers,
    body: Buffer.alloc(0),
    address: '',
    deadlineMs: Number.POSITIVE_INFINITY,
  }
}

describe('a representation', () => {
  it.each([
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip', 'gzip'],
    ['gzip, deflate, br', 'br'],
    ['br;q=0.5, gzip', 'gzip'],
    ['br;q=0, gzip;q=0', 'identity'],
    ['*', 'br'],
    ['*;q=0, gzip', 'gzip'],
    ['identity', 'identity'],
    ['GZIP; q=1.0', 'gzip'],
  ])('a representation for Accept-Encoding %j is sent as %s', (header, encoding) =>
    expect(chooseEncoding(header)).toBe(encoding),
  )

  it('says the same in every encoding', async () => {
    const representation = representationOf(TEXT)
    const br = await answerWith(asking({ 'accept-encoding': 'br' }), representation)
    const zipped = await answerWith(asking({ 'accept-encoding': 'gzip' }), representation)
    const plain = await answerWith(asking({}), representation)
    expect(br.headers).toMatchObject({ 'Content-Encoding': 'br', ETag: representation.etag })
    expect(brotliDecompressSync(br.body as Buffer)).toEqual(TEXT)
    expect(zipped.headers).toMatchObject({ 'Content-Encoding': 'gzip' })
    expect(gunzipSync(zipped.body as Buffer)).toEqual(TEXT)
    expect(plain.headers).not.toHaveProperty('Content-Encoding')
    expect(plain.body).toEqual(TEXT)
  })

  it('is not sent again to who has it', async () => {
    const representation = representationOf(TEXT)
    const strong = representation.etag.slice(2)
    for (const tag of [representation.etag, strong, `"other", ${representation.etag}`, '*']) {
      const answer = await answerWith(asking({ 'if-none-match': tag }), representation)
      expect(answer).toMatchObject({ status: 304, body: null })
    }
    expect(await answerWith(asking({ 'if-none-match': '"other"' }), representation)).toMatchObject({
      status: 200,
    })
  })
})

describe('the cache', () => {
  it('builds once per owner and key, and never holds more than its bytes, but for the newest', () => {
    const owners = [{}, {}, {}]
    const step = fc.record({ owner: fc.nat(2), key: fc.constantFrom('a', 'b', 'c') })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const cache = createRepresentationCache(250)
        for (const { owner, key } of steps) {
          let built = 0
          const build = () => {
            built += 1
            return Buffer.from(`${owner}${key}`.padEnd(100))
          }
          const first = cache.get(owners[owner] as object, key, build)
          expect(first.identity.toString().trim()).toBe(`${owner}${key}`)
          expect(cache.get(owners[owner] as object, key, build)).toBe(first)
          expect(built).toBeLessThanOrEqual(1)
          expect(cache.bytes).toBeLessThanOrEqual(250)
        }
      }),
    )
  })
})
