import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestDatabase } from '../../testing/database.ts'
import { openTestDatabase } from '../../testing/database.ts'
import { nonceDigest } from './nonces.rules.ts'
import { createNonces } from './nonces.service.ts'
import type { NonceCommand } from './nonces.types.ts'

let test: TestDatabase
beforeAll(async () => {
  test = await openTestDatabase()
})
afterAll(() => test.close())

const LATER = Number.POSITIVE_INFINITY

function command(nonce: string, keyId = 1n): NonceCommand {
  return {
    digest: nonceDigest(keyId, nonce),
    requestId: randomUUID(),
    timestampSeconds: Math.floor(Date.now() / 1_000),
  }
}

describe('nonces', () => {
  it('fifty requests with one nonce at once, on two nodes: exactly one is accepted', async () => {
    const nodes = [createNonces(test.database), createNonces(test.openAnother())]
    for (let round = 0; round < 5; round += 1) {
      const nonce = randomUUID()
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, index) => nodes[index % 2]?.spend(command(nonce), LATER)),
      )
      expect(answers.filter((accepted) => accepted === true)).toHaveLength(1)
    }
  })

  it('batches with common nonces in opposite order never wait for each other in a circle', async () => {
    const nodes = [createNonces(test.database), createNonces(test.openAnother())]
    const nonces = Array.from({ length: 200 }, () => randomUUID())
    const answers = await Promise.all([
      ...nonces.map((nonce) => nodes[0]?.spend(command(nonce), LATER)),
      ...[...nonces].reverse().map((nonce) => nodes[1]?.spend(command(nonce), LATER)),
    ])
    expect(answers.filter((accepted) => accepted === true)).toHaveLength(200)
  })

  it('are remembered per key', async () => {
    const nonces = createNonces(test.database)
    const nonce = randomUUID()
    expect(await nonces.spend(command(nonce, 1n), LATER)).toBe(true)
    expect(await nonces.spend(command(nonce, 2n), LATER)).toBe(true)
    expect(await nonces.spend(command(nonce, 1n), LATER)).toBe(false)
  })

  it('the same command run again, as after a lost connection, does not meet itself', async () => {
    const nonces = createNonces(test.database)
    const once = command(randomUUID())
    expect(await nonces.spend(once, LATER)).toBe(true)
    expect(await nonces.spend(once, LATER)).toBe(true)
    expect(await nonces.spend({ ...once, requestId: randomUUID() }, LATER)).toBe(false)
  })

  it('last ten minutes by the database clock, and no longer', async () => {
    const nonces = createNonces(test.database)
    const nonce = randomUUID()
    await nonces.spend(command(nonce), LATER)
    const age = (interval: string) =>
      test.database.query(`update nonces set used_at = now() - interval '${interval}' where digest = $1`, [
        nonceDigest(1n, nonce),
      ])
    await age('9 minutes 58 seconds')
    expect(await nonces.spend(command(nonce), LATER)).toBe(false)
    await age('10 minutes 1 second')
    expect(await nonces.spend(command(nonce), LATER)).toBe(true)
    expect(await nonces.spend(command(nonce), LATER)).toBe(false)
  })

  it('a signature that expired while it waited is not accepted', async () => {
    const nonces = createNonces(test.database)
    const late = { ...command(randomUUID()), timestampSeconds: Math.floor(Date.now() / 1_000) - 302 }
    expect(await nonces.spend(late, LATER)).toBe(false)
  })

  it('sweeping forgets what has expired and nothing else', async () => {
    const nonces = createNonces(test.database)
    const old = Array.from({ length: 30 }, () => command(randomUUID()))
    const young = command(randomUUID())
    await Promise.all([...old, young].map((each) => nonces.spend(each, LATER)))
    await test.database.query(
      `update nonces set used_at = now() - interval '11 minutes' where digest = any($1)`,
      [old.map((each) => each.digest)],
    )
    await nonces.sweep()
    const { rows } = await test.database.query<{ digest: string }>('select digest from nonces')
    const left = new Set(rows.map((row) => row.digest))
    expect(old.some((each) => left.has(each.digest))).toBe(false)
    expect(left.has(young.digest)).toBe(true)
  })

  it('a store out of reach is 503, never a verdict about the nonce', async () => {
    const unreachable = test.openAnother()
    const nonces = createNonces({
      ...unreachable,
      query: () => Promise.reject(new Error('connection refused')),
    })
    await expect(nonces.spend(command(randomUUID()), LATER)).rejects.toMatchObject({ status: 503 })
  })
})
