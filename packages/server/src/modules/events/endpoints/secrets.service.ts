import { randomBytes } from 'node:crypto'
import type { Vault } from '../../../db/vault.ts'
import { createHmacKey } from '../../../lib/secrets/hmac.ts'
import type { Stream } from '../types.ts'
import type { SigningKey } from './signing.rules.ts'

const SECRET_BYTES = 32
const PREFIX = 'whsec_'

/** Makes a secret as it is shown once: the prefix that receivers' libraries expect, and 32 bytes in Base64. */
export function newSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64')
}

/** Prepares a secret for both of its signatures. */
export function signingKeyOf(secret: string): SigningKey {
  return {
    whole: createHmacKey(Buffer.from(secret, 'utf8')),
    decoded: createHmacKey(Buffer.from(secret.slice(PREFIX.length), 'base64')),
  }
}

export function sealSecret(vault: Vault, resellerId: bigint, stream: Stream, secret: string): Buffer {
  return vault.seal(secretContext(resellerId, stream), Buffer.from(secret, 'utf8'))
}

export function openSecret(vault: Vault, resellerId: bigint, stream: Stream, sealed: Buffer): string {
  return vault.open(secretContext(resellerId, stream), sealed).toString('utf8')
}

function secretContext(resellerId: bigint, stream: Stream): string {
  return `endpoint_secret:${resellerId}:${stream}`
}

/** Seals a receiver's answer, because it may repeat PINs and links that it was sent. */
export function sealResponse(
  vault: Vault,
  resellerId: bigint,
  deliveryId: string,
  text: string,
): Buffer | null {
  if (text === '') return null
  return vault.seal(responseContext(resellerId, deliveryId), Buffer.from(text, 'utf8'))
}

export function openResponse(
  vault: Vault,
  resellerId: bigint,
  deliveryId: string,
  sealed: Buffer | null,
): string {
  return sealed === null ? '' : vault.open(responseContext(resellerId, deliveryId), sealed).toString('utf8')
}

function responseContext(resellerId: bigint, deliveryId: string): string {
  return `delivery_response:${resellerId}:${deliveryId}`
}
