import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Vault } from '../../../db/vault.ts'
import { digestOf } from '../../../lib/secrets/digests.ts'
import type { BasketItem } from './types.ts'

// Secrets of an order, sealed at rest. Each value is bound to its row, so that a ciphertext copied to another row does
// not open there.

/** Letters that are not mistaken for each other when somebody reads an id aloud. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const CODE_LENGTH = 24
const TOKEN_BYTES = 32

/** Makes the id of an order on the wire: 120 random bits. */
export function newOrderCode(): string {
  return `ord_${[...randomBytes(CODE_LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('')}`
}

/** Makes the token of an order's customer: 256 random bits. */
export function newClientToken(): string {
  return `ct_${randomBytes(TOKEN_BYTES).toString('base64url')}`
}

const NO_DIGEST = Buffer.alloc(32)

/** Compares in constant time, also where there is no such order. */
export function isTokenOf(token: string, digest: Buffer | undefined): boolean {
  return timingSafeEqual(digestOf(token), digest ?? NO_DIGEST) && digest !== undefined
}

/** Row of an order that a secret belongs to. */
export type SecretOwner = { readonly resellerId: bigint; readonly code: string }

export function sealToken(vault: Vault, owner: SecretOwner, token: string): Buffer {
  return vault.seal(contextOf(owner, 'token'), Buffer.from(token, 'utf8'))
}

export function openToken(vault: Vault, owner: SecretOwner, sealed: Buffer): string {
  return vault.open(contextOf(owner, 'token'), sealed).toString('utf8')
}

/** Seals the request that made an order: it may hold accounts and identity numbers. */
export function sealRequest(vault: Vault, owner: SecretOwner, content: object): Buffer {
  return vault.seal(contextOf(owner, 'request'), Buffer.from(JSON.stringify(content), 'utf8'))
}

export function openRequest(
  vault: Vault,
  owner: SecretOwner,
  sealed: Buffer,
): Readonly<Record<string, unknown>> {
  return JSON.parse(vault.open(contextOf(owner, 'request'), sealed).toString('utf8'))
}

type Input = Pick<BasketItem, 'account' | 'extras'>

export function sealInput(
  vault: Vault,
  owner: SecretOwner,
  { line, account, extras }: Input & { line: number },
): Buffer {
  const { subproductCode, billerCode, ref2, icNumber } = extras
  const values = [account, subproductCode, billerCode, ref2, icNumber]
  return vault.seal(contextOf(owner, `line:${line}`), Buffer.from(JSON.stringify(values), 'utf8'))
}

export function openInput(vault: Vault, owner: SecretOwner, line: number, sealed: Buffer): Input {
  const [account, subproductCode, billerCode, ref2, icNumber] = JSON.parse(
    vault.open(contextOf(owner, `line:${line}`), sealed).toString('utf8'),
  ) as [string | null, string | null, string | null, string | null, string | null]
  return { account, extras: { subproductCode, billerCode, ref2, icNumber } }
}

function contextOf({ resellerId, code }: SecretOwner, part: string): string {
  return `order:${resellerId}:${code}:${part}`
}
