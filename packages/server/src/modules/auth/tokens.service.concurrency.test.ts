import { afterAll, beforeAll, expect, it } from 'vitest'
import { RequestError } from '../../lib/errors.ts'
import { verifyPassword } from '../../lib/secrets/passwords.ts'
import type { TestUser, TokenNode, TokensBench } from '../../testing/tokens.ts'
import { holdTokenRequests, newAddress, openTokensBench, seedTokenRequests } from '../../testing/tokens.ts'
import { updateUser } from '../accounts/service.ts'
import { digestOfNetwork } from './attempts.rules.ts'
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

function failTimes(user: TestUser, count: number, address: string) {
  return bench.database.query(
    'insert into login_failures (username_digest, place) select $1, $2 from generate_series(1, $3)',
    [failuresDigestOf('member', user.username), digestOfNetwork(address), count],
  )
}

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

/** Guesses without the limit of requests per second: the address is removed from its counter first. */
const guessFrom = async (user: TestUser, password: string, address: string, index: number) => {
  await bench.database.query('delete from token_request_counters where address = $1', [address])
  return statusOf(nodeOf(index).issue({ username: user.username, password, address }))
}

it('many wrong guesses sent at once to two nodes: ten are answered, and then not even the right one', async () => {
  const user = await bench.newUser()
  const address = newAddress()
  const guess = (password: string, index: number) => guessFrom(user, password, address, index)
  const statuses = await Promise.all(Array.from({ length: 20 }, (_, index) => guess(`guess ${index}`, index)))
  expect(tally(statuses)).toEqual({ 200: 0, 401: 10, 429: 10 })
  expect(await guess(user.password, 0)).toBe(429)
  expect(await guess(user.password, 1)).toBe(429)
  expect(await guessFrom(user, user.password, newAddress(), 1)).toBe(200)
})

it('wrong guesses sent at once from many addresses: fifty are answered, and the owner at home still signs in', async () => {
  const user = await bench.newUser()
  const home = newAddress()
  expect(await guessFrom(user, user.password, home, 0)).toBe(200)
  const guesses = Array.from({ length: 66 }, (_, index) =>
    guessFrom(user, `guess ${index}`, newAddress(), index),
  )
  const owner = [0, 1, 2].map((index) => guessFrom(user, user.password, home, index))
  expect(tally(await Promise.all(guesses))).toEqual({ 200: 0, 401: 50, 429: 16 })
  expect(tally(await Promise.all(owner))).toEqual({ 200: 3, 401: 0, 429: 0 })
  expect(await guessFrom(user, user.password, newAddress(), 0)).toBe(429)
  expect(await guessFrom(user, user.password, home, 1)).toBe(200)
})

it('guesses whose checks end at the same moment are still judged one by one', async () => {
  const user = await bench.newUser()
  const guesses = 8
  const address = newAddress()
  await failTimes(user, 9, address)
  const waiting: (() => void)[] = []
  const together = () =>
    new Promise<false>((resolve) => {
      waiting.push(() => resolve(false))
      if (waiting.length === guesses) for (const end of waiting) end()
    })
  const { tokens } = await bench.openNode({
    passwords: { verifyPassword: together, verifyDummyHash: together },
  })
  const statuses = await Promise.all(
    Array.from({ length: guesses }, () =>
      statusOf(tokens.issue({ username: user.username, password: 'wrong', address })),
    ),
  )
  expect(tally(statuses)).toEqual({ 200: 0, 401: 1, 429: guesses - 1 })
})

it('a right guess that was checked while the failures of others filled the limit is not answered either', async () => {
  const user = await bench.newUser()
  const address = newAddress()
  const slow = await bench.openNode({
    passwords: {
      async verifyPassword(hash, password, asker) {
        const right = await verifyPassword(hash, password, asker)
        await failTimes(user, 10, address)
        return right
      },
      verifyDummyHash: () => Promise.resolve(false),
    },
  })
  const { username, password } = user
  expect(await statusOf(slow.tokens.issue({ username, password, address }))).toBe(429)
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
      async verifyPassword(hash, password, asker) {
        const right = await verifyPassword(hash, password, asker)
        await updateUser(bench.accounts, user.resellerId, user.userId, { password: 'another password' })
        return right
      },
      verifyDummyHash: () => Promise.resolve(false),
    },
  })
  const { username, password } = user
  const { refreshToken } = await tokens.issue({ username, password, address: newAddress() })
  const request = { refreshToken: String(refreshToken), address: newAddress() }
  for (const node of nodes) await node.directory.refresh()
  expect(await statusOf(nodeOf(0).refresh(request))).toBe(401)
  expect(await statusOf(nodeOf(1).refresh(request))).toBe(401)
})
