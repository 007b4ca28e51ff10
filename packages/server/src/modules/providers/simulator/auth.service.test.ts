import { createHmac } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import type { SimulatorServer } from './server.service.ts'
import { startSimulatorServer } from './server.service.ts'
import type { SimulatorAuth } from './types.ts'

let server: SimulatorServer
let nowMs = Date.parse('2026-03-01T04:00:00Z')

afterEach(() => server.close())

async function start(auth: SimulatorAuth): Promise<void> {
  server = await startSimulatorServer({
    port: 0,
    host: '127.0.0.1',
    auth,
    nowMs: () => nowMs,
    tokenLifetimeMs: 60_000,
  })
}

const BODY = JSON.stringify({ reference: 'r-1', product: 'NOVA', account: '60198765432', amount: '10' })

async function submit(headers: Record<string, string> = {}): Promise<number> {
  const { status } = await fetch(`${server.url}/orders`, { method: 'POST', body: BODY, headers })
  return status
}

async function booked(): Promise<number> {
  const { orders } = (await (await fetch(`${server.url}/orders`)).json()) as { orders: unknown[] }
  return orders.length
}

const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` })
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

describe('the simulator as a supplier that asks who is there', () => {
  it('takes orders with the right name and password, and acts on no others', async () => {
    await start({ kind: 'basic', username: 'kedai', password: 'rahsia:1' })
    for (const headers of [{}, basic('kedai:rahsia'), bearer('rahsia:1')]) {
      expect(await submit(headers)).toBe(401)
    }
    expect(await booked()).toBe(0)
    expect(await submit(basic('kedai:rahsia:1'))).toBe(200)
  })

  it('takes orders with the right token', async () => {
    await start({ kind: 'bearer', token: 'sesame' })
    expect(await submit(bearer('sesam'))).toBe(401)
    expect(await submit(bearer('sesame'))).toBe(200)
  })

  it('takes orders that are signed now, over exactly what is sent', async () => {
    await start({ kind: 'hmac', secret: 'shared' })
    const sign = (signed: string, atMs = nowMs) => {
      const timestamp = String(Math.floor(atMs / 1_000))
      const signature = createHmac('sha256', 'shared').update(`${timestamp}.${signed}`).digest('hex')
      return { 'x-timestamp': timestamp, 'x-signature': signature }
    }
    expect(await submit()).toBe(401)
    expect(await submit(sign(`GET./orders.${BODY}`))).toBe(401)
    expect(await submit(sign(`POST./orders.${BODY} `))).toBe(401)
    expect(await submit(sign(`POST./orders.${BODY}`, nowMs - 301_000))).toBe(401)
    expect(await submit(sign(`POST./orders.${BODY}`))).toBe(200)
  })

  it('gives tokens to its client alone, which last as long as it says', async () => {
    await start({ kind: 'oauth2', clientId: 'kedai', clientSecret: 'rahsia' })
    const token = async (form: Record<string, string>, headers = {}) => {
      const body = new URLSearchParams({ grant_type: 'client_credentials', ...form })
      const answer = await fetch(`${server.url}/token`, { method: 'POST', body, headers })
      return { status: answer.status, body: (await answer.json()) as { access_token: string } }
    }
    expect((await token({ client_id: 'kedai', client_secret: 'wrong' })).status).toBe(401)
    expect(
      (await token({ client_id: 'kedai', client_secret: 'rahsia', grant_type: 'password' })).status,
    ).toBe(401)
    const first = await token({ client_id: 'kedai', client_secret: 'rahsia' })
    expect(first.body).toMatchObject({ token_type: 'Bearer', expires_in: 60 })
    const second = await token({}, basic('kedai:rahsia'))
    expect(second.body.access_token).not.toBe(first.body.access_token)
    expect(await submit(bearer(first.body.access_token))).toBe(200)
    nowMs += 60_000
    expect(await submit(bearer(first.body.access_token))).toBe(401)
  })

  it('forgets its tokens when told to refuse somebody', async () => {
    await start({ kind: 'oauth2', clientId: 'kedai', clientSecret: 'rahsia' })
    const answer = await fetch(`${server.url}/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
      headers: basic('kedai:rahsia'),
    })
    const { access_token } = (await answer.json()) as { access_token: string }
    expect(await submit(bearer(access_token))).toBe(200)
    await fetch(`${server.url}/faults`, { method: 'POST', body: '{"kind":"unauthorized","count":1}' })
    expect(await submit(bearer(access_token))).toBe(401)
    expect(await submit(bearer(access_token))).toBe(401)
  })
})
