import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Statement } from '../../db/database.ts'
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

/** Makes nonces whose statements are counted. */
function counted() {
  const counts = { batches: 0, underway: 0, underwayMax: 0 }
  const nonces = createNonces({
    ...test.database,
    async query<R extends object>(statement: Statement | string, values?: readonly unknown[]) {
      counts.batches += 1
      counts.underway += 1
      counts.underwayMax = Math.max(counts.underwayMax, counts.underway)
      try {
        return await test.database.query<R>(statement, values)
      } finally {
        counts.underway -= 1
      }
    },
  })
  return { nonces, counts }
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

  it('the first of equal ones in a batch is accepted, and the batch is one statement', async () => {
    const { nonces, counts } = counted()
    const nonce = randomUUID()
    const answers = await Promise.all(
      [nonce, randomUUID(), nonce].map((each) => nonces.spend(command(each), LATER)),
    )
    expect(answers).toEqual([true, true, false])
    expect(counts.batches).toBe(1)
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

  it('sweeping goes on until nothing is left that has expired, however much it is', async () => {
    await test.database.query(
      `insert into nonces (digest, request_id, used_at)
       select gen_random_uuid(), gen_random_uuid(), now() - interval '11 minutes' from generate_series(1, 5001)`,
    )
    await createNonces(test.database).sweep()
    const { rows } = await test.database.query(
      `select from nonces where used_at < now() - interval '10 minutes'`,
    )
    expect(rows).toEqual([])
  })

  it('a flood is spent in batches of 512, one after the other; what the queue cannot hold is refused at once', async () => {
    const { nonces, counts } = counted()
    expect(nonces.progress.stalledMs).toBe(0)
    const accepted = Array.from({ length: 20_000 }, () => nonces.spend(command(randomUUID()), LATER))
    expect(nonces.waiting).toBe(20_000)
    expect(nonces.progress.stalledMs).toBeGreaterThan(0)
    await expect(nonces.spend(command(randomUUID()), LATER)).rejects.toMatchObject({ status: 503 })
    await nonces.drain()
    expect(nonces.waiting).toBe(0)
    expect(counts).toEqual({ batches: Math.ceil(20_000 / 512), underway: 0, underwayMax: 1 })
    expect(new Set(await Promise.all(accepted))).toEqual(new Set([true]))
    await expect(nonces.spend(command(randomUUID()), LATER)).rejects.toMatchObject({
      status: 503,
      code: 'nonce_store_unavailable',
      cause: { message: 'nonces: closed' },
    })
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
