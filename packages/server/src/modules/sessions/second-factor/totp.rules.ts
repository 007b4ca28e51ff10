import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { PersonKey } from '../people/people.types.ts'

// TOTP (RFC 6238) in the form that every authenticator app uses: SHA-1, six digits, thirty seconds.

const DIGITS = 6
const STEP_SECONDS = 30
/** Steps before and after the present one that are accepted too, because clocks differ and people type slowly. */
const STEPS_AROUND = 1
const SECRET_BYTES = 20

export function newTotpSecret(): Buffer {
  return randomBytes(SECRET_BYTES)
}

export function stepAt(nowMs: number): bigint {
  return BigInt(Math.floor(nowMs / 1_000 / STEP_SECONDS))
}

export function codeAt(secret: Buffer, step: bigint): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(step)
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = mac.readUInt8(mac.length - 1) & 0xf
  const number = mac.readUInt32BE(offset) & 0x7fffffff
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0')
}

export function isTotpShaped(code: string): boolean {
  return /^\d{6}$/.test(code)
}

/**
 * Finds the step for which a code is right. undefined: the code is wrong, was used before, or is older than a used one.
 */
export function findStep(
  secret: Buffer,
  code: string,
  { nowMs, lastStep }: { nowMs: number; lastStep: bigint },
): bigint | undefined {
  if (!isTotpShaped(code)) return undefined
  const now = stepAt(nowMs)
  let found: bigint | undefined
  for (let away = -STEPS_AROUND; away <= STEPS_AROUND; away += 1) {
    const step = now + BigInt(away)
    const isRight = timingSafeEqual(Buffer.from(codeAt(secret, step)), Buffer.from(code))
    if (isRight && step > lastStep) found = step
  }
  return found
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Base32 by RFC 4648, without padding. */
export function base32Of(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const groups = bits.match(/.{1,5}/g) ?? []
  return groups.map((group) => BASE32[Number.parseInt(group.padEnd(5, '0'), 2)]).join('')
}

/** URI that an app reads from a QR code. */
export function otpauthUri(named: string, login: string, secret: Buffer): string {
  // Apps take the text before the first colon for the issuer, even where the colon is encoded.
  const issuer = named.replaceAll(':', ' ')
  const parameters = new URLSearchParams({
    secret: base32Of(secret),
    issuer,
    algorithm: 'SHA1',
    digits: String(DIGITS),
    period: String(STEP_SECONDS),
  })
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(login)}`
  return `otpauth://totp/${label}?${parameters.toString().replaceAll('+', '%20')}`
}

// ── Recovery codes ──

export const RECOVERY_CODES = 10
const RECOVERY_BYTES = 10

/** Makes codes of 80 random bits each, in four groups of four letters. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => {
    const text = base32Of(randomBytes(RECOVERY_BYTES)).toLowerCase()
    return (text.match(/.{4}/g) ?? []).join('-')
  })
}

/**
 * Digest of a recovery code, however it was typed. It contains the person, so equal codes of two people have different
 * digests.
 */
export function recoveryDigest({ kind, resellerId, id }: PersonKey, code: string): Buffer {
  const plain = code.toLowerCase().replace(/[\s-]/g, '')
  return createHash('sha256').update(`${kind}:${resellerId}:${id}:${plain}`, 'utf8').digest()
}

/** Context with which a secret is sealed: copied to another person's row, it cannot be opened. */
export function factorContext({ kind, resellerId, id }: PersonKey): string {
  return `second_factor:${kind}:${resellerId}:${id}`
}
