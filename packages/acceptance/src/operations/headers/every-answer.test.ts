import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { from, newAddress, TRUST_TEST_PROXY } from '../../clients.ts'
import type { TestReseller } from '../../edge.ts'
import { balanceOf, createReseller, metricsUrlOf, signatureLines } from '../../edge.ts'
import type { Answer } from '../../http.ts'
import { rawSocket, send } from '../../http.ts'
import { withToken } from '../../mail/mailbox.ts'
import { signInMember } from '../../portal/people.ts'
import type { Service, TestDatabase } from '../../service.ts'
import { createDatabase, startService, stopServices } from '../../service.ts'

let database: TestDatabase
let service: Service
let reseller: TestReseller

beforeAll(async () => {
  database = await createDatabase()
  const environment = { ...TRUST_TEST_PROXY, WARUNG_REQUEST_TIMEOUT_SECONDS: '5' }
  service = await startService({ database, environment })
  reseller = await createReseller(service)
})

afterAll(async () => {
  await stopServices()
  await database?.drop()
})

function ask(path: string, method = 'GET', headers: Record<string, string> = {}): Promise<Answer> {
  return send({ baseUrl: service.baseUrl, path, method, headers: { ...from(newAddress()), ...headers } })
}

describe('no answer is to be taken for another kind of content', () => {
  const PATHS = ['/', '/docs', '/openapi.json', '/healthz', '/readyz', '/.well-known/jwks.json', '/nowhere']

  it.each([...PATHS, '/v2/balance', '/operator/v1/openapi.json', '/portal/v1/session', '/%zz'])(
    'GET %s',
    async (path) => {
      expect((await ask(path)).rawHeaders.filter((each) => each === 'nosniff')).toHaveLength(1)
    },
  )

  it('a page unchanged, a method that is not there, a body too large, one too many brackets', async () => {
    const etag = String((await ask('/docs')).headers.etag)
    const unchanged = await ask('/docs', 'GET', { 'If-None-Match': etag })
    const { baseUrl } = service
    const large = { 'Content-Length': '1000000000' }
    const answers = [
      unchanged,
      await ask('/v2/balance', 'DELETE'),
      await send({ baseUrl, method: 'POST', path: '/v2/token', headers: large, body: '{' }),
      await send({ baseUrl, method: 'POST', path: '/v2/token', body: '['.repeat(100) }),
      await balanceOf(service, reseller),
    ]
    expect(answers.map(({ status }) => status)).toEqual([304, 405, 413, 400, 200])
    for (const { headers } of answers) expect(headers['x-content-type-options']).toBe('nosniff')
  })

  it('mails, which only this machine reads', async () => {
    const answer = await send({ baseUrl: service.baseUrl, path: withToken(service, '/mailbox') })
    expect([answer.status, answer.headers['x-content-type-options']]).toEqual([200, 'nosniff'])
  })

  it('a file that is sent piece by piece', async () => {
    const member = await signInMember(service)
    const answer = await member.get('/payments.csv')
    expect(answer.status, answer.text).toBe(200)
    expect(answer.headers['transfer-encoding']).toBe('chunked')
    expect(answer.headers['x-content-type-options']).toBe('nosniff')
  })

  it.each([
    ['not HTTP', 'nonsense\r\n\r\n', 400],
    ['headers too large', `GET / HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
    ['a request that never ends', 'GET / HTTP/1.1\r\nHost: x\r\n', 408],
    ['a body that never ends', 'POST /v2/token HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{', 408],
    ['no Host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
  ])('%s', async (_, bytes, status) => {
    const raw = await rawSocket(service.baseUrl, bytes, { deadlineMs: 50_000 })
    expect(raw.status).toBe(status)
    expect(raw.text).toMatch(/^x-content-type-options: nosniff\r$/im)
  })

  it('figures, at their own address', async () => {
    const { origin } = metricsUrlOf(service)
    for (const path of ['/metrics', '/elsewhere']) {
      const answer = await send({ baseUrl: origin, path })
      expect(answer.headers['x-content-type-options'], path).toBe('nosniff')
    }
    expect((await rawSocket(origin, 'nonsense\r\n\r\n')).text).toMatch(/nosniff/)
  })
})

describe('HEAD', () => {
  const CHANGING = ['date', 'x-request-id', 'ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset']

  function lasting({ headers }: Answer): object {
    return Object.fromEntries(Object.entries(headers).filter(([name]) => !CHANGING.includes(name)))
  }

  it.each([
    '/',
    '/docs',
    '/openapi.json',
    '/operator/v1/openapi.json',
    '/portal/v1/openapi.json',
    '/.well-known/jwks.json',
    '/healthz',
    '/readyz',
  ])('answers at %s like GET, without the body', async (path) => {
    const got = await ask(path)
    const head = await ask(path, 'HEAD')
    expect(head.status).toBe(got.status)
    expect(head.bytes.length).toBe(0)
    expect(got.bytes.length).toBe(Number(head.headers['content-length']))
    expect(lasting(head)).toEqual(lasting(got))
  })

  it('HEAD of a page that did not change is 304', async () => {
    const { etag } = (await ask('/docs')).headers
    expect((await ask('/docs', 'HEAD', { 'If-None-Match': String(etag) })).status).toBe(304)
  })

  it('HEAD answers like GET for a mail page, the figures and a missing page', async () => {
    const { baseUrl } = service
    expect((await send({ baseUrl, path: withToken(service, '/mailbox'), method: 'HEAD' })).status).toBe(200)
    expect((await send({ baseUrl, path: withToken(service, '/mailbox/1'), method: 'HEAD' })).status).toBe(
      (await send({ baseUrl, path: withToken(service, '/mailbox/1') })).status,
    )
    expect((await ask('/nowhere', 'HEAD')).status).toBe(404)
    const { origin } = metricsUrlOf(service)
    const figures = await send({ baseUrl: origin, path: '/metrics', method: 'HEAD' })
    expect([figures.status, figures.bytes.length]).toEqual([200, 0])
  })

  it('is no method of the APIs themselves: 405 with those that are', async () => {
    for (const path of ['/v2/balance', '/v2/topup', '/callbacks/x', '/portal/v1/session']) {
      const answer = await ask(path, 'HEAD')
      expect(answer.status, path).toBe(405)
      expect(answer.headers.allow).not.toContain('HEAD')
    }
  })
})

describe('two Host headers', () => {
  it.each([
    ['one as the other', 'Host: x\r\nHost: x\r\n'],
    ['in another letter case', 'host: x\r\nA: b\r\nHOST: y\r\n'],
    ['an empty one', 'Host: x\r\nHost:\r\n'],
    ['behind more headers than Node keeps by itself', `Host: x\r\n${'a:\r\n'.repeat(2_100)}Host: y\r\n`],
  ])('are 400: %s', async (_, lines) => {
    for (const path of ['/', '/healthz', '/v2/balance', '/nowhere']) {
      const raw = await rawSocket(
        service.baseUrl,
        `GET ${path} HTTP/1.1\r\n${lines}Connection: close\r\n\r\n`,
      )
      expect(raw.status, path).toBe(400)
      expect(raw.text).toContain('There is more than one Host header.')
    }
  })

  it('are not made good by a signature', async () => {
    const lines = `Host: x\r\nHost: x\r\n${signatureLines(reseller)}Connection: close\r\n`
    expect((await rawSocket(service.baseUrl, `GET /v2/balance HTTP/1.1\r\n${lines}\r\n`)).status).toBe(400)
  })
})
