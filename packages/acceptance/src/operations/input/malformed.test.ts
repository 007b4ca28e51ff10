import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { from, newAddress, TRUST_TEST_PROXY } from '../../clients.ts'
import type { TestReseller } from '../../edge.ts'
import {
  BALANCE,
  balanceOf,
  createReseller,
  expectProblem,
  expectUnauthorized,
  post,
  signatureLines,
  statusesIn,
} from '../../edge.ts'
import type { Answer, RawAnswer } from '../../http.ts'
import { rawSocket, send } from '../../http.ts'
import type { Service, TestDatabase } from '../../service.ts'
import { createDatabase, startService, stopServices, until } from '../../service.ts'

const TOKEN = '/v2/token'

let database: TestDatabase
let service: Service
let reseller: TestReseller

beforeAll(async () => {
  database = await createDatabase()
  service = await startService({ database, environment: TRUST_TEST_PROXY })
  reseller = await createReseller(service)
})

afterAll(async () => {
  await stopServices()
  await database?.drop()
})

/** Requests a token from a new address: a few names tried from one address in a second are too many. */
function askToken(body: string, contentType: string): Promise<Answer> {
  const headers = { 'Content-Type': contentType, ...from(newAddress()) }
  return send({ baseUrl: service.baseUrl, method: 'POST', path: TOKEN, headers, body })
}

/** Parses the first answer on a connection written by hand into the form of the other tests. */
function parse(raw: RawAnswer): Answer {
  const [head = '', ...rest] = raw.text.split('\r\n\r\n')
  const lines = head.split('\r\n').slice(1)
  const headers = Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf(':')
      return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()]
    }),
  )
  const text = rest.join('\r\n\r\n')
  const json = <T>() => JSON.parse(text) as T
  return { status: raw.status ?? 0, headers, rawHeaders: [], bytes: raw.bytes, text, json }
}

describe('bodies', () => {
  it.each([
    ['nothing but a brace', '{'],
    ['a trailing comma', '{"username":"a",}'],
    ['single quotes', "{'username':'a'}"],
    ['two documents', '{}{}'],
    ['two byte order marks', '\ufeff\ufeff{}'],
    ['NaN', '{"username":NaN}'],
    ['thousands of open brackets', '['.repeat(60_000)],
    ['thousands of open braces', '{"a":'.repeat(12_000)],
    ['a raw line break in a string', '{"username":"a\nb"}'],
    ['a NUL', '{"username":"a"}\0'],
    ['white space alone', '   '],
  ])('%s is no JSON', async (_, body) => {
    expectProblem(await post(service, TOKEN, body), 400)
  })

  it.each([
    ['a lone continuation byte', [0x80]],
    ['an overlong slash', [0xc0, 0xaf]],
    ['half a character', [0xe2, 0x82]],
    ['a surrogate', [0xed, 0xa0, 0x80]],
    ['beyond Unicode', [0xf5, 0x80, 0x80, 0x80]],
    ['Latin-1', [0xe9]],
    ['UTF-16', [0xff, 0xfe, 0x7b, 0x00]],
  ])('%s is no UTF-8', async (_, bytes) => {
    const body = Buffer.concat([Buffer.from('{"username":"'), Buffer.from(bytes), Buffer.from('"}')])
    expectProblem(await post(service, TOKEN, body), 400)
  })

  it.each(['null', 'true', '1', '"text"', '[]', '[{"username":"a","password":"b"}]'])(
    '%s is JSON and no object',
    async (body) => {
      const answer = await post(service, TOKEN, body)
      expect(answer.status).toBe(400)
      expect(Object.keys(answer.json<{ errors: object }>().errors).length).toBeGreaterThan(0)
    },
  )

  const FAULTS: readonly (readonly [string, string[]])[] = [
    ['{}', ['password', 'username']],
    ['', ['password', 'username']],
    ['{"username":"a"}', ['password']],
    ['{"username":1,"password":["x"]}', ['password', 'username']],
    ['{"username":null,"password":""}', ['password', 'username']],
    ['{"__proto__":{"username":"a","password":"b"}}', ['password', 'username']],
    [`{"username":"${'a'.repeat(201)}","password":"${'b'.repeat(1_001)}"}`, ['password', 'username']],
  ]
  it.each(FAULTS.map(([body, fields]) => ({ begins: body.slice(0, 60), body, fields })))(
    '$begins: every field at fault is named',
    async ({ body, fields }) => {
      expectProblem(await post(service, TOKEN, body), 400, fields)
    },
  )

  it.each([
    ['a NUL in the user name', { username: 'a\0b', password: 'x' }],
    ['a NUL in the password', { username: 'a', password: 'x\0y' }],
    ['half a surrogate pair', { username: 'a\ud800', password: '\udfff' }],
    ['characters beyond the first plane', { username: '\u{1f35c}'.repeat(200), password: 'x' }],
    ['SQL', { username: "'; drop table users; --", password: "' or '1'='1" }],
    ['right-to-left marks', { username: '\u202eabc', password: '\u2066' }],
  ])('%s is answered like any other name that nobody has', async (_, credentials) => {
    const json = await askToken(JSON.stringify(credentials), 'application/json')
    const form = await askToken(
      new URLSearchParams(credentials).toString(),
      'application/x-www-form-urlencoded',
    )
    for (const answer of [json, form]) {
      expect([400, 401]).toContain(answer.status)
      expect(answer.json()).toMatchObject({ message: expect.stringMatching(/\S/), errors: {} })
    }
  })
})

describe('content types', () => {
  it.each(
    [
      'text/plain',
      'text/html',
      'application/xml',
      'multipart/form-data',
      'multipart/form-data; boundary=x',
      'application/octet-stream',
      'application/jsonp',
      'application/json; charset=utf-16',
      'json',
      'nonsense',
      ';;;',
      '/',
      'application/json, text/plain',
      'application/',
      '\xe9',
      'a'.repeat(5_000),
    ].map((each) => [each.slice(0, 40), each] as const),
  )('%s is not taken', async (_, contentType) => {
    expectProblem(await post(service, TOKEN, '{"username":"a","password":"b"}', contentType), 415)
  })

  it.each([
    'application/json',
    'APPLICATION/JSON',
    'application/json;charset=UTF-8',
    'application/json ; charset="utf-8"',
    'application/x-www-form-urlencoded',
  ])('%s is taken', async (contentType) => {
    const form = contentType.includes('form')
    const body = form ? 'username=nobody&password=b' : '{"username":"nobody","password":"b"}'
    expect((await askToken(body, contentType)).status).toBe(401)
  })
})

describe('headers', () => {
  it('a header twice is no way around a check', async () => {
    const { baseUrl } = service
    const twice = [
      ['Content-Type', 'text/plain'],
      ['Content-Type', 'application/json'],
    ] as const
    const answer = await send({ baseUrl, path: TOKEN, method: 'POST', headers: twice, body: '{}' })
    expect([400, 415]).toContain(answer.status)
    const bearers = [
      ['Authorization', 'Bearer garbage'],
      ['Authorization', 'Bearer rubbish'],
    ] as const
    expectUnauthorized(await send({ baseUrl, path: BALANCE, headers: bearers }), 'invalid_token')
  })

  it.each([
    ['one of 20 kB', `X-Large: ${'a'.repeat(20_000)}\r\n`],
    ['many that are 20 kB together', 'X-Small: aaaaaaaaaa\r\n'.repeat(1_000)],
    ['a name of 20 kB', `${'a'.repeat(20_000)}: x\r\n`],
  ])('%s are too large', async (_, lines) => {
    const raw = await rawSocket(service.baseUrl, `GET ${BALANCE} HTTP/1.1\r\nHost: x\r\n${lines}\r\n`)
    expectProblem(parse(raw), 431)
    expect(raw.endedBy).toBe('close')
  })

  it('an address of 20 kB is too large too', async () => {
    const raw = await rawSocket(service.baseUrl, `GET /?${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`)
    expectProblem(parse(raw), 431)
  })

  it('thousands of tiny ones do not hide a request', async () => {
    const lines = 'A:\r\n'.repeat(3_000)
    const text = `GET /healthz HTTP/1.1\r\nHost: x\r\n${lines}Connection: close\r\n\r\n`
    expect((await rawSocket(service.baseUrl, text)).status).toBe(200)
  })

  it('an expectation that nobody knows is no reason to refuse, 100-continue is heeded', async () => {
    const ask = (expectation: string) =>
      rawSocket(
        service.baseUrl,
        `POST ${TOKEN} HTTP/1.1\r\nHost: x\r\nExpect: ${expectation}\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`,
      )
    expectProblem(parse(await ask('nonsense')), 400, ['password', 'username'])
    expect(statusesIn((await ask('100-continue')).text)).toEqual([100, 400])
  })

  it('a request without Host is refused in the usual shape, and so is one with two', async () => {
    const without = await rawSocket(service.baseUrl, 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n')
    expectProblem(parse(without), 400)
    const two = 'GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n'
    expectProblem(parse(await rawSocket(service.baseUrl, two)), 400)
  })
})

describe('bytes that are not HTTP', () => {
  const HEAD = `POST ${TOKEN} HTTP/1.1\r\nHost: x\r\n`
  it.each([
    ['noise', '\0\x01\x02 noise\r\n\r\n'],
    ['a TLS greeting', Buffer.from('16030100c8010000c40303', 'hex')],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['a version that is none', 'GET / HTTP/3.7\r\nHost: x\r\n\r\n'],
    ['a method that is none', 'PLEASE / HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a lower-case method', 'get / HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a space in the address', 'GET /a b HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a raw byte in the address', Buffer.from('GET /\xe9 HTTP/1.1\r\nHost: x\r\n\r\n', 'latin1')],
    ['a header without colon', 'GET / HTTP/1.1\r\nHost: x\r\nnonsense\r\n\r\n'],
    ['a space before the colon', 'GET / HTTP/1.1\r\nHost: x\r\nA : b\r\n\r\n'],
    ['a folded header', 'GET / HTTP/1.1\r\nHost: x\r\nA: b\r\n c\r\n\r\n'],
    ['a NUL in a header', 'GET / HTTP/1.1\r\nHost: x\r\nA: \0\r\n\r\n'],
    ['two lengths', `${HEAD}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`],
    ['a negative length', `${HEAD}Content-Length: -1\r\n\r\n{}`],
    ['a length that is no number', `${HEAD}Content-Length: 0x2\r\n\r\n{}`],
    ['a length beyond counting', `${HEAD}Content-Length: 99999999999999999999999\r\n\r\n{}`],
    ['a length and chunks', `${HEAD}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['chunks that are not last', `${HEAD}Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n`],
    ['a chunk size that is none', `${HEAD}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`],
    ['a chunk longer than it says', `${HEAD}Transfer-Encoding: chunked\r\n\r\n1\r\n{}\r\n0\r\n\r\n`],
  ])('%s: 400 in the usual shape, and the connection ends', async (_, bytes) => {
    const raw = await rawSocket(service.baseUrl, bytes)
    expectProblem(parse(raw), 400)
    expect(raw.endedBy).toBe('close')
    expect(statusesIn(raw.text)).toHaveLength(1)
  })

  it('behind a request under way, it does not take the place of that request’s answer', async () => {
    // The answer to the noise must not come first: the caller would read it as a refusal of the first request.
    const first = `GET ${BALANCE} HTTP/1.1\r\nHost: x\r\n${signatureLines(reseller)}\r\n`
    for (const noise of ['\0noise\r\n\r\n', `GET / HTTP/1.1\r\nA: ${'a'.repeat(20_000)}\r\n\r\n`]) {
      const raw = await rawSocket(service.baseUrl, first.replace(/X-Nonce.*?\r\n/, '') + noise)
      expect(statusesIn(raw.text)[0]).toBe(401)
    }
    const raw = await rawSocket(service.baseUrl, `${first}\0noise\r\n\r\n`)
    expect(statusesIn(raw.text)).toEqual([200])
    expect(raw.text).toContain(`"account":"${reseller.account}"`)
    expect(raw.endedBy).toBe('close')
  })
})

describe('after all of this', () => {
  it('the service serves, and nothing of it was a surprise', async () => {
    expect((await balanceOf(service, reseller)).status).toBe(200)
    const marker = (await service.get('/marker')).headers['x-request-id']
    await until('the log has everything up to now', async () =>
      service.log().some(({ request_id }) => request_id === marker),
    )
    expect(service.log().filter(({ status, msg }) => status === 500 || msg === 'unexpected error')).toEqual(
      [],
    )
  })
})
