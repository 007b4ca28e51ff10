import { hash } from 'node:crypto'

/** Digest of a nonce: the first 16 bytes of SHA-256 over key and nonce, written as a uuid. */
export function nonceDigest(keyId: bigint, nonce: string): string {
  const hex = hash('sha256', `${keyId}:${nonce}`, 'hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`
}
