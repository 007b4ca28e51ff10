import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { from, newAddress, TRUST_TEST_PROXY } from '../../clients.ts'
import { expectProblem } from '../../edge.ts'
import type { Answer } from '../../http.ts'
import type { ServiceProcess, TestDatabase } from '../../service.ts'
import {
  createDatabase,
  makeDirectory,
  newMasterKey,
  startService,
  stopServices,
  until,
} from '../../service.ts'
import { askRefresh, askToken, createUser, getTokens } from '../../tokens.ts'

const PER_SECOND = 20
const FAILURES = 10

const masterKey = newMasterKey()
let database: TestDatabase
let dataDir: string
let service: ServiceProcess

beforeAll(async () => {
  database = await createDatabase()
  dataDir = await makeDirectory()
  await start()
})

afterAll(async () => {
  await stopServices()
  await database?.drop()
})

async function start(): Promise<void> {
  service = await startService({ database, masterKey, dataDir, environment: TRUST_TEST_PROXY })
}

function expectTooMany(answer: Answer, secondsMax: number): void {
  expectProblem(answer, 429)
  expect(answer.headers['retry-after']).toMatch(/^[1-9]\d*$/)
  expect(Number(answer.headers['retry-after'])).toBeLessThanOrEqual(secondsMax)
  expect(answer.headers.deprecation).toMatch(/\S/)
}

/** Posts over a connection from one of this machine's own addresses. */
function postFrom(baseUrl: string, localAddress: string, body: unknown) {
  return new Promise<{ status: number; retryAfter: string }>((resolve, reject) => {
    const headers = { 'Content-Type': 'application/json' }
    const outgoing = request(new URL('/v2/token', baseUrl), { method: 'POST', localAddress, headers })
    outgoing.on('error', reject)
    outgoing.on('response', (incoming) => {
      incoming.resume()
      resolve({ status: incoming.statusCode ?? 0, retryAfter: incoming.headers['retry-after'] ?? '' })
    })
    outgoing.end(JSON.stringify(body))
  })
}

/** Sends requests that cost little, so that as many as possible fall into one second. */
function refreshes(address: string, count: number): Promise<Answer[]> {
  const ask = () => askRefresh(service, { refresh_token: 'wrt_nonsense' }, from(address))
  return Promise.all(Array.from({ length: count }, ask))
}

describe('more than 20 token requests in a second from one address', () => {
  it('are refused with Retry-After, whichever of the two operations they ask for', async () => {
    const refused = await until('an address is refused', async () => {
      // Each round has its own address: requests of the last round may be of the same second.
      const answers = await refreshes(newAddress(), 3 * PER_SECOND)
      expect(answers.filter((answer) => answer.status === 401).length).toBeGreaterThanOrEqual(PER_SECOND)
      return answers.find((answer) => answer.status === 429)
    })
    expectTooMany(refused, 1)
  })

  it('do not count against another address, and are forgotten after a second', async () => {
    const address = newAddress()
    await until('an address is refused', async () => {
      const answers = await refreshes(address, 3 * PER_SECOND)
      return answers.some((answer) => answer.status === 429)
    })
    expect((await refreshes(newAddress(), 1))[0]?.status).toBe(401)
    await until('it may ask again', async () => (await refreshes(address, 1))[0]?.status === 401)
  })
})

describe('ten failures for one user name from one address within 15 minutes', () => {
  it('shut the name out there, also for the right password and over a restart, and nowhere else', async () => {
    const user = await createUser(service)
    const tokens = await getTokens(service, user)
    const { username, password } = user
    const here = from(newAddress())
    for (let failure = 0; failure < FAILURES; failure += 1) {
      // Spellings of one name share the limit.
      const spelling = failure % 2 === 0 ? username : username.toUpperCase()
      const answer = await askToken(service, { username: spelling, password: 'wrong password' }, here)
      expect({ failure, status: answer.status }).toEqual({ failure, status: 401 })
    }
    expectTooMany(await askToken(service, { username, password }, here), 15 * 60)
    expectTooMany(await askToken(service, { username, password: 'wrong password' }, here), 15 * 60)
    await service.kill9()
    await start()
    const answer = await askToken(service, { username, password }, here)
    expectTooMany(answer, 15 * 60)
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(14 * 60)

    expect((await askToken(service, { username, password }, from(newAddress()))).status).toBe(200)
    expect((await askRefresh(service, { refresh_token: tokens.RefreshToken }, here)).status).toBe(200)
    const other = await createUser(service, { account: user.account })
    const others = { username: other.username, password: other.password }
    expect((await askToken(service, others, here)).status).toBe(200)
  })

  it('are counted over all addresses of an IPv6 /64', async () => {
    const { username, password } = await createUser(service)
    for (let failure = 0; failure < FAILURES; failure += 1) {
      const address = from(`2001:db8:0:9:${failure}::1`)
      const answer = await askToken(service, { username, password: 'wrong password' }, address)
      expect(answer.status).toBe(401)
    }
    expectTooMany(await askToken(service, { username, password }, from('2001:db8:0:9:ffff::1')), 15 * 60)
    expect((await askToken(service, { username, password }, from('2001:db8:0:a::1'))).status).toBe(200)
  })

  it('are counted by the connection’s own address where no proxy speaks for it', async () => {
    const { username, password } = await createUser(service)
    const direct = await startService({ database, masterKey, environment: {} })
    const guess = (localAddress: string, guessed: string) =>
      postFrom(direct.baseUrl, localAddress, { username, password: guessed })
    for (let failure = 0; failure < FAILURES; failure += 1) {
      expect((await guess('127.0.0.1', 'wrong password')).status).toBe(401)
    }
    expect(await guess('127.0.0.1', password)).toEqual({
      status: 429,
      retryAfter: expect.stringMatching(/^[1-9]\d*$/),
    })
    expect((await guess('127.0.0.2', password)).status).toBe(200)
    await direct.stop()
  })

  it('shut out a name that nobody has just the same', async () => {
    const credentials = { username: 'nobody.has.this', password: 'wrong password' }
    const here = from(newAddress())
    for (let failure = 0; failure < FAILURES; failure += 1) await askToken(service, credentials, here)
    expectTooMany(await askToken(service, credentials, here), 15 * 60)
  })

  it('are counted when they come all at once: no more than ten guesses are answered', async () => {
    const { username } = await createUser(service)
    const here = from(newAddress())
    const guess = () => askToken(service, { username, password: 'wrong password' }, here)
    const answers = await Promise.all(Array.from({ length: 2 * FAILURES }, guess))
    const statuses = answers.map((answer) => answer.status).sort()
    expect(statuses).toEqual([...Array(FAILURES).fill(401), ...Array(FAILURES).fill(429)])
  })

  it('count whatever succeeds in between: who knows one password guesses no longer at another', async () => {
    const { username, password } = await createUser(service)
    const here = from(newAddress())
    for (let failure = 0; failure < FAILURES; failure += 1) {
      expect((await askToken(service, { username, password: 'wrong password' }, here)).status).toBe(401)
      const isLast = failure === FAILURES - 1
      expect((await askToken(service, { username, password }, here)).status).toBe(isLast ? 429 : 200)
    }
  })
})
