import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { deferred, serve } from '../../../testing/outbound.ts'
import { connectHttp, openLoopback, simulatorConnection } from '../../../testing/providers/http-connection.ts'
import { newOrder } from '../../../testing/providers/provider-bench.ts'
import type { Provider } from '../port/types.ts'
import { startSimulatorServer } from '../simulator/server.service.ts'
import type { SimulatorAuth } from '../simulator/types.ts'

const never = new AbortController().signal
const SECRETS = { key: 'the secret key', callback: 'x'.repeat(20) }
const REF = { secret: 'key' }

const toClose: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of toClose.splice(0).reverse()) await close()
})

function connect(url: string, auth: unknown, nowMs?: () => number): Provider {
  const outbound = openLoopback()
  toClose.push(() => outbound.close())
  const clock = nowMs === undefined ? {} : { nowMs }
  return connectHttp({ config: { ...simulatorConnection(url), auth }, secrets: SECRETS, outbound, ...clock })
}

describe('every way to prove who we are is believed by a server that checks it', () => {
  const oauth = (changes: object = {}) => ({
    type: 'oauth2_client_credentials',
    client_id: 'warung',
    client_secret: REF,
    ...changes,
  })

  it.each<[string, SimulatorAuth, (url: string) => unknown]>([
    [
      'basic',
      { kind: 'basic', username: 'warung', password: SECRETS.key },
      () => ({ type: 'basic', username: 'warung', password: REF }),
    ],
    ['bearer', { kind: 'bearer', token: SECRETS.key }, () => ({ type: 'bearer', token: REF })],
    [
      'hmac',
      { kind: 'hmac', secret: SECRETS.key },
      () => ({
        type: 'hmac',
        secret: REF,
        payload: '{{timestamp}}.{{method}}.{{target}}.{{body}}',
        header: 'X-Signature',
        timestamp: { header: 'X-Timestamp' },
      }),
    ],
    [
      'oauth2, in the body',
      { kind: 'oauth2', clientId: 'warung', clientSecret: SECRETS.key },
      (url) => oauth({ token_url: `${url}/token`, client_auth: 'body' }),
    ],
    [
      'oauth2, as Basic',
      { kind: 'oauth2', clientId: 'warung', clientSecret: 'the%20secret%20key' },
      (url) => oauth({ token_url: `${url}/token`, scope: 'orders' }),
    ],
  ])('%s', async (_, auth, configOf) => {
    const server = await startSimulatorServer({ port: 0, host: '127.0.0.1', auth })
    toClose.push(() => server.close())
    const order = newOrder()
    const provider = connect(server.url, configOf(server.url))
    expect(await provider.submit(order, never)).toMatchObject({ kind: 'succeeded' })
    expect(await provider.query(order, never)).toMatchObject({ kind: 'succeeded' })
    // A client without authentication is refused.
    expect(await connect(server.url, { type: 'none' }).query(order, never)).toMatchObject({ kind: 'unknown' })
  })
})

type Handle = (request: IncomingMessage, response: ServerResponse) => void

/** Starts a supplier that accepts only the latest token and counts its requests. */
async function startTokenSupplier(changes: { token?: Handle; lifeS?: unknown } = {}) {
  const counts = { tokens: 0, orders: 0 }
  const latest = () => `Bearer token-${counts.tokens}`
  let isRevoked = false
  const port = await serve((request, response) => {
    request.resume()
    if (request.url === '/token') {
      counts.tokens += 1
      isRevoked = false
      if (changes.token !== undefined) return changes.token(request, response)
      response.end(
        JSON.stringify({ access_token: `token-${counts.tokens}`, expires_in: changes.lifeS ?? 3_600 }),
      )
      return
    }
    counts.orders += 1
    const isGood = request.headers.authorization === latest() && !isRevoked
    response.writeHead(isGood ? 200 : 401)
    response.end(isGood ? '{"status":"pending"}' : '{"error":"unauthorized"}')
  })
  const url = `http://127.0.0.1:${port}`
  return {
    counts,
    url,
    auth: {
      type: 'oauth2_client_credentials',
      token_url: `${url}/token`,
      client_id: 'warung',
      client_secret: REF,
    },
    revoke() {
      isRevoked = true
    },
  }
}

describe('an OAuth token', () => {
  it('is fetched once for all who wait for it, and kept until shortly before its end', async () => {
    const supplier = await startTokenSupplier()
    const clock = { nowMs: 1_000_000 }
    const provider = connect(supplier.url, supplier.auth, () => clock.nowMs)
    const orders = Array.from({ length: 20 }, () => provider.submit(newOrder(), new AbortController().signal))
    for (const outcome of await Promise.all(orders)) expect(outcome).toEqual({ kind: 'pending' })
    expect(supplier.counts).toEqual({ tokens: 1, orders: 20 })
    clock.nowMs += 3_560_000
    expect(await provider.submit(newOrder(), never)).toEqual({ kind: 'pending' })
    expect(supplier.counts.tokens).toBe(1)
    clock.nowMs += 20_000
    expect(await provider.submit(newOrder(), never)).toEqual({ kind: 'pending' })
    expect(supplier.counts.tokens).toBe(2)
  })

  it('an OAuth token is asked for as JSON with further members, and read where the supplier puts it', async () => {
    const seen: { body: string; type: string | undefined; partner: string | string[] | undefined }[] = []
    const supplier = await startTokenSupplier({
      async token(request, response) {
        const chunks: Buffer[] = []
        for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
        const { 'content-type': type, 'x-partner': partner } = request.headers
        seen.push({ body: Buffer.concat(chunks).toString(), type, partner })
        response.end('{"data":{"access_token":"token-1","life":3600}}')
      },
    })
    const provider = connect(supplier.url, {
      ...supplier.auth,
      client_auth: 'body',
      request: 'json',
      extra: { audience: 'https://topups.supplier.example', key: REF },
      headers: { 'X-Partner': 'W1' },
      token_path: 'data.access_token',
      expires_path: 'data.life',
    })
    expect(await provider.submit(newOrder(), never)).toEqual({ kind: 'pending' })
    expect(seen).toMatchObject([{ type: 'application/json', partner: 'W1' }])
    expect(JSON.parse(seen[0]?.body ?? '')).toEqual({
      grant_type: 'client_credentials',
      client_id: 'warung',
      client_secret: SECRETS.key,
      audience: 'https://topups.supplier.example',
      key: SECRETS.key,
    })
  })

  it('an OAuth token that is no longer believed is renewed once, and the order sent again under its reference', async () => {
    const supplier = await startTokenSupplier()
    const provider = connect(supplier.url, supplier.auth)
    await provider.submit(newOrder(), never)
    supplier.revoke()
    expect(await provider.submit(newOrder(), never)).toEqual({ kind: 'pending' })
    expect(supplier.counts).toEqual({ tokens: 2, orders: 3 })
  })

  it('an OAuth token that is never believed is not renewed for ever', async () => {
    const supplier = await startTokenSupplier({
      token: (_, response) => response.end('{"access_token":"never-good"}'),
    })
    const provider = connect(supplier.url, supplier.auth)
    expect(await provider.submit(newOrder(), never)).toMatchObject({ kind: 'unknown' })
    expect(supplier.counts).toEqual({ tokens: 2, orders: 2 })
  })

  it.each<[string, Handle]>([
    ['is refused', (_, response) => response.writeHead(401).end('{"error":"invalid_client"}')],
    ['is not JSON', (_, response) => response.end('<html>')],
    ['would break a header', (_, response) => response.end('{"access_token":"a\\r\\nX-Admin: 1"}')],
    ['is absent', (_, response) => response.end('{}')],
    ['never comes whole', (request) => request.socket.destroy()],
  ])(
    'an OAuth token that %s means that nothing was ordered, and the next order asks for a new one',
    async (_, token) => {
      const supplier = await startTokenSupplier({ token })
      const provider = connect(supplier.url, supplier.auth)
      const outcome = await provider.submit(newOrder(), never)
      expect(outcome).toMatchObject({ kind: 'not_acted', code: 47 })
      expect(JSON.stringify(outcome)).not.toContain(SECRETS.key)
      expect(await provider.query(newOrder(), never)).toMatchObject({ kind: 'unknown' })
      expect(supplier.counts).toEqual({ tokens: 2, orders: 0 })
    },
  )

  it.each([-1, 0, '-3600'])(
    'an OAuth token that says it lives for %j seconds is kept for the usual time',
    async (lifeS) => {
      const supplier = await startTokenSupplier({ lifeS })
      const provider = connect(supplier.url, supplier.auth)
      await provider.submit(newOrder(), never)
      await provider.submit(newOrder(), never)
      expect(supplier.counts.tokens).toBe(1)
    },
  )

  it('an OAuth token that does not come in time for one request still comes for the others', async () => {
    const asked = deferred<ServerResponse>()
    const supplier = await startTokenSupplier({ token: (_, response) => asked.resolve(response) })
    const provider = connect(supplier.url, supplier.auth)
    const impatient = new AbortController()
    const first = provider.submit(newOrder(), impatient.signal)
    const second = provider.submit(newOrder(), never)
    const response = await asked.promise
    impatient.abort()
    expect(await first).toMatchObject({ kind: 'not_acted' })
    response.end('{"access_token":"token-1","expires_in":"soon"}')
    expect(await second).toEqual({ kind: 'pending' })
  })
})

describe('our credentials are never quoted', () => {
  /** Starts a supplier that refuses every order and quotes the authentication header in the reason. */
  async function quoting(): Promise<string> {
    const port = await serve((request, response) => {
      if (request.url === '/token') response.end('{"access_token":"granted-token-1","expires_in":3600}')
      else {
        const credentials = request.headers.authorization?.split(' ')[1] ?? ''
        response.end(JSON.stringify({ status: 'failed', code: 52, reason: `not for ${credentials}` }))
      }
    })
    return `http://127.0.0.1:${port}`
  }

  it.each<[string, (url: string) => unknown]>([
    ['Basic credentials', () => ({ type: 'basic', username: 'warung', password: REF })],
    [
      'a granted token',
      (url) => ({
        type: 'oauth2_client_credentials',
        token_url: `${url}/token`,
        client_id: 'warung',
        client_secret: REF,
      }),
    ],
  ])('%s', async (_, auth) => {
    const url = await quoting()
    const outcome = await connect(url, auth(url)).submit(newOrder(), never)
    expect(outcome).toMatchObject({ kind: 'failed', reason: expect.stringContaining('secret') })
    expect(JSON.stringify(outcome)).not.toContain('not for')
  })
})
