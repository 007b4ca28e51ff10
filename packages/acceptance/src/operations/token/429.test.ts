import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { from, newAddress, TRUST_THE_TESTS } from '../../clients.ts'
import { expectProblem } from '../../edge.ts'
import type { Answer } from '../../http.ts'
import type { Service, TestDatabase } from '../../service.ts'
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
let service: Service

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
  service = await startService({ database, masterKey, dataDir, environment: TRUST_THE_TESTS })
}

function expectTooMany(answer: Answer, secondsMax: number): void {
  expectProblem(answer, 429)
  expect(answer.headers['retry-after']).toMatch(/^[1-9]\d*$/)
  expect(Number(answer.headers['retry-after'])).toBeLessThanOrEqual(secondsMax)
  expect(answer.headers.deprecation).toMatch(/\S/)
}

/** Requests that cost little, so that as many as possible fall into one second. */
function refreshes(address: string, count: number): Promise<Answer[]> {
  const ask = () => askRefresh(service, { refresh_token: 'wrt_nonsense' }, from(address))
  return Promise.all(Array.from({ length: count }, ask))
}

describe('more than 20 token requests in a second from one address', () => {
  it('are refused with Retry-After, whichever of the two operations they ask for', async () => {
    const address = newAddress()
    const refused = await until('an address is refused', async () => {
      const answers = await refreshes(address, 3 * PER_SECOND)
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

describe('ten failures for one user name within 15 minutes', () => {
  it('shut the name out, also for the right password, from everywhere and over a restart', async () => {
    const user = await createUser(service)
    const tokens = await getTokens(service, user)
    const { username, password } = user
    for (let failure = 0; failure < FAILURES; failure += 1) {
      // Spellings of one name share the limit.
      const spelling = failure % 2 === 0 ? username : username.toUpperCase()
      const answer = await askToken(service, { username: spelling, password: 'wrong password' })
      expect({ failure, status: answer.status }).toEqual({ failure, status: 401 })
    }
    expectTooMany(await askToken(service, { username, password }), 15 * 60)
    expectTooMany(await askToken(service, { username, password: 'wrong password' }), 15 * 60)
    await service.kill9()
    await start()
    const answer = await askToken(service, { username, password })
    expectTooMany(answer, 15 * 60)
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(14 * 60)

    // Whoever is logged in already is not shut out by somebody else's guesses.
    expect((await askRefresh(service, { refresh_token: tokens.RefreshToken })).status).toBe(200)
    const other = await createUser(service, { account: user.account })
    expect((await askToken(service, { username: other.username, password: other.password })).status).toBe(200)
  })

  it('shut out a name that nobody has just the same', async () => {
    const credentials = { username: 'nobody.has.this', password: 'wrong password' }
    for (let failure = 0; failure < FAILURES; failure += 1) await askToken(service, credentials)
    expectTooMany(await askToken(service, credentials), 15 * 60)
  })

  it('are counted when they come all at once: no more than ten guesses are answered', async () => {
    const { username } = await createUser(service)
    const guess = () => askToken(service, { username, password: 'wrong password' })
    const answers = await Promise.all(Array.from({ length: 2 * FAILURES }, guess))
    const statuses = answers.map((answer) => answer.status).sort()
    expect(statuses).toEqual([...Array(FAILURES).fill(401), ...Array(FAILURES).fill(429)])
  })

  it('count whatever succeeds in between: who knows one password guesses no longer at another', async () => {
    const { username, password } = await createUser(service)
    for (let failure = 0; failure < FAILURES; failure += 1) {
      expect((await askToken(service, { username, password: 'wrong password' })).status).toBe(401)
      const isLast = failure === FAILURES - 1
      expect((await askToken(service, { username, password })).status).toBe(isLast ? 429 : 200)
    }
  })
})
