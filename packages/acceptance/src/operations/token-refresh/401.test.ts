import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { shareDemo } from '../../catalog.ts'
import { untilAnswered } from '../../clients.ts'
import { expectEdgeHeaders } from '../../edge.ts'
import type { Answer } from '../../http.ts'
import type { Service } from '../../service.ts'
import { connectDatabase } from '../../service.ts'
import type { TestUser } from '../../tokens.ts'
import { askRefresh, balanceByToken, createUser, getTokens } from '../../tokens.ts'

let database: pg.Client
let service: Service

beforeAll(async () => {
  service = (await shareDemo()).service
  database = await connectDatabase(service)
})

afterAll(() => database?.end())

function expectRefused(answer: Answer): void {
  expect(answer.json()).toStrictEqual({
    error: 'invalid_refresh_token',
    message: expect.stringMatching(/\S/),
    metadata: { status_code: 401 },
    errors: {},
  })
  expect(answer.status).toBe(401)
  expectEdgeHeaders(answer)
}

function change(user: TestUser, ...words: string[]) {
  return service.warungd('user', ...words, '--reseller', user.account, '--username', user.username)
}

describe('POST /v2/token/refresh with a token that does not count', () => {
  it('refuses what was never a refresh token', async () => {
    const { AccessToken, IdToken, RefreshToken } = await getTokens(service, await createUser(service))
    const changed = RefreshToken.slice(0, -1) + (RefreshToken.endsWith('A') ? 'B' : 'A')
    for (const token of [AccessToken.slice(0, 400), 'wrt_', 'x', changed, `${RefreshToken} `, '\u0000']) {
      expectRefused(await askRefresh(service, { refresh_token: token }))
    }
    expect(IdToken).not.toBe(RefreshToken)
    expect((await askRefresh(service, { refresh_token: RefreshToken })).status).toBe(200)
  })

  it('refuses every refresh token from before a change of password', async () => {
    const user = await createUser(service)
    const before = [await getTokens(service, user), await getTokens(service, user)]
    const { password } = await service.warungd<{ password: string }>(
      ...['user', 'password', '--reseller', user.account, '--username', user.username],
    )
    for (const { RefreshToken } of before) {
      const ask = () => askRefresh(service, { refresh_token: RefreshToken })
      expectRefused(await untilAnswered(ask, 401, 'invalid_refresh_token'))
    }
    const after = await getTokens(service, { ...user, password })
    expect((await askRefresh(service, { refresh_token: after.RefreshToken })).status).toBe(200)
  })

  it('refuses those of a disabled user, and of nobody else', async () => {
    const user = await createUser(service)
    const colleague = await createUser(service, { account: user.account })
    const tokens = await getTokens(service, user)
    const others = await getTokens(service, colleague)
    await change(user, 'disable')
    const ask = () => askRefresh(service, { refresh_token: tokens.RefreshToken })
    expectRefused(await untilAnswered(ask, 401, 'invalid_refresh_token'))
    expect((await askRefresh(service, { refresh_token: others.RefreshToken })).status).toBe(200)
    expect((await balanceByToken(service, others.IdToken)).status).toBe(200)
  })

  it('keeps no refresh token in the database as it was given', async () => {
    const { RefreshToken } = await getTokens(service, await createUser(service))
    const { rows } = await database.query(`select to_json(t)::text as row from refresh_tokens t`)
    expect(rows.length).toBeGreaterThan(0)
    expect(JSON.stringify(rows)).not.toContain(RefreshToken)
    expect(JSON.stringify(rows)).not.toContain(Buffer.from(RefreshToken).toString('hex'))
  })
})
