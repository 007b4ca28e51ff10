import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errorOf, from, newAddress, TRUST_TEST_PROXY, untilAnswered } from '../../clients.ts'
import { expectForbidden } from '../../edge.ts'
import type { Service, TestDatabase } from '../../service.ts'
import { createDatabase, openService, stopServices } from '../../service.ts'
import type { TestUser } from '../../tokens.ts'
import { askRefresh, askToken, balanceByToken, createUser, getTokens, tokensIn } from '../../tokens.ts'

const RATE_LIMIT = 40
const HOME = '203.0.113.7'
const AWAY = '203.0.113.8'

let database: TestDatabase
let service: Service
let user: TestUser
let credentials: { username: string; password: string }
let tokens: { IdToken: string; RefreshToken: string }

beforeAll(async () => {
  database = await createDatabase()
  service = await openService({
    database,
    environment: {
      ...TRUST_TEST_PROXY,
      WARUNG_RATE_LIMIT: String(RATE_LIMIT),
      WARUNG_RATE_EXEMPT: '127.0.0.1,203.0.113.0/24',
    },
  })
  user = await createUser(service)
  credentials = { username: user.username, password: user.password }
  tokens = await getTokens(service, user)
  const account = ['--reseller', user.account]
  await service.warungd('allowlist', 'add', ...account, '--network', HOME, '--label', 'shop')
  await untilAnswered(() => balanceByToken(service, tokens.IdToken, from(AWAY)), 403, 'ip_not_allowed')
})

afterAll(async () => {
  await stopServices()
  await database?.drop()
})

describe('a request from an address that the account does not allow', () => {
  it('the right password gets no token', async () => {
    expectForbidden(await askToken(service, credentials, from(AWAY)), 'ip_not_allowed')
    expect((await askToken(service, credentials, from(HOME))).status).toBe(200)
  })

  it('a wrong password is answered as anywhere: the list tells nobody whose name is right', async () => {
    const wrong = { ...credentials, password: 'wrong password' }
    expect(errorOf(await askToken(service, wrong, from(AWAY)))).toBe('invalid_credentials')
  })

  it('neither refresh nor ID tokens work', async () => {
    const refresh = { refresh_token: tokens.RefreshToken }
    expectForbidden(await askRefresh(service, refresh, from(AWAY)), 'ip_not_allowed')
    expectForbidden(await balanceByToken(service, tokens.IdToken, from(AWAY)), 'ip_not_allowed')
    const fresh = tokensIn(await askRefresh(service, refresh, from(HOME)))
    expect((await balanceByToken(service, fresh.IdToken, from(HOME))).status).toBe(200)
  })

  it('believes only what a trusted proxy says: the last address that it did not write itself', async () => {
    const spoofed = { 'X-Forwarded-For': `${HOME}, ${AWAY}` }
    expectForbidden(await balanceByToken(service, tokens.IdToken, spoofed), 'ip_not_allowed')
  })
})

describe('a request from an address that exceeded the rate limit', () => {
  it('even the right password is refused, and the answer says for how long', async () => {
    const address = newAddress()
    for (let count = 0; count < RATE_LIMIT; count += 1) await service.get('/nowhere', from(address))
    const answer = await askToken(service, credentials, from(address))
    expectForbidden(answer, 'ip_blocked')
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(239 * 60)
    expect(answer.headers['ratelimit-remaining']).toBe('0')
  })
})
