import { createHash } from 'node:crypto'

const HEX_DIGEST = /^[0-9a-f]{64}$/

/** Tells whether a text is a SHA-256 digest in small hexadecimal letters. */
export function isHexDigest(text: string): boolean {
  return HEX_DIGEST.test(text)
}

/**
 * Returns the SHA-256 digest of a text. It is enough for a secret of 256 random bits: such a secret needs no slow hash,
 * because the digest does not reveal it.
 */
export function digestOf(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest()
}
