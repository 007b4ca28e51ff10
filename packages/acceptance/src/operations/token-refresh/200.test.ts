import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { from, newAddress, TRUST_TEST_PROXY } from '../../clients.ts'
import { send } from '../../http.ts'
import type { ServiceProcess, TestDatabase } from '../../service.ts'
import { createDatabase, makeDirectory, newMasterKey, startService, stopServices } from '../../service.ts'
import { askRefresh, balanceByToken, createUser, getTokens, tokensIn } from '../../tokens.ts'

const masterKey = newMasterKey()
let database: TestDatabase
let dataDir: string
let service: ServiceProcess
let refreshToken: string

beforeAll(async () => {
  database = await createDatabase()
  dataDir = await makeDirectory()
  service = await startService({ database, masterKey, dataDir, environment: TRUST_TEST_PROXY })
  refreshToken = (await getTokens(service, await createUser(service))).RefreshToken
})

afterAll(async () => {
  await stopServices()
  await database?.drop()
})

describe('POST /v2/token/refresh', () => {
  it('answers the same record with RefreshToken null, which nobody may store', async () => {
    const answer = await askRefresh(service, { refresh_token: refreshToken })
    expect(answer.status).toBe(200)
    expect(answer.json()).toStrictEqual({
      AuthenticationResult: {
        AccessToken: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
        ExpiresIn: 3600,
        TokenType: 'Bearer',
        RefreshToken: null,
        IdToken: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      },
    })
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(answer.headers.deprecation).toMatch(/\S/)
    expect(answer.headers.link).toMatch(/successor-version/)
  })

  it('gives ID tokens that work, again and again from the one refresh token, also many at once', async () => {
    const ask = () => askRefresh(service, { refresh_token: refreshToken })
    const answers = [await ask(), ...(await Promise.all([ask(), ask(), ask()]))]
    const idTokens = answers.map((answer) => tokensIn(answer).IdToken)
    expect(new Set(idTokens).size).toBe(idTokens.length)
    for (const token of idTokens) expect((await balanceByToken(service, token)).status).toBe(200)
  })

  it('takes a form too', async () => {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded', ...from(newAddress()) }
    const body = new URLSearchParams({ refresh_token: refreshToken }).toString()
    const path = '/v2/token/refresh'
    const answer = await send({ baseUrl: service.baseUrl, method: 'POST', path, headers, body })
    expect(tokensIn(answer).RefreshToken).toBeNull()
  })

  it('works after kill -9 and a restart, for the token it gave before and for a new one', async () => {
    const { IdToken } = tokensIn(await askRefresh(service, { refresh_token: refreshToken }))
    await service.kill9()
    service = await startService({ database, masterKey, dataDir, environment: TRUST_TEST_PROXY })
    expect((await balanceByToken(service, IdToken)).status).toBe(200)
    const fresh = tokensIn(await askRefresh(service, { refresh_token: refreshToken }))
    expect((await balanceByToken(service, fresh.IdToken)).status).toBe(200)
  })
})
