import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { nonceDigest } from './nonces.rules.ts'

it('the digest of a nonce is the first half of SHA-256 over key and nonce, as a uuid', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: 2n ** 63n - 1n }), fc.string(), (keyId, nonce) => {
      const digest = nonceDigest(keyId, nonce)
      expect(digest).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/)
      const whole = createHash('sha256').update(`${keyId}:${nonce}`).digest('hex')
      expect(digest.replaceAll('-', '')).toBe(whole.slice(0, 32))
    }),
  )
})

it('equal nonces of two keys have two digests', () => {
  expect(nonceDigest(1n, 'a')).not.toBe(nonceDigest(2n, 'a'))
})
