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

/** Values of a request by the names of its fields. */
type Content = Readonly<Record<string, string>>

/**
 * Seals the digests of the request that made an order. A repeated request is judged by them for ever, so the values
 * themselves, with accounts and identity numbers, are not kept for it. Account numbers are short enough to be guessed
 * from a digest: that is why the digests are sealed too.
 */
export function sealRequest(vault: Vault, owner: SecretOwner, content: Content): Buffer {
  const digests = mapValues(content, (value) => fieldDigest(owner, value))
  return vault.seal(contextOf(owner, 'request'), Buffer.from(JSON.stringify(digests), 'utf8'))
}

/** Lists the fields in which a request differs from the one that made the order. */
export function differentFields(
  vault: Vault,
  owner: SecretOwner,
  sealed: Buffer,
  content: Content,
): string[] {
  const first: Content = JSON.parse(vault.open(contextOf(owner, 'request'), sealed).toString('utf8'))
  return Object.keys(content).filter((name) => fieldDigest(owner, content[name] ?? '') !== first[name])
}

function fieldDigest({ code }: SecretOwner, value: string): string {
  return digestOf(`${code} ${value}`).toString('base64')
}

function mapValues(content: Content, map: (value: string) => string): Content {
  return Object.fromEntries(Object.entries(content).map(([name, value]) => [name, map(value)]))
}

type Input = Pick<BasketItem, 'account' | 'extras'>

const FORGOTTEN: Input = {
  account: null,
  extras: { subproductCode: null, billerCode: null, ref2: null, icNumber: null },
}

export function sealInput(
  vault: Vault,
  owner: SecretOwner,
  { line, account, extras }: Input & { line: number },
): Buffer {
  const { subproductCode, billerCode, ref2, icNumber } = extras
  const values = [account, subproductCode, billerCode, ref2, icNumber]
  return vault.seal(contextOf(owner, `line:${line}`), Buffer.from(JSON.stringify(values), 'utf8'))
}

/** Opens the account and the extras of a line. They are empty when they were forgotten. */
export function openInput(vault: Vault, owner: SecretOwner, line: number, sealed: Buffer | null): Input {
  if (sealed === null) return FORGOTTEN
  const [account, subproductCode, billerCode, ref2, icNumber] = JSON.parse(
    vault.open(contextOf(owner, `line:${line}`), sealed).toString('utf8'),
  ) as [string | null, string | null, string | null, string | null, string | null]
  return { account, extras: { subproductCode, billerCode, ref2, icNumber } }
}

function contextOf({ resellerId, code }: SecretOwner, part: string): string {
  return `order:${resellerId}:${code}:${part}`
}
