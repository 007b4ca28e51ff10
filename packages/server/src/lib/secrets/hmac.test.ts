import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { CHARACTER } from '../../testing/texts.ts'
import { createHmacKey, hmacSha256, undecodedKey } from './hmac.ts'

it('is HMAC-SHA256 for every secret and text', () => {
  const texts = fc.string({ unit: CHARACTER, maxLength: 300 })
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

it('is HMAC-SHA256 of a text and the bytes that follow it', () => {
  const texts = fc.string({ unit: CHARACTER, maxLength: 100 })
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 80 }),
      texts,
      fc.uint8Array({ maxLength: 80 }),
      (secret, text, tail) => {
        const expected = createHmac('sha256', secret).update(text, 'utf8').update(tail).digest('hex')
        expect(hmacSha256(createHmacKey(Buffer.from(secret)), text, Buffer.from(tail)).toString('hex')).toBe(
          expected,
        )
      },
    ),
  )
})

it('the key of a secret of 32 bytes leads to that of its Base64 text', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
      const undecoded = undecodedKey(createHmacKey(Buffer.from(bytes)))
      expect(undecoded).toEqual(createHmacKey(Buffer.from(Buffer.from(bytes).toString('base64'))))
    }),
  )
})

it.each([33, 40, 64])('a secret of %d bytes is none of ours', (length) => {
  expect(undecodedKey(createHmacKey(Buffer.alloc(length, 7)))).toBeUndefined()
})
