import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { RequestError } from '../errors.ts'
import { MACHINE, strangerAt } from './hash-turns.ts'
import {
  DUMMY_HASH,
  generatePassword,
  hashPassword,
  randomBase62,
  verifyDummyHash,
  verifyPassword,
} from './passwords.ts'

// Other test files hash with little work (tools/src/tests/light-hashes.ts).
beforeAll(() => vi.stubEnv('WARUNG_TEST_HASHES', 'full'))
afterAll(() => vi.unstubAllEnvs())

describe('passwords', () => {
  it('are stored as argon2id with at least 19 MiB and two passes', async () => {
    expect(await hashPassword('correct horse', MACHINE)).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  })

  it('open with the same password and with no other', async () => {
    const stored = await hashPassword('correct horse', MACHINE)
    expect(await verifyPassword(stored, 'correct horse', MACHINE)).toBe(true)
    expect(await verifyPassword(stored, 'correct horsf', MACHINE)).toBe(false)
    expect(await verifyPassword(stored, '', MACHINE)).toBe(false)
  })

  it('are the same however the keyboard composed their letters', async () => {
    const stored = await hashPassword('caf\u00e9 au lait', MACHINE)
    expect(await verifyPassword(stored, 'cafe\u0301 au lait', MACHINE)).toBe(true)
  })

  it('never match nobody', async () => {
    expect(await verifyDummyHash('', MACHINE)).toBe(false)
    expect(await verifyDummyHash('correct horse', MACHINE)).toBe(false)
  })

  it('cost a stranger the work of a user: the same algorithm, memory, passes and lengths', async () => {
    const workOf = (passwordHash: string) => {
      const [, algorithm, version, cost, salt, digest] = passwordHash.split('$')
      return { algorithm, version, cost, salt: salt?.length, digest: digest?.length }
    }
    expect(workOf(DUMMY_HASH)).toEqual(workOf(await hashPassword('correct horse', MACHINE)))
    // The library can parse it: a hash that it refused to parse would cost nothing.
    expect(await verifyPassword(DUMMY_HASH, 'correct horse', MACHINE)).toBe(false)
  })

  it('are refused with 503 to a network beyond those that may wait, and the rest are answered', async () => {
    // The hashes are cheap: the test is about the queue.
    const cheap = DUMMY_HASH.replace(/m=\d+,t=\d+/, 'm=8,t=1')
    const flood = strangerAt('192.0.2.1')
    const answers = await Promise.allSettled(
      Array.from({ length: 30 }, () => verifyPassword(cheap, 'flood', flood)),
    )
    const refused = answers.filter((answer) => answer.status === 'rejected')
    expect(refused.length).toBe(9)
    for (const { reason } of refused) {
      expect(reason).toBeInstanceOf(RequestError)
      expect((reason as RequestError).status).toBe(503)
    }
    expect(await verifyDummyHash('after the flood', flood)).toBe(false)
  })

  it('passwords that are generated are long, in base 62, and never the same', () => {
    const made = new Set(Array.from({ length: 200 }, generatePassword))
    expect(made.size).toBe(200)
    for (const password of made) expect(password).toMatch(/^[0-9A-Za-z]{24}$/)
    expect(new Set(randomBase62(5_000)).size).toBe(62)
  })
})
