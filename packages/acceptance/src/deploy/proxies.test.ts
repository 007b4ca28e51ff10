import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Demo } from '../catalog.ts'
import { startDemo } from '../catalog.ts'
import { pageOf } from '../live.ts'
import type { Payer } from '../payments.ts'
import { createPayer, reload, TOPUP } from '../payments.ts'
import { signInMember } from '../portal/people.ts'
import { until } from '../service.ts'
import { signRequest } from '../signing.ts'
import { hasTool } from '../tools/installed.ts'
import type { Proxied, ProxyKind, ProxyRequest, TestProxy } from './proxy.ts'
import { startProxy } from './proxy.ts'

// The handbook's proxies, with the files of deploy/, in front of the real service.

const KINDS: readonly ProxyKind[] = ['nginx', 'caddy']

let demo: Demo
let payer: Payer

beforeAll(async () => {
  if (!KINDS.some(hasTool)) return
  demo = await startDemo()
  payer = await createPayer(demo.service, '1000')
})
afterAll(() => demo?.end())

function signedBy({ credentials }: Payer, input: ProxyRequest): ProxyRequest {
  const { method = 'GET', path, body } = input
  const query = path.split('?')[1]
  const headers = signRequest({ ...credentials, method, query, body })
  return { ...input, headers: { ...headers, ...input.headers } }
}

function payment(body: object): ProxyRequest {
  const headers = { 'Content-Type': 'application/json' }
  return signedBy(payer, { method: 'POST', path: TOPUP, body: JSON.stringify(body), headers })
}

describe.each(KINDS)('%s in front of the service', (kind) => {
  const test = it.runIf(hasTool(kind))
  let proxy: TestProxy

  beforeAll(async () => {
    if (!hasTool(kind)) return
    proxy = await startProxy(kind, demo.service.baseUrl)
  })
  afterAll(() => proxy?.stop())

  test('passes signed reads and payments on as they were signed', async () => {
    const paths = [
      '/v2/balance',
      '/v2/transactions?limit=1&search=a%2Fb%20c+d%C3%A9&empty=',
      '/v2/catalogue?a=//b/../c',
    ]
    for (const path of paths) {
      const answer = await proxy.send(signedBy(payer, { path }))
      expect(answer.text).not.toContain('invalid_signature')
      expect(answer.status, `${path}: ${answer.text}`).not.toBe(401)
    }
    const body = reload({ remarks: 'kedai ☕ é' })
    const paid = await proxy.send(payment(body))
    expect(paid.status, paid.text).toBe(200)
    const again = await payer.pay(body)
    expect(JSON.parse(paid.text).data.transaction_id).toBe(again.transaction_id)
  })

  test('tells the service the address of the client, and never one that the client made up', async () => {
    const forged = { 'X-Forwarded-For': '203.0.113.9', Forwarded: 'for=203.0.113.9' }
    const answer = await proxy.send(signedBy(payer, { path: '/v2/balance', headers: forged }))
    expect(answer.status, answer.text).toBe(200)
    const id = answer.headers['x-request-id']
    const line = await until('the request is in the log', async () =>
      demo.service.log().find(({ request_id }) => request_id === id),
    )
    expect(JSON.stringify(line)).not.toContain('203.0.113.9')
    expect(JSON.stringify(line)).toContain('127.0.0.1')
  })

  test('leads plain http to https, with the same path', async () => {
    const { status, headers } = await proxy.sendPlain('/v2/balance?a=1')
    expect(status).toBe(308)
    expect(headers.location).toMatch(/^https:\/\/api\.example\.com(:\d+)?\/v2\/balance\?a=1$/)
  })

  test('says that browsers must come back over TLS', async () => {
    const { headers } = await proxy.send({ path: '/docs' })
    expect(headers['strict-transport-security']).toBe('max-age=31536000')
  })

  test('leaves the refusal of a long body to the service', async () => {
    const headers = { 'Content-Type': 'application/json' }
    const body = JSON.stringify({ username: 'x'.repeat(100_000) })
    const answer = await proxy.send({ method: 'POST', path: '/v2/token', headers, body })
    expect(answer.status).toBe(413)
    expect(JSON.parse(answer.text)).toMatchObject({ message: expect.stringContaining('64 kB') })
  })

  test('passes live messages on at once', async () => {
    const browser = await signInMember(demo.service)
    const page = pageOf(await proxy.open('/portal/v1/live', { Cookie: `warung_member=${browser.secret}` }))
    expect(page.status).toBe(200)
    await page.message('hello')
    page.close()
  })
})

/** Upstream that reads requests and ends each connection without an answer. */
async function startMute(): Promise<{ baseUrl: string; requests: () => string[]; stop(): void }> {
  const sockets = new Set<Socket>()
  const requests: string[] = []
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('data', (data) => {
      const [line = ''] = String(data).split('\r\n')
      if (line.includes(' /healthz ')) socket.write('HTTP/1.1 204 No Content\r\n\r\n')
      else {
        requests.push(line)
        socket.destroy()
      }
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: () => requests,
    stop() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

describe.each(KINDS)('%s in front of a service that dies in the middle of a request', (kind) => {
  it.runIf(hasTool(kind))('sends no request twice: a nonce is valid once', async () => {
    const mute = await startMute()
    const proxy = await startProxy(kind, mute.baseUrl)
    try {
      // A connection that was used before is where proxies repeat requests by themselves.
      const asked: Proxied[] = []
      for (const method of ['GET', 'POST', 'GET']) {
        expect((await proxy.send({ path: '/healthz' })).status).toBe(204)
        asked.push(
          await proxy.send({ method, path: '/v2/balance', ...(method === 'POST' && { body: '{}' }) }),
        )
      }
      expect(asked.map(({ status }) => status)).toEqual([502, 502, 502])
      expect(mute.requests()).toHaveLength(3)
    } finally {
      await proxy.stop()
      mute.stop()
    }
  })
})
