import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'

/** Key of 32 bytes that wraps the data keys, and its id, which a wrapped key names. */
export type MasterKey = { readonly id: string; readonly bytes: Buffer }

const KEY_BYTES = 32
const IV_BYTES = 12
const TAG_BYTES = 16
const CIPHER = 'aes-256-gcm'

/** Reads Base64 of exactly 32 bytes; undefined when it is anything else. */
export function parseMasterKey(text: string): MasterKey | undefined {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length !== KEY_BYTES || bytes.toString('base64') !== text.trim()) return undefined
  return masterKeyOf(bytes)
}

const DISTINCT_BYTES_MIN = 17

/**
 * Tells whether the key was surely not drawn at random: zeros, one byte repeated, a short pattern, a word. 32 random
 * bytes have fewer than 17 different ones less than once in 10^13 times.
 */
export function isGuessable({ bytes }: MasterKey): boolean {
  return new Set(bytes).size < DISTINCT_BYTES_MIN
}

export function generateMasterKey(): MasterKey {
  return masterKeyOf(randomBytes(KEY_BYTES))
}

function masterKeyOf(bytes: Buffer): MasterKey {
  // The id is a digest with its own label: it names the key and reveals nothing about it.
  const id = createHash('sha256').update('warung master key id:').update(bytes).digest('hex').slice(0, 16)
  return { id, bytes }
}

/** Seals with AES-256-GCM: iv, tag, ciphertext. `context` is authenticated with it and must be given again to open. */
export function sealWith(key: Buffer, context: string, plaintext: Buffer): Buffer {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv(CIPHER, key, iv)
  cipher.setAAD(Buffer.from(context, 'utf8'))
  const body = Buffer.concat([cipher.update(plaintext), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), body])
}

/** Opens a sealed value; throws when the key, the context or a single bit differs. */
export function openWith(key: Buffer, context: string, sealed: Buffer): Buffer {
  const iv = sealed.subarray(0, IV_BYTES)
  const tag = sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES)
  const decipher = createDecipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(context, 'utf8'))
  decipher.setAuthTag(tag)
  return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES)), decipher.final()])
}
