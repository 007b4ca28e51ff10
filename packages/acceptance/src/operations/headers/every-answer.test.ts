import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { from, newAddress, TRUST_TEST_PROXY } from '../../clients.ts'
import type { TestReseller } from '../../edge.ts'
import { balanceOf, createReseller, metricsUrlOf, signatureLines } from '../../edge.ts'
import type { Answer } from '../../http.ts'
import { rawSocket, send, signed } from '../../http.ts'
import { withToken } from '../../mail/mailbox.ts'
import { signInAs } from '../../operator/operators.ts'
import { signInMember } from '../../portal/people.ts'
import type { Service, TestDatabase } from '../../service.ts'
import { createDatabase, openService, stopServices } from '../../service.ts'

let database: TestDatabase
let service: Service
let reseller: TestReseller

beforeAll(async () => {
  database = await createDatabase()
  const environment = { ...TRUST_TEST_PROXY, WARUNG_REQUEST_TIMEOUT_SECONDS: '5' }
  service = await openService({ database, environment })
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

describe('no cache keeps an answer that belongs to one caller', () => {
  /** Operations whose answers may be kept, with the way in which they say so. */
  const KEPT: Readonly<Record<string, RegExp>> = {
    getCatalog: /^private, no-cache$/,
    getOptions: /^private, no-cache$/,
    listProducts: /^private, no-cache$/,
    listSubProducts: /^private, no-cache$/,
    listBillers: /^private, no-cache$/,
    listErrors: /^no-cache$/,
    getOpenApi: /^no-cache$/,
    getOperatorOpenApi: /^no-cache$/,
    getPortalOpenApi: /^no-cache$/,
    getJwks: /^public, max-age=\d+$/,
  }
  const ACCOUNT_AND_FORM = 'Accept-Encoding, Accept-Language, Authorization, X-Api-Key, X-API-Version'
  const DOCUMENTS = ['/openapi.json', '/portal/v1/openapi.json', '/operator/v1/openapi.json']

  type Listed = { readonly id: string; readonly method: string; readonly path: string }

  async function operations(): Promise<Listed[]> {
    type Document = { paths: Record<string, Record<string, { operationId: string }>> }
    const documents = await Promise.all(DOCUMENTS.map(async (path) => (await ask(path)).json<Document>()))
    return documents.flatMap(({ paths }) =>
      Object.entries(paths).flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, { operationId }]) => {
          // The id exists nowhere, so that no operation finds anything to change.
          const filled = path.replaceAll(/\{[A-Za-z_]+\}/g, '999999999999')
          return { id: operationId, method: method.toUpperCase(), path: filled }
        }),
      ),
    )
  }

  function expectNotKept({ id, method, path }: Listed, { status, headers }: Answer): void {
    const isKept = status < 300 && KEPT[id] !== undefined
    const what = `${status} of ${method} ${path}`
    expect(headers['cache-control'], what).toMatch(isKept ? (KEPT[id] ?? /./) : /^no-store$/)
    if (headers['cache-control']?.startsWith('private')) expect(headers.vary, what).toBe(ACCOUNT_AND_FORM)
  }

  it('a refusal of any operation is not kept', async () => {
    const all = await operations()
    expect(all.length).toBeGreaterThan(200)
    for (const each of all) {
      const body = each.method === 'GET' || each.method === 'DELETE' ? undefined : '{'
      const { baseUrl } = service
      const headers = from(newAddress())
      expectNotKept(each, await send({ baseUrl, path: each.path, method: each.method, headers, body }))
    }
  })

  it('a read of any operation is not kept unless the operation says so', async () => {
    const member = await signInMember(service)
    const operator = await signInAs(service, 'admin')
    const read = (path: string): Promise<Answer> => {
      if (path.startsWith('/portal/')) return member.get(path)
      if (path.startsWith('/operator/')) return operator.get(path)
      return signed(service.baseUrl, reseller, { path })
    }
    const seen = new Set<string>()
    // A live stream answers for as long as its reader listens.
    for (const each of await operations()) {
      if (each.method !== 'GET' || /\/live$/.test(each.path)) continue
      const answer = await read(each.path)
      expectNotKept(each, answer)
      if (answer.status === 200) seen.add(each.id)
    }
    expect(seen.size).toBeGreaterThan(50)
    const options = await signed(service.baseUrl, reseller, {
      path: '/v2/options?product_code=NOVA&field_id=amount',
    })
    expectNotKept({ id: 'getOptions', method: 'GET', path: '/v2/options' }, options)
  })

  it('an unknown address, a wrong method and the page for people are not kept', async () => {
    const page = await ask('/nowhere', 'GET', { Accept: 'text/html' })
    expect(page.headers['content-type']).toContain('text/html')
    for (const answer of [page, await ask('/nowhere'), await ask('/v2/balance', 'DELETE'), await ask('/%zz')])
      expect(answer.headers['cache-control']).toBe('no-store')
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
    for (const path of ['/v2/balance', '/v2/topup', '/portal/v1/session']) {
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
