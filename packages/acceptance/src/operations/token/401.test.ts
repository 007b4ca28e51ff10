import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TRUST_TEST_PROXY, untilAnswered } from '../../clients.ts'
import { expectEdgeHeaders } from '../../edge.ts'
import type { Answer } from '../../http.ts'
import type { Service, TestDatabase } from '../../service.ts'
import { createDatabase, startService, stopServices, until } from '../../service.ts'
import type { TestUser } from '../../tokens.ts'
import { askToken, createUser } from '../../tokens.ts'

let database: TestDatabase
let service: Service
let user: TestUser

beforeAll(async () => {
  database = await createDatabase()
  service = await startService({ database, environment: TRUST_TEST_PROXY })
  user = await createUser(service)
})

afterAll(async () => {
  await stopServices()
  await database?.drop()
})

/** Returns everything by which a caller can tell two refusals apart: all but the request's own id and the date. */
function visible(answer: Answer): unknown {
  const { 'x-request-id': _, date: __, ...headers } = answer.headers
  return { status: answer.status, headers, text: answer.text }
}

describe('POST /v2/token with credentials that are not right', () => {
  it('answers the contract’s body, deprecated like the rest', async () => {
    const answer = await askToken(service, { username: user.username, password: 'wrong password' })
    expect(answer.status).toBe(401)
    expect(answer.json()).toStrictEqual({
      error: 'invalid_credentials',
      message: expect.stringMatching(/\S/),
      metadata: { status_code: 401 },
      errors: {},
    })
    expect(answer.headers.deprecation).toMatch(/\S/)
    expect(answer.headers.link).toMatch(/successor-version/)
    expectEdgeHeaders(answer)
  })

  it('tells a wrong password, an unknown name, a name nobody can have and a disabled user apart by nothing', async () => {
    const disabled = await createUser(service)
    const login = ['--reseller', disabled.account, '--username', disabled.username]
    await service.warungd('user', 'disable', ...login)
    const right = { username: disabled.username, password: disabled.password }
    await untilAnswered(() => askToken(service, right), 401, 'invalid_credentials')

    const answers = [
      await askToken(service, { username: user.username, password: 'wrong password' }),
      await askToken(service, { username: 'nobody.at.all', password: 'wrong password' }),
      await askToken(service, { username: 'no such name!\u0000\u{1f35c}', password: 'wrong password' }),
      await askToken(service, { username: 'a'.repeat(200), password: 'x'.repeat(1_000) }),
      await askToken(service, { username: user.account, password: user.password }),
      await askToken(service, right),
    ]
    for (const answer of answers) expect(visible(answer)).toEqual(visible(answers[0] as Answer))
  })

  it('knows passwords to the letter', async () => {
    const { username, password } = user
    const almost = [
      `${password} `,
      ` ${password}`,
      password.toLowerCase(),
      password.slice(0, -1),
      `${password}\u0000`,
    ]
    for (const each of almost.filter((one) => one !== password)) {
      expect((await askToken(service, { username, password: each })).status).toBe(401)
    }
    expect((await askToken(service, { username, password })).status).toBe(200)
  })

  it('forgets the old password at once when a new one is set', async () => {
    const person = await createUser(service)
    const { username, password } = person
    expect((await askToken(service, { username, password })).status).toBe(200)
    const login = ['--reseller', person.account, '--username', username]
    const fresh = await service.warungd<{ password: string }>('user', 'password', ...login)
    expect((await askToken(service, { username, password })).status).toBe(401)
    expect((await askToken(service, { username, password: fresh.password })).status).toBe(200)
  })

  it('writes neither names nor passwords into its log', async () => {
    const before = service.log().filter((line) => line.route === '/v2/token').length
    await askToken(service, { username: 'logged.name', password: 'logged-password' })
    await askToken(service, { username: user.username, password: user.password })
    await untilLogged(before + 2)
    for (const secret of ['logged.name', 'logged-password', user.password]) {
      expect(service.output()).not.toContain(secret)
    }
  })
})

/** Waits for the log, which is written a moment after the answers. */
async function untilLogged(count: number): Promise<void> {
  const lines = () => service.log().filter((line) => line.route === '/v2/token').length
  await until('the requests are in the log', async () => lines() >= count)
}
