import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { IssuedTokens, TestReseller } from '../../edge.ts'
import { BALANCE, balanceOf, createReseller, post } from '../../edge.ts'
import type { Answer } from '../../http.ts'
import { rawSocket, send } from '../../http.ts'
import type { Service, TestDatabase } from '../../service.ts'
import { createDatabase, startService, stopServices, until } from '../../service.ts'
import { freshNonce, signRequest } from '../../signing.ts'

type Line = Record<string, unknown>

let database: TestDatabase
let service: Service
let reseller: TestReseller

beforeAll(async () => {
  database = await createDatabase()
  service = await startService({ database })
  reseller = await createReseller(service)
})

afterAll(async () => {
  await stopServices()
  await database?.drop()
})

const linesOf = (id: unknown) => service.log().filter(({ request_id }) => request_id === id)

/** Waits for the line of a new request. The log is written in batches, so all lines before it are there too. */
async function untilWritten(): Promise<void> {
  const marker = (await service.get('/marker')).headers['x-request-id']
  await until('the log has everything up to now', async () => linesOf(marker).length > 0)
}

async function lineOf(answer: Pick<Answer, 'headers'>): Promise<Line> {
  await untilWritten()
  const lines = linesOf(answer.headers['x-request-id'])
  expect(lines).toHaveLength(1)
  return lines[0] ?? {}
}

describe('every request', () => {
  it('has one line, under the id that the caller was told', async () => {
    const { baseUrl } = service
    const answers = await Promise.all([
      ...Array.from({ length: 20 }, () => balanceOf(service, reseller)),
      service.get(BALANCE),
      service.get('/nowhere'),
      service.get('/v2/%zz'),
      service.get('/healthz'),
      service.get('/openapi.json'),
      send({ baseUrl, path: BALANCE, method: 'DELETE' }),
      post(service, '/v2/token', '{'),
      post(service, '/v2/token', Buffer.alloc(10_485_761, ' ')),
    ])
    await untilWritten()
    for (const answer of answers) {
      const lines = linesOf(answer.headers['x-request-id'])
      expect(lines).toHaveLength(1)
      expect(lines[0]).toMatchObject({ msg: 'request', status: answer.status })
    }
  })

  it('a request that was not even HTTP has a line too', async () => {
    for (const bytes of ['noise\r\n\r\n', `GET / HTTP/1.1\r\nA: ${'a'.repeat(20_000)}\r\n\r\n`]) {
      const { text, status } = await rawSocket(service.baseUrl, bytes)
      const id = /^x-request-id: (\S+)/im.exec(text)?.[1]
      expect(await lineOf({ headers: { 'x-request-id': String(id) } })).toMatchObject({
        msg: 'request',
        status,
      })
    }
  })

  it('is told by route, status, time, address and caller', async () => {
    const line = await lineOf(await balanceOf(service, reseller, { path: `${BALANCE}?a=1` }))
    expect(line).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      msg: 'request',
      request_id: expect.any(String),
      method: 'GET',
      route: BALANCE,
      status: 200,
      duration_ms: expect.any(Number),
      address: '127.0.0.1',
      reseller: reseller.account,
      key_id: expect.stringMatching(/^\d+$/),
    })
  })

  it('a refused request has the code, and no caller that was not proven', async () => {
    const line = await lineOf(await balanceOf(service, { ...reseller, apiKey: 'wk_stg_nobodys' }))
    expect(line).toMatchObject({ status: 401, error: 'invalid_api_key' })
    expect(line).not.toHaveProperty('reseller')
    const wrong = await balanceOf(service, reseller, { headers: { 'X-Signature': 'v1=x' } })
    expect(await lineOf(wrong)).not.toHaveProperty('reseller')
    expect(await lineOf(await service.get('/some/where?a=1'))).toMatchObject({
      route: '(no route)',
      error: 'not_found',
    })
  })

  it('is one line of JSON, whatever the caller sends', async () => {
    const hostile = '"}\n{"level":"fatal","msg":"forged"}'
    await service.get(`/${encodeURIComponent(hostile)}?${encodeURIComponent(hostile)}`, {
      'User-Agent': '"}{"msg":"forged"}',
      'X-Forwarded-For': '"}{"msg":"forged"}',
      'X-Request-Id': 'forged',
    })
    await post(service, '/v2/token', JSON.stringify({ username: hostile, password: hostile }))
    await untilWritten()
    expect(service.output()).not.toContain('forged')
  })
})

describe('no secret stands in the output', () => {
  const secret = () => `hush${randomBytes(12).toString('hex')}`

  it('a secret in any place of a request is not logged', async () => {
    const { baseUrl } = service
    const username = secret().slice(0, 20)
    const whose = ['--reseller', reseller.account, '--username', username, '--role', 'viewer']
    const { password } = await service.warungd<{ password: string }>('user', 'create', ...whose)
    const credentials = JSON.stringify({ username, password })
    const issued = await post(service, '/v2/token', credentials)
    const tokens = issued.json<{ AuthenticationResult: IssuedTokens }>().AuthenticationResult
    const refreshed = await post(
      service,
      '/v2/token/refresh',
      JSON.stringify({ refresh_token: tokens.RefreshToken }),
    )
    expect([issued.status, refreshed.status]).toEqual([200, 200])

    const inQuery = secret()
    const inPath = secret()
    const inBody = secret()
    const inHeader = secret()
    const wrongPassword = secret()
    const garbageToken = `${secret()}.${secret()}.${secret()}`
    const nonce = freshNonce()
    const headers = {
      ...signRequest({ ...reseller, method: 'GET', query: `q=${inQuery}`, nonce }),
      'X-Any': inHeader,
    }
    const path = `${BALANCE}?q=${inQuery}`
    const bearer = (token: string) => ({ Authorization: `Bearer ${token}` })
    const statuses = [
      await send({ baseUrl, path, headers, body: inBody }),
      // Requests: nonce reused, wrong signature, no signature, bad address, unknown path, wrong method.
      await send({ baseUrl, path, headers }),
      await send({ baseUrl, path: `${path}1`, headers }),
      await send({ baseUrl, path, headers: { 'X-Api-Key': inHeader, Cookie: inHeader } }),
      await service.get(`/v2/%zz/${inPath}?q=${inQuery}`),
      await service.get(`/${inPath}?q=${inQuery}`),
      await send({ baseUrl, path: `/v2/token/${inPath}`, method: 'PUT', body: inBody }),
      await service.get(BALANCE, bearer(tokens.IdToken)),
      await service.get(BALANCE, bearer(tokens.AccessToken)),
      await service.get(BALANCE, bearer(garbageToken)),
      await service.get(BALANCE, { Authorization: `Basic ${inHeader}` }),
      await post(service, '/v2/token', JSON.stringify({ username, password: wrongPassword })),
      await post(service, '/v2/token', `{"username":"${inBody}`),
      await post(service, '/v2/token', inBody, inHeader),
      await post(
        service,
        '/v2/token',
        `username=${inBody}&password=${inBody}`,
        'application/x-www-form-urlencoded',
      ),
      await post(service, '/v2/token/refresh', JSON.stringify({ refresh_token: inBody })),
    ].map(({ status }) => status)
    expect(statuses).toEqual([200, 401, 401, 401, 400, 404, 404, 200, 401, 401, 401, 401, 400, 415, 401, 401])
    await rawSocket(baseUrl, `GET /${inPath} HTTP/1.1\r\n${inHeader}\r\n\r\n`)
    await rawSocket(baseUrl, `${inBody}\r\n\r\n`)
    await untilWritten()

    const secrets = {
      ...{ secret: reseller.secretBase64, password, username, wrongPassword, garbageToken },
      ...{ id: tokens.IdToken, access: tokens.AccessToken, refresh: tokens.RefreshToken },
      ...{ inQuery, inPath, inBody, inHeader, nonce, signature: headers['X-Signature'].slice(3) },
      hexSecret: Buffer.from(reseller.secretBase64, 'base64').toString('hex'),
      apiKey: reseller.apiKey,
      masterKey: String(service.environment.WARUNG_MASTER_KEY),
      databasePassword: new URL(database.url).password || secret(),
    }
    const output = service.output()
    for (const [name, value] of Object.entries(secrets)) {
      expect(value.length, name).toBeGreaterThan(5)
      expect(output.includes(value), name).toBe(false)
    }
  })

  it('a secret is not in an answer that refuses either', async () => {
    const value = secret()
    const answers = [
      await service.get(`/${value}?q=${value}`),
      await service.get(`/%zz${value}`),
      await service.get(BALANCE, { 'X-Api-Key': value }),
      await service.get(BALANCE, { Authorization: `Bearer ${value}` }),
      await post(service, '/v2/token', `{"password":"${value}`),
      await post(service, '/v2/token', JSON.stringify({ username: value, password: value })),
      await post(service, '/v2/token', '{}', value),
    ]
    for (const answer of answers) {
      expect(answer.status).toBeGreaterThanOrEqual(400)
      expect(answer.text + JSON.stringify(answer.headers)).not.toContain(value)
    }
  })
})
