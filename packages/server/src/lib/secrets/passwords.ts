import { randomBytes, randomInt } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import type { Asker } from './hash-turns.ts'
import { createHashTurns } from './hash-turns.ts'

// Parameters of OWASP for argon2id, the library's default algorithm: 19 MiB and two passes a hash.
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/**
 * Hashes run on Node's four background threads, which tokens, compression and files need too; two stay free. Payments
 * share the processors with them, so strangers get one at a time, with a rest after it. Of those who wait, the last would
 * wait for seconds, and is better told to come back.
 */
const turns = createHashTurns({
  atOnceMax: 2,
  strangersAtOnceMax: 1,
  strangersRest: 1,
  waitingOfOneMax: 20,
  waitingMax: 100,
  waitMs: 20_000,
})

const GENERATED_LENGTH = 24
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Throws 503 if there is no place now to wait for a hash, before other work is done for it. */
export function admitHash(asker: Asker): void {
  turns.admit(asker)
}

/** Makes an argon2id hash in PHC form: the parameters are part of it. */
export function hashPassword(password: string, asker: Asker): Promise<string> {
  return turns.take(asker, () => hash(canonical(password), COST))
}

export function verifyPassword(passwordHash: string, password: string, asker: Asker): Promise<boolean> {
  return turns.take(asker, () => verify(passwordHash, canonical(password)))
}

/** Does the same work as `verifyPassword`, for a user who does not exist; nothing can match. */
export async function verifyDummyHash(password: string, asker: Asker): Promise<false> {
  await verifyPassword(DUMMY_HASH, password, asker)
  return false
}

/** Generates a password that is shown once: 142 bits. */
export function generatePassword(): string {
  return randomBase62(GENERATED_LENGTH)
}

export function randomBase62(length: number): string {
  return Array.from({ length }, () => BASE62[randomInt(BASE62.length)]).join('')
}

// Salt and digest that no password made. They are random rather than hashed, so that even the first call costs exactly
// one verification.
export const DUMMY_HASH = `$argon2id$v=19$m=${COST.memoryCost},t=${COST.timeCost},p=${COST.parallelism}$${phcBytes(16)}$${phcBytes(32)}`

function phcBytes(length: number): string {
  return randomBytes(length).toString('base64').replaceAll('=', '')
}

/** Normalizes a password: the same letters from another keyboard may arrive composed or decomposed. */
function canonical(password: string): string {
  return password.normalize('NFKC')
}
