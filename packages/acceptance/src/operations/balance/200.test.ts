import { Agent } from 'node:http'
import { beforeAll, describe, expect, it } from 'vitest'
import { shareDemo } from '../../catalog.ts'
import type { TestReseller } from '../../edge.ts'
import {
  BALANCE,
  balanceOf,
  createKey,
  createReseller,
  expectEdgeHeaders,
  issueTokens,
  signatureLines,
  statusesIn,
} from '../../edge.ts'
import type { Answer } from '../../http.ts'
import { rawSocket, send, signed } from '../../http.ts'
import type { Service } from '../../service.ts'
import { until } from '../../service.ts'
import { EVERY_READING, signRequest } from '../../signing.ts'

let service: Service
let reseller: TestReseller
let other: TestReseller

beforeAll(async () => {
  service = (await shareDemo()).service
  ;[reseller, other] = await Promise.all([createReseller(service), createReseller(service)])
})

function expectBalance(answer: Answer, balance = 0): void {
  expect(answer.text).toBe(
    JSON.stringify({
      data: { account: reseller.account, name: reseller.name, balance, level: 'STANDARD', access: 0 },
    }),
  )
  expect(answer.status).toBe(200)
}

describe('the answer', () => {
  it('has account, name, balance, level and access under data, and nothing else', async () => {
    const answer = await balanceOf(service, reseller)
    expectBalance(answer)
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    expectEdgeHeaders(answer)
  })

  it('shows a deposit, the price list and read-only access as soon as the operator has made them', async () => {
    const whose = ['--reseller', other.account]
    await service.warungd('deposit', ...whose, '--amount', '1250.75', '--remarks', 'bank')
    // The balance is read on the primary, so there is nothing to wait for.
    const first = await balanceOf(service, other)
    expect(first.json<{ data: object }>().data).toMatchObject({
      balance: 1250.75,
      level: 'STANDARD',
      access: 0,
    })
    await service.warungd('level', 'create', '--code', 'GOLD', '--name', 'Gold')
    await service.warungd('reseller', 'update', ...whose, '--access', '50', '--price-level', 'GOLD')
    const changed = await until('the change is known', async () => {
      const { data } = (await balanceOf(service, other)).json<{ data: { access: number } }>()
      return data.access === 50 && data
    })
    const { account, name } = other
    expect(changed).toEqual({ account, name, balance: 1250.75, level: 'GOLD', access: 50 })
  })

  it('says that a suspended account may only read, until the suspension ends', async () => {
    const whose = ['--reseller', other.account]
    const accessIs = (access: number) =>
      until(`access is ${access}`, async () => {
        const { data } = (await balanceOf(service, other)).json<{ data: { access: number } }>()
        return data.access === access
      })
    await service.warungd('reseller', 'update', ...whose, '--access', '0')
    await accessIs(0)
    await service.warungd('reseller', 'suspend', ...whose)
    await accessIs(50)
    await service.warungd('reseller', 'activate', ...whose)
    await accessIs(0)
  })

  it("is each account's own", async () => {
    const [mine, theirs] = await Promise.all([balanceOf(service, reseller), balanceOf(service, other)])
    expectBalance(mine)
    expect(theirs.json<{ data: object }>().data).toMatchObject({ account: other.account, name: other.name })
  })

  it('carries a request id of its own, whatever id the caller sends', async () => {
    const headers = { 'X-Request-Id': 'mine', 'Request-Id': 'mine' }
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => balanceOf(service, reseller, { headers })),
    )
    for (const answer of answers) expectEdgeHeaders(answer)
    expect(new Set(answers.map((answer) => answer.headers['x-request-id'])).size).toBe(30)
  })

  it('counts down what is left of the rate limit, one by one', async () => {
    const remaining = async () => {
      const { headers } = await balanceOf(service, reseller)
      expect(headers['ratelimit-limit']).toBe('30000')
      expect(Number(headers['ratelimit-reset'])).toBeGreaterThan(0)
      expect(Number(headers['ratelimit-reset'])).toBeLessThanOrEqual(300)
      return Number(headers['ratelimit-remaining'])
    }
    const first = await remaining()
    expect(first).toBeLessThan(30_000)
    expect(await remaining()).toBe(first - 1)
    await service.get('/nowhere')
    expect(await remaining()).toBe(first - 3)
  })
})

describe('every way to read the query when signing it', () => {
  const QUERIES = [
    'b=1&a=x%20y&a=&c',
    'b=1&a=x+y&a=&c',
    'a=2&a=10&a=1&a=&B=1&_=0&empty=',
    'name=caf%C3%A9%20%26%20bar&list[]=1&q=~*()!%27',
    'a=%41&%61=2&=nameless&c=1=2',
    '&&a=1&&flag&b=%F0%9F%8D%9C&',
  ] as const
  const cases = QUERIES.flatMap((query) => EVERY_READING.map((reading) => ({ query, ...reading }))).filter(
    ({ query, encoding }) => encoding !== 'decoded' || !/%26|=1=2/.test(query),
  )

  it.each(cases)(
    '?$query as $encoding, empty values $empties, repeats $repeats',
    async ({ query, ...reading }) => {
      expectBalance(await balanceOf(service, reseller, { path: `${BALANCE}?${query}`, reading }))
    },
  )

  it.each(['?', '?&', '?flag', '?flag&other&', '?empty='])('%s signs as no query at all', async (query) => {
    expectBalance(await balanceOf(service, reseller, { path: `${BALANCE}${query}` }))
  })

  it('lets bare names and dropped empty values through unsigned, because nothing reads them', async () => {
    const headers = signRequest({ ...reseller, method: 'GET', query: 'a=1' })
    expectBalance(await send({ baseUrl: service.baseUrl, path: `${BALANCE}?x&a=1&y=&z`, headers }))
  })
})

describe('differences between clients that are allowed', () => {
  it.each([
    ['lower case', (name: string) => name.toLowerCase()],
    ['upper case', (name: string) => name.toUpperCase()],
    [
      'mixed case',
      (name: string) => name.replace(/[a-z]/g, (c, at: number) => (at % 2 ? c.toUpperCase() : c)),
    ],
  ])('header names in %s are the same headers', async (_, spell) => {
    const own = Object.entries(signRequest({ ...reseller, method: 'GET' }))
    const headers = own.map(([name, value]) => [spell(name), value] as const)
    const answer = await send({ baseUrl: service.baseUrl, path: BALANCE, headers })
    expectBalance(answer)
  })

  it('white space around header values does not count', async () => {
    const own = Object.entries(signRequest({ ...reseller, method: 'GET' }))
    const lines = own.map(([name, value]) => `${name}: \t ${value} \t\r\n`).join('')
    const { text } = await rawSocket(
      service.baseUrl,
      `GET ${BALANCE} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${lines}\r\n`,
    )
    expect(text).toContain(`"account":"${reseller.account}"`)
  })

  const BODIES: readonly (readonly [string, Record<string, string>])[] = [
    ['{"json":true}', { 'Content-Type': 'application/json' }],
    ['{broken', { 'Content-Type': 'application/json' }],
    ['\xff\xfe not UTF-8', { 'Content-Type': 'nonsense;;;' }],
    ['chunked', { 'Transfer-Encoding': 'chunked' }],
  ]
  it.each(BODIES)(
    'GET with the body %j is signed with its hash, or with the hash of nothing',
    async (body, headers) => {
      const bytes = Buffer.from(body, 'latin1')
      for (const hashOf of ['body', 'nothing'] as const) {
        expectBalance(await balanceOf(service, reseller, { body: bytes, hashOf, headers }))
      }
    },
  )

  it('nonces of 16 and of 128 characters, and every character they may have', async () => {
    const alphabet = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_'
    const unique = Date.now().toString(36).padStart(12, '0')
    for (const nonce of [
      `${unique}-_-_`,
      alphabet + unique,
      `${alphabet}${alphabet}`.slice(0, 116) + unique,
    ]) {
      expectBalance(await balanceOf(service, reseller, { nonce }))
    }
  })

  it('the same nonce with two keys of one reseller and with two resellers', async () => {
    const second = await createKey(service, reseller.account)
    const nonce = `shared-${Date.now()}-nonce`
    const answers = await Promise.all(
      [reseller, second, other].map((credentials) => balanceOf(service, credentials, { nonce })),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  })

  it('an absolute address in the request line, and HTTP/1.0 without Host', async () => {
    const absolute = await rawSocket(
      service.baseUrl,
      `GET http://reseller.example${BALANCE} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${signatureLines(reseller)}\r\n`,
    )
    const old = await rawSocket(service.baseUrl, `GET ${BALANCE} HTTP/1.0\r\n${signatureLines(reseller)}\r\n`)
    for (const { text, status } of [absolute, old]) {
      expect(text).toContain(`"account":"${reseller.account}"`)
      expect(status).toBe(200)
    }
  })

  it('one connection for many requests, each answered for itself', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    try {
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          signed(service.baseUrl, reseller, { path: index % 2 ? '/nowhere' : BALANCE, agent }),
        ),
      )
      expect(answers.map(({ status }) => status)).toEqual(answers.map((_, index) => (index % 2 ? 404 : 200)))
    } finally {
      agent.destroy()
    }
  })

  it('pipelined requests, answered in the order they were sent', async () => {
    const { text } = await rawSocket(
      service.baseUrl,
      `GET ${BALANCE} HTTP/1.1\r\nHost: x\r\n${signatureLines(reseller)}\r\n` +
        'GET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n' +
        'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    )
    expect(statusesIn(text)).toEqual([200, 404, 200])
  })
})

describe('the legacy bearer token', () => {
  it('the ID token of any user opens the same balance, in any letter case of "Bearer"', async () => {
    const { IdToken } = await issueTokens(service, reseller.account)
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
      expectBalance(await service.get(`${BALANCE}?any=thing`, { Authorization: `${scheme} ${IdToken}` }))
    }
  })
})
