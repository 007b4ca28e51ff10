import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createHmacKey, hmacSha256 } from './hmac.ts'

it('is HMAC-SHA256 for every secret and text', () => {
  const texts = fc.string({ unit: 'binary', maxLength: 300 })
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), texts, (secret, text) => {
      const key = createHmacKey(Buffer.from(secret))
      const expected = createHmac('sha256', secret).update(text, 'utf8').digest('hex')
      expect(hmacSha256(key, text).toString('hex')).toBe(expected)
      // The first use does not change the key.
      expect(hmacSha256(key, text).toString('hex')).toBe(expected)
    }),
  )
})

it.each([0, 1, 32, 63, 64, 65, 128])('is it for a secret of %d bytes', (length) => {
  const secret = Buffer.alloc(length, 7)
  const expected = createHmac('sha256', secret).update('v1:text').digest('hex')
  expect(hmacSha256(createHmacKey(secret), 'v1:text').toString('hex')).toBe(expected)
})
