import { randomBytes, randomInt } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import { unavailable } from '../errors.ts'

// Parameters of OWASP for argon2id, the library's default algorithm: 19 MiB and two passes a hash.
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

// Limit of concurrent hashes. They run on Node's four background threads, which tokens, compression and files need too;
// two stay free.
const HASHES_MAX = 2
// Limit of waiting hashes. A caller further back would wait for seconds, and is better told to come back.
const WAITING_MAX = 200

const GENERATED_LENGTH = 24
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Makes an argon2id hash in PHC form: the parameters are part of it. */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(canonical(password), COST))
}

export function verifyPassword(passwordHash: string, password: string): Promise<boolean> {
  return inTurn(() => verify(passwordHash, canonical(password)))
}

/** Does the same work as `verifyPassword`, for a user who does not exist; nothing can match. */
export async function verifyDummyHash(password: string): Promise<false> {
  await verifyPassword(DUMMY_HASH, password)
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

let underWay = 0
const waiting: (() => void)[] = []

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (underWay < HASHES_MAX) underWay += 1
  else {
    if (waiting.length >= WAITING_MAX) throw unavailable('busy', 'too many passwords wait to be hashed')
    // The place is handed to the next in line and never freed in between, so a newcomer cannot pass the queue.
    await new Promise<void>((resume) => waiting.push(resume))
  }
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next === undefined) underWay -= 1
    else next()
  }
}
