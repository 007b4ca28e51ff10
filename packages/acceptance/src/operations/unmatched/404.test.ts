import { METHODS } from 'node:http'
import { beforeAll, describe, expect, it } from 'vitest'
import { shareDemo } from '../../catalog.ts'
import { expectProblem } from '../../edge.ts'
import { send, signed } from '../../http.ts'
import type { Service } from '../../service.ts'

let service: Service

beforeAll(async () => {
  service = (await shareDemo()).service
})

const NOTHING = JSON.stringify({ message: 'There is nothing at this address.', errors: {} })

describe('an address with nothing behind it', () => {
  it.each([
    '/nowhere',
    '/v2',
    '/v2/',
    '/v1/balance',
    '/v2/balance/',
    '/v2/Balance',
    '/V2/balance',
    '//v2/balance',
    '/v2//balance',
    '/v2/./balance',
    '/v2/x/../balance',
    '/v2/balance%2F',
    '/v2%2Fbalance',
    '/v2/balance%00',
    '/v2/balance;a=1',
    '/v2/balance.json',
    '/metrics',
    '/.env',
    '/.git/config',
    '/dashboard',
    '/__proto__',
    '/constructor',
    '/v2/token/',
    '/v2/token/revoke',
    `/${'a'.repeat(8_000)}`,
    '/<script>alert(1)</script>',
  ])('%s', async (path) => {
    const answer = await send({ baseUrl: service.baseUrl, path })
    expectProblem(answer, 404)
    // The answer repeats nothing of the request.
    expect(answer.text).toBe(NOTHING)
  })

  it.each(METHODS.filter((method) => !['HEAD', 'CONNECT'].includes(method)))('%s', async (method) => {
    const answer = await send({ baseUrl: service.baseUrl, path: '/nowhere', method })
    expect(answer.text).toBe(NOTHING)
    expectProblem(answer, 404)
  })

  it.each([
    ['JSON', 'application/json', '{"a":1}'],
    ['broken JSON', 'application/json', '{'],
    ['a content type that is none', 'nonsense;;;', 'x'],
    ['a megabyte', 'text/plain', 'x'.repeat(1_048_576)],
  ])('a body of %s makes no difference', async (_, contentType, body) => {
    const headers = { 'Content-Type': contentType }
    const answer = await send({ baseUrl: service.baseUrl, path: '/nowhere', method: 'POST', headers, body })
    expectProblem(answer, 404)
  })

  it('tells a caller with credentials no more than one without, or with wrong ones', async () => {
    const wrong = { ...service.credentials, secretBase64: Buffer.alloc(32).toString('base64') }
    const answers = await Promise.all([
      service.get('/v2/secret'),
      service.get('/v2/secret', { Authorization: 'Bearer garbage' }),
      signed(service.baseUrl, service.credentials, { path: '/v2/secret' }),
      signed(service.baseUrl, wrong, { path: '/v2/secret' }),
    ])
    for (const answer of answers) {
      expectProblem(answer, 404)
      expect(answer.text).toBe(NOTHING)
      expect(answer.headers['www-authenticate']).toBeUndefined()
    }
  })

  it('an address that cannot be decoded is no address', async () => {
    for (const path of ['/v2/%zz?a=1', '/%', '/%E0%A4%A']) {
      const answer = await send({ baseUrl: service.baseUrl, path })
      expectProblem(answer, 400)
      expect(answer.text).not.toMatch(/zz|%/)
    }
  })
})

describe('a browser at an address with nothing behind it', () => {
  const headers = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

  it.each(['/nowhere', '/dashboard', '/.env', '/%3Cscript%3E'])('sees a page: %s', async (path) => {
    const answer = await send({ baseUrl: service.baseUrl, path, headers })
    expect(answer.status).toBe(404)
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(answer.headers['content-security-policy']).toMatch(/^default-src 'none'/)
    expect(answer.text).toContain('There is nothing at this address')
    expect(answer.text).not.toContain('<script')
  })

  it.each([
    '/v2/nothing',
    '/v2',
    '/operator/v1/nothing',
    '/portal/v1/nothing',
    '/checkout/v1/nothing',
    '/callbacks/x?reference=1',
  ])('a browser at an API reads JSON as every other caller: %s', async (path) => {
    const answer = await send({ baseUrl: service.baseUrl, path, headers })
    expect(answer.headers['content-type']).toMatch(/^application\/json/)
    expect(answer.json()).toMatchObject({ message: expect.any(String) })
  })
})
