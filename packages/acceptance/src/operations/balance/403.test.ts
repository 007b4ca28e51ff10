import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { TestReseller } from '../../edge.ts'
import {
  BALANCE,
  balanceOf,
  createKey,
  createReseller,
  expectForbidden,
  expectUnauthorized,
  issueTokens,
} from '../../edge.ts'
import type { Answer } from '../../http.ts'
import { send } from '../../http.ts'
import type { Service, TestDatabase } from '../../service.ts'
import { createDatabase, openService, stopServices, until } from '../../service.ts'
import type { Credentials } from '../../signing.ts'
import { freshNonce } from '../../signing.ts'

const LIMIT = 60

const databases: TestDatabase[] = []
/** Service that trusts the address that its proxy, the tests, sends. */
let proxied: Service
/** Service that trusts only its sockets. */
let direct: Service

beforeAll(async () => {
  databases.push(await createDatabase(), await createDatabase())
  const [first, second] = databases
  if (first === undefined || second === undefined) throw new Error('two databases were made')
  const environment = {
    WARUNG_TRUST_PROXY: '127.0.0.1, 10.9.0.0/16',
    WARUNG_RATE_LIMIT: String(LIMIT),
    WARUNG_RATE_EXEMPT: '127.0.0.1, 192.0.2.0/24',
  }
  ;[proxied, direct] = await Promise.all([
    openService({ database: first, environment }),
    openService({ database: second, environment: { WARUNG_TRUST_PROXY: 'none' } }),
  ])
})

afterAll(async () => {
  await stopServices()
  await Promise.all(databases.map((database) => database.drop()))
})

function from(address: string): { headers: { 'X-Forwarded-For': string } } {
  return { headers: { 'X-Forwarded-For': address } }
}

let lastAddress = 0

/** Returns an address that no other test has called from. */
function newAddress(): string {
  lastAddress += 1
  return `198.18.${lastAddress >> 8}.${lastAddress & 255}`
}

describe('ip_not_allowed', () => {
  let reseller: TestReseller

  const allow = (service: Service, account: string, ...networks: string[]) =>
    service.warungd(
      ...(['allowlist', 'add', '--reseller', account] as const),
      ...networks.flatMap((network) => ['--network', network]),
    )

  async function untilStatus(status: number, attempt: () => Promise<Answer>): Promise<Answer> {
    return until(`the answer is ${status}`, async () => {
      const answer = await attempt()
      return answer.status === status && answer
    })
  }

  beforeAll(async () => {
    reseller = await createReseller(proxied)
    await allow(
      proxied,
      reseller.account,
      '203.0.113.7',
      '198.51.100.0/24',
      '2001:db8:1::/48',
      '2001:db8:2::9',
    )
    await untilStatus(403, () => balanceOf(proxied, reseller))
  })

  it.each([
    '203.0.113.7',
    '198.51.100.0',
    '198.51.100.255',
    '2001:db8:1::1',
    '2001:0DB8:0001:ffff::1',
    '2001:db8:2::9',
    '::ffff:203.0.113.7',
    '203.0.113.7:4711',
    '[2001:db8:2::9]:4711',
  ])('%s is on the list and may call', async (address) => {
    expect((await balanceOf(proxied, reseller, from(address))).status).toBe(200)
  })

  it.each([
    '203.0.113.8',
    '198.51.101.0',
    '2001:db8:3::1',
    '2001:db8:2::8',
    '::cb00:7107',
    '::1',
    '0.0.0.0',
    // Unreadable addresses: the caller is then the proxy itself.
    'unknown',
    '203.0.113.007',
    '203.0.113.7/32',
  ])('%s is not, and is refused with a right signature', async (address) => {
    expectForbidden(await balanceOf(proxied, reseller, from(address)), 'ip_not_allowed')
  })

  it('entries left of an address that the proxy wrote do not count, because the caller wrote them', async () => {
    expectForbidden(await balanceOf(proxied, reseller, from('203.0.113.7, 192.0.2.1')), 'ip_not_allowed')
    expect((await balanceOf(proxied, reseller, from('192.0.2.1, 203.0.113.7'))).status).toBe(200)
  })

  it('proxies of our own in a row are looked through, in one header or in several', async () => {
    expect(
      (await balanceOf(proxied, reseller, from('192.0.2.1, 203.0.113.7, 10.9.1.1, 127.0.0.1'))).status,
    ).toBe(200)
    const headers = [
      ['X-Forwarded-For', '203.0.113.7'],
      ['X-Forwarded-For', '10.9.1.1'],
    ] as const
    expect((await balanceOf(proxied, reseller, { headers })).status).toBe(200)
  })

  it('is told only to who signed rightly, and spends no nonce', async () => {
    const secretBase64 = Buffer.alloc(32, 3).toString('base64')
    const wrong = await balanceOf(proxied, { ...reseller, secretBase64 }, from('192.0.2.1'))
    expect(wrong.json()).toMatchObject({ error: 'invalid_signature' })
    const nonce = freshNonce()
    expectForbidden(await balanceOf(proxied, reseller, { nonce, ...from('192.0.2.1') }), 'ip_not_allowed')
    expect((await balanceOf(proxied, reseller, { nonce, ...from('203.0.113.7') })).status).toBe(200)
    expectForbidden(await balanceOf(proxied, reseller, { nonce, ...from('192.0.2.1') }), 'ip_not_allowed')
    expectUnauthorized(await balanceOf(proxied, reseller, { nonce, ...from('203.0.113.7') }), 'nonce_reused')
  })

  it('holds for every key and for bearer tokens, and ends when the list is cleared', async () => {
    const other = await createReseller(proxied)
    const { IdToken } = await issueTokens(proxied, other.account)
    const bearer = (address: string) =>
      proxied.get(BALANCE, { Authorization: `Bearer ${IdToken}`, 'X-Forwarded-For': address })
    expect((await bearer('192.0.2.1')).status).toBe(200)
    await allow(proxied, other.account, '203.0.113.7')
    expectForbidden(await untilStatus(403, () => bearer('192.0.2.1')), 'ip_not_allowed')
    expect((await bearer('203.0.113.7')).status).toBe(200)
    await proxied.warungd('allowlist', 'clear', '--reseller', other.account)
    await untilStatus(200, () => bearer('192.0.2.1'))
  })

  it('the socket decides when there are no trusted proxies, whatever the headers say', async () => {
    const mine = await createReseller(direct)
    await allow(direct, mine.account, '203.0.113.7')
    await untilStatus(403, () => balanceOf(direct, mine))
    for (const name of ['X-Forwarded-For', 'Forwarded', 'X-Real-Ip', 'X-Client-Ip', 'True-Client-Ip']) {
      const headers = { [name]: name === 'Forwarded' ? 'for=203.0.113.7' : '203.0.113.7' }
      const answer = await balanceOf(direct, mine, { headers })
      expectForbidden(answer, 'ip_not_allowed')
      expect(answer.text).toContain('127.0.0.1')
    }
    await allow(direct, mine.account, '127.0.0.0/8')
    await untilStatus(200, () => balanceOf(direct, mine, from('192.0.2.1')))
  })
})

describe('insufficient_scope', () => {
  it('a key without "read" may not, a key with it may', async () => {
    const reseller = await createReseller(proxied, ['pay', 'support', 'configure'])
    expectForbidden(await balanceOf(proxied, reseller), 'insufficient_scope')
    const reading = await createKey(proxied, reseller.account, ['read'])
    expect((await balanceOf(proxied, reading)).status).toBe(200)
  })
})

describe('ip_blocked', () => {
  type Block = { address: string; blocked_at: string; blocked_until: string; requests: number }

  let reseller: Credentials
  let address: string

  beforeAll(async () => {
    reseller = await createReseller(proxied)
  })
  beforeEach(() => {
    address = newAddress()
  })

  const call = (path = '/nowhere') =>
    send({ baseUrl: proxied.baseUrl, path, headers: { 'X-Forwarded-For': address } })
  const useUp = (count: number) => Promise.all(Array.from({ length: count }, () => call()))
  const listBlocks = () => proxied.warungd<Block[]>('block', 'list')

  function expectBlocked(answer: Answer): void {
    expectForbidden(answer, 'ip_blocked')
    expect(answer.headers['ratelimit-remaining']).toBe('0')
    const seconds = Number(answer.headers['retry-after'])
    expect(seconds).toBeLessThanOrEqual(240 * 60)
    expect(seconds).toBeGreaterThan(239 * 60)
  }

  it('as many requests as the limit pass, and the next one is blocked', async () => {
    await useUp(LIMIT - 1)
    const last = await balanceOf(proxied, reseller, from(address))
    expect(last.status).toBe(200)
    expect(last.headers['ratelimit-remaining']).toBe('0')
    expectBlocked(await balanceOf(proxied, reseller, from(address)))
    expectBlocked(await balanceOf(proxied, reseller, from(address)))
  })

  it('many requests at once: exactly the limit passes', async () => {
    const answers = await useUp(LIMIT + 40)
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(LIMIT)
    for (const answer of answers.filter(({ status }) => status !== 404)) expectBlocked(answer)
  })

  it('comes before everything else: credentials, paths, methods and bodies are not looked at', async () => {
    await useUp(LIMIT + 1)
    const headers = { 'X-Forwarded-For': address }
    const nonce = freshNonce()
    expectBlocked(await balanceOf(proxied, reseller, { nonce, headers }))
    expect((await balanceOf(proxied, reseller, { nonce })).status).toBe(200)
    const { baseUrl } = proxied
    for (const path of [BALANCE, '/openapi.json', '/', '/nowhere', '/v2/%zz']) {
      expectBlocked(await send({ baseUrl, path, headers }))
    }
    expectBlocked(await send({ baseUrl, path: BALANCE, method: 'DELETE', headers }))
    const nonsense = { ...headers, 'Content-Type': 'nonsense' }
    for (const body of ['{broken', 'x'.repeat(100_000)]) {
      expectBlocked(await send({ baseUrl, path: '/v2/token', method: 'POST', headers: nonsense, body }))
    }
  })

  it('does not touch the paths that watch over the service, nor any other address', async () => {
    await useUp(LIMIT + 1)
    for (const path of ['/healthz', '/readyz', '/healthz?probe=1', '/readyz?']) {
      expect((await call(path)).status, path).toBe(200)
    }
    expectBlocked(await call())
    address = newAddress()
    expect((await balanceOf(proxied, reseller, from(address))).status).toBe(200)
  })

  it('health paths do not count either', async () => {
    for (let round = 0; round < 3; round += 1) {
      await Promise.all(Array.from({ length: LIMIT }, () => call('/healthz?probe=1')))
    }
    const answer = await call()
    expect(answer.status).toBe(404)
    expect(answer.headers['ratelimit-remaining']).toBe(String(LIMIT - 1))
  })

  it('counts an IPv6 /64 as one address; operators see the /64 and lift it by any address inside', async () => {
    const inside = (host: number) => ({ 'X-Forwarded-For': `2001:db8:64:1:${host.toString(16)}::1` })
    const callFrom = (headers: Record<string, string>) =>
      send({ baseUrl: proxied.baseUrl, path: '/nowhere', headers })
    for (let host = 0; host < LIMIT; host += 1) expect((await callFrom(inside(host))).status).toBe(404)
    expectBlocked(await callFrom(inside(LIMIT)))
    expect((await callFrom({ 'X-Forwarded-For': '2001:db8:64:2::1' })).status).toBe(404)
    expect((await listBlocks()).map((block) => block.address)).toContain('2001:db8:64:1::/64')
    const lifted = await proxied.warungd('block', 'lift', '--address', '2001:db8:64:1:ffff::9')
    expect(lifted).toEqual({ address: '2001:db8:64:1::/64', lifted: true })
    await until('it may call again', async () => (await callFrom(inside(1))).status === 404)
  })

  it('operators see the block and lift it; the count begins anew', async () => {
    await useUp(LIMIT + 1)
    const block = (await listBlocks()).find((each) => each.address === address)
    expect(block).toEqual({
      address,
      blocked_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      blocked_until: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      requests: expect.any(Number),
    })
    const lasts = Date.parse(block?.blocked_until ?? '') - Date.parse(block?.blocked_at ?? '')
    expect(lasts).toBe(240 * 60_000)
    expect(block?.requests).toBeGreaterThan(LIMIT)
    await proxied.warungd('block', 'lift', '--address', address)
    const again = await until('the address may call', async () => {
      const answer = await call()
      return answer.status === 404 && answer
    })
    expect(Number(again.headers['ratelimit-remaining'])).toBeGreaterThan(LIMIT / 2)
    expect((await listBlocks()).map((each) => each.address)).not.toContain(address)
    await expect(proxied.warungd('block', 'lift', '--address', address)).rejects.toThrow(/not blocked/)
  })

  it('IPv6 addresses are counted, blocked and lifted in whatever spelling', async () => {
    address = '2001:DB8:0:0::77'
    await useUp(LIMIT + 1)
    address = '2001:db8::77'
    expectBlocked(await call())
    expect((await listBlocks()).map((each) => each.address)).toContain('2001:db8::/64')
    await proxied.warungd('block', 'lift', '--address', '2001:0db8::0077')
    await until('the address may call', async () => (await call()).status === 404)
  })

  it('exempt addresses are never blocked', async () => {
    address = '192.0.2.200'
    const answers = await useUp(LIMIT + 20)
    expect(answers.every(({ status }) => status === 404)).toBe(true)
  })
})
