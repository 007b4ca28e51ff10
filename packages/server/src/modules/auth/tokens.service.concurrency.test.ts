import { afterAll, beforeAll, expect, it } from 'vitest'
import { RequestError } from '../../lib/errors.ts'
import { verifyPassword } from '../../lib/passwords.ts'
import type { TokenNode, TokensBench } from '../../testing/tokens.ts'
import { holdTokenRequests, newAddress, openTokensBench, seedTokenRequests } from '../../testing/tokens.ts'
import { updateUser } from '../accounts/service.ts'
import { failuresDigestOf } from './tokens.rules.ts'

let bench: TokensBench
let nodes: readonly [TokenNode, TokenNode]

beforeAll(async () => {
  bench = await openTokensBench()
  nodes = [await bench.openNode(), await bench.openNode()]
})
afterAll(() => bench.close())

async function statusOf(work: Promise<unknown>): Promise<number> {
  try {
    await work
    return 200
  } catch (error) {
    if (!(error instanceof RequestError)) throw error
    return error.status
  }
}

const nodeOf = (index: number) => (index % 2 === 0 ? nodes[0] : nodes[1]).tokens

const tally = (statuses: readonly number[]) =>
  Object.fromEntries(
    [200, 401, 429].map((status) => [status, statuses.filter((each) => each === status).length]),
  )

it('two nodes together admit twenty token requests of an address in a second', async () => {
  const address = newAddress()
  const ask = (index: number) => statusOf(nodeOf(index).refresh({ refreshToken: 'wrt_x', address }))
  await seedTokenRequests(bench.database, address, 18)
  expect(await ask(0)).toBe(401)
  await holdTokenRequests(bench.database, address)
  expect(await ask(1)).toBe(401)
  await holdTokenRequests(bench.database, address)
  expect([await ask(0), await ask(1)]).toEqual([429, 429])
})

it('a burst on two nodes is cut at twenty', async () => {
  const address = newAddress()
  const burst = () =>
    Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        statusOf(nodeOf(index).refresh({ refreshToken: 'wrt_x', address })),
      ),
    )
  const { rows } = await bench.database.query<{ now: Date }>('select clock_timestamp() as now')
  const statuses = await burst()
  const after = await bench.database.query<{ now: Date }>('select clock_timestamp() as now')
  const tookMs = Number(after.rows[0]?.now) - Number(rows[0]?.now)
  const admitted = tally(statuses)[401] ?? 0
  expect(admitted).toBeGreaterThanOrEqual(20)
  expect(admitted).toBeLessThanOrEqual(20 * (1 + Math.floor(tookMs / 1_000)))
})

it('of many wrong guesses sent at once to two nodes ten are answered, and then not even the right one', async () => {
  const user = await bench.newUser()
  const guess = (password: string, index: number) =>
    statusOf(nodeOf(index).issue({ username: user.username, password, address: newAddress() }))
  const statuses = await Promise.all(Array.from({ length: 24 }, (_, index) => guess(`guess ${index}`, index)))
  expect(tally(statuses)).toEqual({ 200: 0, 401: 10, 429: 14 })
  expect(await guess(user.password, 0)).toBe(429)
  expect(await guess(user.password, 1)).toBe(429)
})

it('guesses whose checks end at the same moment are still judged one by one', async () => {
  const user = await bench.newUser()
  const guesses = 8
  await bench.database.query(
    'insert into login_failures (username_digest) select $1 from generate_series(1, 9)',
    [failuresDigestOf('member', user.username)],
  )
  const waiting: (() => void)[] = []
  const together = () =>
    new Promise<false>((resolve) => {
      waiting.push(() => resolve(false))
      if (waiting.length === guesses) for (const end of waiting) end()
    })
  const { tokens } = await bench.openNode({
    passwords: { verifyPassword: together, verifyAgainstNobody: together },
  })
  const statuses = await Promise.all(
    Array.from({ length: guesses }, () =>
      statusOf(tokens.issue({ username: user.username, password: 'wrong', address: newAddress() })),
    ),
  )
  expect(tally(statuses)).toEqual({ 200: 0, 401: 1, 429: guesses - 1 })
})

it('a right guess that was checked while the failures of others filled the limit is not answered either', async () => {
  const user = await bench.newUser()
  const slow = await bench.openNode({
    passwords: {
      async verifyPassword(hash, password) {
        const right = await verifyPassword(hash, password)
        await bench.database.query(
          'insert into login_failures (username_digest) select $1 from generate_series(1, 10)',
          [failuresDigestOf('member', user.username)],
        )
        return right
      },
      verifyAgainstNobody: () => Promise.resolve(false),
    },
  })
  const { username, password } = user
  expect(await statusOf(slow.tokens.issue({ username, password, address: newAddress() }))).toBe(429)
})

it('many right logins of one user at once all succeed', async () => {
  const { username, password } = await bench.newUser()
  const statuses = await Promise.all(
    Array.from({ length: 15 }, (_, index) =>
      statusOf(nodeOf(index).issue({ username, password, address: newAddress() })),
    ),
  )
  expect(tally(statuses)).toEqual({ 200: 15, 401: 0, 429: 0 })
})

it('a refresh token given for a password that changed while it was being checked is worth nothing', async () => {
  const user = await bench.newUser()
  const { tokens } = await bench.openNode({
    passwords: {
      async verifyPassword(hash, password) {
        const right = await verifyPassword(hash, password)
        await updateUser(bench.accounts, user.resellerId, user.userId, { password: 'another password' })
        return right
      },
      verifyAgainstNobody: () => Promise.resolve(false),
    },
  })
  const { username, password } = user
  const { refreshToken } = await tokens.issue({ username, password, address: newAddress() })
  const request = { refreshToken: String(refreshToken), address: newAddress() }
  for (const node of nodes) await node.directory.refresh()
  expect(await statusOf(nodeOf(0).refresh(request))).toBe(401)
  expect(await statusOf(nodeOf(1).refresh(request))).toBe(401)
})
