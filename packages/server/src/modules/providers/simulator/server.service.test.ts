import { once } from 'node:events'
import { connect } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { SimulatorServer } from './server.service.ts'
import { startSimulatorServer } from './server.service.ts'

let server: SimulatorServer
let nowMs = Date.parse('2026-03-01T04:00:00Z')

beforeEach(async () => {
  server = await startSimulatorServer({ port: 0, host: '127.0.0.1', nowMs: () => nowMs })
})

afterEach(() => server.close())

const ORDER = { reference: 'r/1 ?', product: 'NOVA', account: '60198765432', amount: '10' }
const SIMPLE = { ...ORDER, reference: 'r-1' }

type Said = { status: number; body: Record<string, unknown> }

async function ask(method: string, path: string, body?: unknown): Promise<Said> {
  const sent = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }
  const response = await fetch(`${server.url}${path}`, { method, ...sent })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

describe('the simulator’s server', () => {
  it('gives the same answer to the same order, and 409 to another under its reference', async () => {
    const first = await ask('POST', '/orders', SIMPLE)
    expect(first).toMatchObject({ status: 200, body: { status: 'succeeded', output: { pin: '' } } })
    expect(await ask('POST', '/orders', { ...SIMPLE, amount: '10.00' })).toEqual(first)
    expect(await ask('POST', '/orders', { ...SIMPLE, amount: '10.01' })).toMatchObject({
      status: 409,
      body: { error: 'reference_used' },
    })
    expect(await ask('GET', '/orders/r-1')).toEqual(first)
  })

  it('reads references in any encoding that a path can have', async () => {
    const order = { ...ORDER, reference: 'r/1+?%2F' }
    await ask('POST', '/orders', order)
    expect((await ask('GET', `/orders/${encodeURIComponent(order.reference)}`)).status).toBe(200)
  })

  it('tells an order it never saw from an address it does not have', async () => {
    expect(await ask('GET', '/orders/none')).toMatchObject({ status: 404, body: { error: 'not_found' } })
    expect(await ask('POST', '/voids/none')).toMatchObject({ status: 404, body: { error: 'not_found' } })
    for (const path of ['/', '/order/none', '/orders/none/more', '/v1/orders/none']) {
      expect(await ask('GET', path)).toMatchObject({ status: 404, body: { error: 'no_such_address' } })
    }
  })

  it('gives PINs and links for the orders that ask for them', async () => {
    expect(await ask('POST', '/orders', { ...SIMPLE, reference: 'p', fulfilment: 'pin' })).toMatchObject({
      body: { output: { pin: expect.stringMatching(/^\d{16}$/), expiry: '20270301' } },
    })
    expect(await ask('POST', '/orders', { ...SIMPLE, reference: 'l', fulfilment: 'link' })).toMatchObject({
      body: { output: { voucher_link: expect.stringMatching(/^https:/) } },
    })
  })

  it('decides a delayed order by its own clock from when it received it', async () => {
    const late = { ...SIMPLE, account: '60123452060' }
    expect(await ask('POST', '/orders', late)).toEqual({ status: 200, body: { status: 'pending' } })
    nowMs += 60_000
    expect(await ask('GET', '/orders/r-1')).toMatchObject({ body: { status: 'failed', code: 48 } })
    expect((await ask('GET', '/orders')).body).toMatchObject({
      orders: [{ status: 'failed', acted_at: new Date(nowMs - 60_000).toISOString() }],
    })
  })

  it.each([
    ['no JSON', '{'],
    ['a list', []],
    ['no reference', { ...SIMPLE, reference: undefined }],
    ['a reference too long', { ...SIMPLE, reference: 'r'.repeat(101) }],
    ['an account too long', { ...SIMPLE, account: '6'.repeat(201) }],
    ['an amount that is none', { ...SIMPLE, amount: '1e3' }],
    ['an amount that is a number', { ...SIMPLE, amount: 10 }],
    ['an unknown fulfilment', { ...SIMPLE, fulfilment: 'cake' }],
  ])('takes no order of %s', async (_, body) => {
    expect((await ask('POST', '/orders', body)).status).toBe(400)
    expect((await ask('GET', '/orders')).body).toEqual({ orders: [], next: null })
  })

  it.each([{ kind: 'rain' }, { kind: 'hang', count: 0 }, { kind: 'slow', delay_ms: 600_001 }, {}])(
    'takes no fault like %o',
    async (fault) => {
      expect((await ask('POST', '/faults', fault)).status).toBe(400)
      expect((await ask('GET', '/faults')).body).toEqual({ faults: [] })
    },
  )

  it('breaks the connection of a body beyond all measure', async () => {
    await expect(ask('POST', '/orders', { ...SIMPLE, padding: 'x'.repeat(70_000) })).rejects.toThrow()
    expect((await ask('GET', '/orders')).body).toEqual({ orders: [], next: null })
  })

  it('lists its books in pages', async () => {
    for (const reference of ['a', 'b', 'c']) await ask('POST', '/orders', { ...SIMPLE, reference })
    const page = async (query: string) => (await ask('GET', `/orders?${query}`)).body
    expect(await page('limit=2')).toMatchObject({ orders: [{ reference: 'a' }, { reference: 'b' }], next: 2 })
    expect(await page('limit=2&after=2')).toMatchObject({ orders: [{ reference: 'c' }], next: null })
    expect((await ask('GET', '/orders?limit=10001')).status).toBe(400)
    expect((await ask('GET', '/orders?after=x')).status).toBe(400)
  })

  it('lets faults hit in the order they were set, each as often as it says', async () => {
    await ask('POST', '/faults', { kind: 'none', count: 1 })
    await ask('POST', '/faults', { kind: 'error_before', count: 1 })
    await ask('POST', '/faults', { kind: 'outage', matching_account: '60111111111' })
    const statuses: number[] = []
    for (const reference of ['a', 'b', 'c']) {
      statuses.push((await ask('POST', '/orders', { ...SIMPLE, reference })).status)
    }
    expect(statuses).toEqual([200, 500, 200])
    expect((await ask('POST', '/orders', { ...SIMPLE, account: '60111111111' })).status).toBe(503)
    expect((await ask('GET', '/faults')).body).toMatchObject({ faults: [{ kind: 'outage', on: 'all' }] })
    await ask('POST', '/faults', { kind: 'none' })
    expect((await ask('GET', '/faults')).body).toEqual({ faults: [] })
    expect((await ask('DELETE', '/faults')).status).toBe(200)
  })

  it('keeps no more than a hundred faults', async () => {
    for (let n = 0; n < 100; n += 1) await ask('POST', '/faults', { kind: 'hang', count: 1 })
    expect((await ask('POST', '/faults', { kind: 'hang' })).status).toBe(409)
  })

  it('sends an answer twice over when told to, and serves the connection on', async () => {
    await ask('POST', '/faults', { kind: 'duplicate_answer', on: 'health', count: 1 })
    const { hostname, port } = new URL(server.url)
    const socket = connect(Number(port), hostname)
    let received = ''
    const countAnswers = () => received.split('{"status":"up"}').length - 1
    socket.on('data', (chunk) => {
      received += String(chunk)
    })
    socket.write('GET /health HTTP/1.1\r\nHost: simulator\r\nX-Exchange-Id: 7\r\n\r\n')
    while (countAnswers() < 2) await once(socket, 'data')
    expect(received.match(/x-exchange-id: 7/gi)).toHaveLength(2)
    socket.write('GET /health HTTP/1.1\r\nHost: simulator\r\n\r\n')
    while (countAnswers() < 3) await once(socket, 'data')
    socket.destroy()
  })

  it('ends without waiting for what it is slow about', async () => {
    const ending = await startSimulatorServer({ port: 0, host: '127.0.0.1' })
    const fault = { kind: 'slow', count: 1, delay_ms: 600_000 }
    await fetch(`${ending.url}/faults`, { method: 'POST', body: JSON.stringify(fault) })
    const asked = fetch(`${ending.url}/orders`, { method: 'POST', body: JSON.stringify(SIMPLE) })
    const ended = expect(asked).rejects.toThrow()
    await ending.close()
    await ended
  })

  it('does not start on a port that is taken', async () => {
    const port = Number(new URL(server.url).port)
    await expect(startSimulatorServer({ port, host: '127.0.0.1' })).rejects.toThrow('EADDRINUSE')
  })
})
