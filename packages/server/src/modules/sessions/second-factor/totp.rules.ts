import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { PersonKey } from '../people/people.types.ts'

// RFC 6238 as every authenticator app does it: SHA-1, six digits, thirty seconds.

const DIGITS = 6
const STEP_SECONDS = 30
/** Clocks differ, and people type slowly: the step before and the one after are taken too. */
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

/** The step a code is right for; undefined: it is wrong, or was taken before, or is older than one that was. */
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

/** RFC 4648, without the signs that only fill up. */
export function base32Of(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const groups = bits.match(/.{1,5}/g) ?? []
  return groups.map((group) => BASE32[Number.parseInt(group.padEnd(5, '0'), 2)]).join('')
}

/** What an app reads from a picture of it. */
export function otpauthUri(issuer: string, login: string, secret: Buffer): string {
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

// ── For those who lost the app ──

export const RECOVERY_CODES = 10
const RECOVERY_BYTES = 10

/** 80 random bits in four groups of four letters. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => {
    const text = base32Of(randomBytes(RECOVERY_BYTES)).toLowerCase()
    return (text.match(/.{4}/g) ?? []).join('-')
  })
}

/** However it was typed; one person's code says nothing about another's. */
export function recoveryDigest({ kind, resellerId, id }: PersonKey, code: string): Buffer {
  const plain = code.toLowerCase().replace(/[\s-]/g, '')
  return createHash('sha256').update(`${kind}:${resellerId}:${id}:${plain}`, 'utf8').digest()
}

/** What a secret is sealed with: copied to another person's row it does not open. */
export function factorContext({ kind, resellerId, id }: PersonKey): string {
  return `second_factor:${kind}:${resellerId}:${id}`
}
