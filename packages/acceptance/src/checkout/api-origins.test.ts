import { beforeAll, describe, expect, it } from 'vitest'
import { shareDemo } from '../catalog.ts'
import { from, newAddress } from '../clients.ts'
import { createReseller } from '../edge.ts'
import type { Answer } from '../http.ts'
import { send, signed } from '../http.ts'
import type { Service } from '../service.ts'
import type { Client, Shop } from './api-client.ts'
import { expectCoded, openOrder } from './api-client.ts'

const ALLOWED = 'https://shop.example'
const EVIL = 'https://evil.example'

let service: Service
let shop: Shop
let client: Client

beforeAll(async () => {
  ;({ service } = await shareDemo())
  // The settings belong to the account, so the account is this file's own.
  const credentials = await createReseller(service)
  shop = { baseUrl: service.baseUrl, credentials }
  const theme = {
    accent: '#0a7',
    background: '#fff',
    surface: '#fff',
    text: '#111',
    radius: '8px',
    font: 'system',
  }
  const json = { display_name: 'Kedai Ali', allowed_origins: [ALLOWED], accepts_loss: false, theme }
  const saved = await signed(service.baseUrl, credentials, {
    method: 'PUT',
    path: '/v2/checkout-settings',
    json,
  })
  expect(saved.status, saved.text).toBe(200)
  client = await openOrder(shop)
})

function preflight(path: string, headers: Record<string, string> = {}): Promise<Answer> {
  return send({
    baseUrl: service.baseUrl,
    method: 'OPTIONS',
    path,
    headers: {
      ...from(newAddress()),
      Origin: EVIL,
      'Access-Control-Request-Method': 'PUT',
      'Access-Control-Request-Headers': 'authorization,content-type',
      ...headers,
    },
  })
}

describe('the preflight of a browser', () => {
  it.each([
    ['', 'GET'],
    ['/catalog', 'GET'],
    ['/options', 'GET'],
    ['/bill', 'GET'],
    ['/quote', 'POST'],
    ['/items', 'PUT'],
    ['/submit', 'POST'],
    ['/cancel', 'POST'],
    ['/results', 'POST'],
  ])('a page of any site learns the method of %j and nothing of the order', async (path, method) => {
    const real = await preflight(`/checkout/v1/orders/${client.orderId}${path}`)
    const unknown = await preflight(`/checkout/v1/orders/ord_00000000000000000000zzzz${path}`, {
      Origin: ALLOWED,
    })
    for (const { status, bytes, headers } of [real, unknown]) {
      expect([status, bytes.length]).toEqual([204, 0])
      expect(headers).toMatchObject({
        'access-control-allow-origin': '*',
        'access-control-allow-methods': method,
        'access-control-allow-headers': 'Authorization, Content-Type',
        'access-control-max-age': expect.stringMatching(/^\d+$/),
      })
      expect(headers['access-control-allow-credentials']).toBeUndefined()
    }
  })

  it.each([
    '/v2/balance',
    '/v2/orders',
    '/portal/v1/session',
    '/operator/v1/session',
    '/checkout/v1/openapi.json',
    '/',
  ])('is not answered where no page of another site may call: %s', async (path) => {
    const answer = await preflight(path)
    expect(answer.status).toBe(405)
    expect(answer.headers['access-control-allow-origin']).toBeUndefined()
  })

  it('counts for the address as every request does', async () => {
    const headers = from(newAddress())
    const path = `/checkout/v1/orders/${client.orderId}`
    const left = async () => Number((await preflight(path, headers)).headers['ratelimit-remaining'])
    const before = await left()
    expect(await left()).toBeLessThan(before)
  })
})

describe('a page of another site', () => {
  const STEPS = [
    ['GET', ''],
    ['GET', '/catalog'],
    ['POST', '/cancel'],
    ['POST', '/results'],
    ['PUT', '/items'],
  ] as const

  it.each(STEPS)('a site that the account does not name is refused: %s %s', async (method, path) => {
    for (const origin of [
      EVIL,
      'null',
      `${ALLOWED}.evil.example`,
      `${ALLOWED}:444`,
      'http://shop.example',
      'https://sub.shop.example',
      `${ALLOWED}, ${EVIL}`,
      `${ALLOWED}/`,
      ALLOWED.toUpperCase(),
    ]) {
      const answer = await client.ask(path, { method, headers: { Origin: origin } })
      expectCoded(answer, 403, 'origin_not_allowed')
      expect(answer.text).not.toMatch(/ord_|shop\.example|Kedai/)
    }
    expect((await client.order()).status).toBe('draft')
  })

  it('a site that the account names reads every answer, errors included', async () => {
    const headers = { Origin: ALLOWED }
    const good = await client.ask('', { headers })
    const bad = await client.ask('/options', { headers })
    const old = await client.ask('/submit', { method: 'POST', headers, json: { version: 99 } })
    expect([good.status, bad.status, old.status]).toEqual([200, 400, 409])
    for (const { rawHeaders, headers: received } of [good, bad, old]) {
      expect(received['access-control-allow-origin']).toBe(ALLOWED)
      expect(rawHeaders.filter((name) => /^access-control-allow-origin$/i.test(name))).toHaveLength(1)
      expect(received.vary).toContain('Origin')
      expect(received['access-control-expose-headers']).toContain('Retry-After')
      expect(received['access-control-allow-credentials']).toBeUndefined()
    }
  })

  it('learns of a wrong token as anybody does', async () => {
    const headers = { Origin: EVIL, Authorization: `Bearer ct_${'A'.repeat(43)}` }
    expectCoded(await client.ask('', { headers }), 404, 'order_not_found')
  })
})

describe('a page of our own', () => {
  it('is served without being named, whatever the proxy before the service is called', async () => {
    const own = await client.ask('', { headers: { Origin: service.baseUrl } })
    const proxied = await client.ask('', {
      headers: { Origin: 'https://pay.example', 'Sec-Fetch-Site': 'same-origin' },
    })
    const none = await client.ask('')
    expect([own.status, proxied.status, none.status]).toEqual([200, 200, 200])
    expect(own.headers['access-control-allow-origin']).toBe(service.baseUrl)
    expect(none.headers['access-control-allow-origin']).toBeUndefined()
  })

  it('another account’s sites are not this account’s', async () => {
    const { first } = await shareDemo()
    const stranger = await openOrder({ baseUrl: service.baseUrl, credentials: first.credentials })
    expectCoded(await stranger.ask('', { headers: { Origin: ALLOWED } }), 403, 'origin_not_allowed')
  })
})
