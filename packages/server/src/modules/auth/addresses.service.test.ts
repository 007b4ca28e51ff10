import { randomInt } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { networkOf, parseNetwork } from '../../lib/addresses.ts'
import type { TestDatabase } from '../../testing/database.ts'
import { openTestDatabase } from '../../testing/database.ts'
import type { Limiter } from './addresses.service.ts'
import { liftBlock, listBlockedAddresses, openLimiter } from './addresses.service.ts'

let test: TestDatabase
const opened: Limiter[] = []
beforeAll(async () => {
  test = await openTestDatabase()
})
afterAll(async () => {
  await Promise.all(opened.map((limiter) => limiter.close()))
  await test.close()
})

async function openNode(limit: number, exempt: string[] = []): Promise<Limiter> {
  const limiter = await openLimiter({
    database: test.openAnother(),
    limit,
    blockMinutes: 240,
    exempt: exempt.map((text) => parseNetwork(text)).filter((network) => network !== undefined),
    onProblem: (text, error) => {
      throw new Error(text, { cause: error })
    },
  })
  opened.push(limiter)
  return limiter
}

const someAddress = () => `198.51.${randomInt(256)}.${randomInt(1, 255)}`

describe('the rate limit', () => {
  it('admits exactly the limit, then blocks for 240 minutes', async () => {
    const node = await openNode(20)
    const address = someAddress()
    for (let index = 1; index <= 20; index += 1) {
      expect(await node.admit(address)).toMatchObject({
        limit: 20,
        remaining: 20 - index,
        blockedForSeconds: 0,
      })
    }
    const refused = await node.admit(address)
    expect(refused.blockedForSeconds).toBeGreaterThan(239 * 60)
    expect(refused.blockedForSeconds).toBeLessThanOrEqual(240 * 60)
    expect((await node.admit(someAddress())).blockedForSeconds).toBe(0)
  })

  it('counts over all nodes', async () => {
    const [one, two] = [await openNode(20), await openNode(20)]
    const address = someAddress()
    for (let index = 0; index < 12; index += 1) {
      await one.admit(address)
      await two.admit(address)
    }
    await one.synchronize()
    await two.synchronize()
    await one.synchronize()
    expect((await one.admit(address)).blockedForSeconds).toBeGreaterThan(0)
    expect((await two.admit(address)).blockedForSeconds).toBeGreaterThan(0)
  })

  it('counts over all nodes at its interval, without being asked', async () => {
    const [one, two] = [await openNode(20), await openNode(20)]
    const address = someAddress()
    const isBlocked = async (node: Limiter) => (await node.admit(address)).blockedForSeconds > 0
    while (!(await isBlocked(one)));
    await expect.poll(() => isBlocked(two), { interval: 20 }).toBe(true)
    // A node refuses from memory while it still writes its block, and that block would come after the lifting.
    await two.synchronize()
    await liftBlock(test.database, address)
    for (const node of [one, two]) {
      await expect.poll(() => node.peek(address).blockedForSeconds, { interval: 20 }).toBe(0)
    }
  })

  it('a block is in the database before its first refusal is answered, and a new node knows it', async () => {
    const node = await openNode(1)
    const address = someAddress()
    await node.admit(address)
    expect((await node.admit(address)).blockedForSeconds).toBeGreaterThan(0)
    const blocks = await listBlockedAddresses(test.database)
    expect(blocks.map((block) => block.address)).toContain(address)
    const later = await openNode(1_000)
    expect((await later.admit(address)).blockedForSeconds).toBeGreaterThan(0)
  })

  it('counts survive a restart', async () => {
    const before = await openNode(20)
    const address = someAddress()
    for (let index = 0; index < 15; index += 1) await before.admit(address)
    await before.close()
    const after = await openNode(20)
    for (let index = 0; index < 15; index += 1) await after.admit(address)
    await after.synchronize()
    expect((await after.admit(address)).blockedForSeconds).toBeGreaterThan(0)
  })

  it('a lifted block is lifted on every node, and the count begins anew', async () => {
    const [one, two] = [await openNode(3), await openNode(3)]
    const address = someAddress()
    for (let index = 0; index < 4; index += 1) await one.admit(address)
    await two.synchronize()
    expect((await two.admit(address)).blockedForSeconds).toBeGreaterThan(0)
    await liftBlock(test.database, address)
    await one.synchronize()
    await two.synchronize()
    expect(await one.admit(address)).toMatchObject({ blockedForSeconds: 0, remaining: 2 })
    expect((await two.admit(address)).blockedForSeconds).toBe(0)
  })

  it('a block ends by itself', async () => {
    const node = await openNode(1)
    const address = someAddress()
    await node.admit(address)
    await node.admit(address)
    await test.database.query('update address_blocks set blocked_until = now() where address = $1', [address])
    await node.synchronize()
    expect((await node.admit(address)).blockedForSeconds).toBe(0)
  })

  it.each([
    ['at once', false],
    ['after a sweep', true],
  ])(
    'a block that ended within its window does not begin again with the next request, %s',
    async (_, isSwept) => {
      const node = await openNode(3)
      const address = someAddress()
      for (let index = 0; index < 4; index += 1) await node.admit(address)
      await node.synchronize()
      await test.database.query(
        `update address_blocks set blocked_until = now() - interval '1 millisecond' where address = $1`,
        [address],
      )
      if (isSwept) await node.sweep()
      await node.synchronize()
      for (const remaining of [2, 1, 0]) {
        expect(await node.admit(address)).toMatchObject({ blockedForSeconds: 0, remaining })
        await node.synchronize()
      }
      expect((await node.admit(address)).blockedForSeconds).toBeGreaterThan(0)
    },
  )

  it('a window ends five minutes after its first request', async () => {
    const node = await openNode(20)
    const address = someAddress()
    for (let index = 0; index < 19; index += 1) await node.admit(address)
    await node.close()
    await test.database.query(
      `update address_counters set window_started_at = now() - interval '301 seconds' where address = $1`,
      [address],
    )
    const later = await openNode(20)
    for (let index = 0; index < 10; index += 1) await later.admit(address)
    await later.synchronize()
    expect(await later.admit(address)).toMatchObject({ blockedForSeconds: 0, remaining: 9 })
  })

  it('exempt networks are never counted', async () => {
    const node = await openNode(1, ['203.0.113.0/24'])
    for (let index = 0; index < 5; index += 1) {
      expect((await node.admit('203.0.113.9')).blockedForSeconds).toBe(0)
    }
  })

  it('counts all addresses of an IPv6 /64 as one, and blocks and lifts them as one, over all nodes', async () => {
    const [one, two] = [await openNode(6), await openNode(6)]
    const prefix = `2001:db8:${randomInt(0xffff).toString(16)}:${randomInt(1, 0xffff).toString(16)}`
    const inside = () => `${prefix}:${randomInt(0xffff).toString(16)}::${randomInt(0xffff).toString(16)}`
    for (let index = 0; index < 4; index += 1) {
      await one.admit(inside())
      await two.admit(inside())
    }
    await one.synchronize()
    await two.synchronize()
    await one.synchronize()
    expect((await one.admit(inside())).blockedForSeconds).toBeGreaterThan(0)
    expect((await two.admit(inside())).blockedForSeconds).toBeGreaterThan(0)
    expect((await one.admit('2001:db8::1')).blockedForSeconds).toBe(0)
    const listed = (await listBlockedAddresses(test.database)).map((block) => block.address)
    expect(listed).toContain(networkOf(inside()))

    expect(await liftBlock(test.database, inside())).toMatchObject({ address: networkOf(inside()) })
    await one.synchronize()
    await two.synchronize()
    expect((await one.admit(inside())).blockedForSeconds).toBe(0)
    expect((await two.admit(inside())).blockedForSeconds).toBe(0)
  })

  it('shows what is left of the limit for a whole /64, and to a blocked one that it is blocked', async () => {
    const node = await openNode(2)
    const prefix = `2001:db8:${randomInt(0xffff).toString(16)}:77`
    await node.admit(`${prefix}::1`)
    expect(node.peek(`${prefix}::2`)).toMatchObject({ remaining: 1, blockedForSeconds: 0 })
    await node.admit(`${prefix}::3`)
    await node.admit(`${prefix}::4`)
    expect(node.peek(`${prefix}::5`).blockedForSeconds).toBeGreaterThan(0)
  })

  it('an IPv4 address and its IPv4-mapped spelling are one', async () => {
    const node = await openNode(2)
    const address = someAddress()
    await node.admit(address)
    await node.admit(`::ffff:${address}`)
    expect((await node.admit(address)).blockedForSeconds).toBeGreaterThan(0)
    expect(await liftBlock(test.database, `::ffff:${address}`)).toMatchObject({ address })
  })

  it('a single IPv6 address that an earlier version blocked is blocked, listed and lifted with its /64', async () => {
    await test.database.query(
      `insert into address_blocks (address, blocked_at, blocked_until, requests)
       values ('2001:db8:77:88::9', now(), now() + interval '1 hour', 7)`,
    )
    const node = await openNode(5)
    expect((await node.admit('2001:db8:77:88::1')).blockedForSeconds).toBeGreaterThan(0)
    const listed = (await listBlockedAddresses(test.database)).map((block) => block.address)
    expect(listed).toContain('2001:db8:77:88::/64')
    await liftBlock(test.database, '2001:db8:77:88::/64')
    await node.synchronize()
    expect((await node.admit('2001:db8:77:88::9')).blockedForSeconds).toBe(0)
  })

  it('an exempt IPv6 network is matched by its own length, not by the /64', async () => {
    const node = await openNode(1, ['2001:db8:5:5::7/128'])
    for (let index = 0; index < 3; index += 1) {
      expect((await node.admit('2001:db8:5:5::7')).blockedForSeconds).toBe(0)
    }
    await node.admit('2001:db8:5:5::8')
    expect((await node.admit('2001:db8:5:5::9')).blockedForSeconds).toBeGreaterThan(0)
    expect((await node.admit('2001:db8:5:5::7')).blockedForSeconds).toBe(0)
  })

  it('lifting what is not blocked, or no address at all, is refused in words', async () => {
    await expect(liftBlock(test.database, '192.0.2.1')).rejects.toMatchObject({ status: 404 })
    for (const text of ['nonsense', '2001:db8::/48', '192.0.2.0/24', '192.0.2.1/64']) {
      await expect(liftBlock(test.database, text)).rejects.toMatchObject({ status: 400 })
    }
  })
})
