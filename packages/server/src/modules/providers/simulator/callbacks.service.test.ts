import { once } from 'node:events'
import type { IncomingHttpHeaders } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createRemoteSimulator } from './client.service.ts'
import type { SimulatorServer } from './server.service.ts'
import { startSimulatorServer } from './server.service.ts'
import type { CallbackFaultKind } from './types.ts'
import type { FaultBody } from './wire.schemas.ts'

const SECRET = 'callbacks are signed with this'
const GOOD = '60198765432'
const BAD = '60123450048'

type Received = { headers: IncomingHttpHeaders; body: string }

/** Starts a receiver of callbacks that answers with the statuses in turn, and with 200 when none is left. */
async function startReceiver() {
  const received: Received[] = []
  const statuses: number[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += String(chunk)
    })
    request.on('end', () => {
      received.push({ headers: request.headers, body })
      response.writeHead(statuses.shift() ?? 200).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    received,
    statuses,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callbacks/simulator`,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

let receiver: Awaited<ReturnType<typeof startReceiver>>
let server: SimulatorServer
let nowMs: number

beforeEach(async () => {
  nowMs = Date.parse('2026-03-01T04:00:00Z')
  receiver = await startReceiver()
  server = await startSimulatorServer({
    port: 0,
    host: '127.0.0.1',
    nowMs: () => nowMs,
    wait: (ms) => {
      nowMs += ms
      return Promise.resolve()
    },
    callbacks: { url: receiver.url, secret: SECRET },
  })
})

afterEach(async () => {
  await server.close()
  await receiver.close()
})

async function post(path: string, body: unknown): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${server.url}${path}`, { method: 'POST', body: JSON.stringify(body) })
  return { status: response.status, body: await response.json() }
}

const order = (reference: string, account = GOOD) =>
  post('/orders', { reference, product: 'NOVA', account, amount: '10.50' })
const set = (fault: FaultBody) => post('/faults', fault)

async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const giveUpAt = Date.now() + 60_000
  while (!(await holds())) {
    if (Date.now() > giveUpAt) throw new Error(`gave up waiting until ${what}`)
    await pause(5)
  }
}

async function untilDelivered(count: number): Promise<{ reference: string; status: number | null }[]> {
  let callbacks: { reference: string; status: number | null }[] = []
  await until(`${count} callbacks are done with`, async () => {
    const response = await fetch(`${server.url}/callbacks`)
    callbacks = ((await response.json()) as { callbacks: typeof callbacks }).callbacks
    return callbacks.length >= count
  })
  return callbacks
}

/** Reads the received callbacks as the service does. */
function readings() {
  const { callbacks } = createRemoteSimulator({
    url: server.url,
    fulfilment: () => 'plain',
    callbackSecret: SECRET,
  })
  return receiver.received.map(({ headers, body }) => {
    const texts = Object.entries(headers).map(([name, value]) => [name, String(value)])
    const request = { headers: Object.fromEntries(texts), query: '', body: Buffer.from(body) }
    return callbacks?.readCallback(request, nowMs)
  })
}

describe('the simulator’s callbacks', () => {
  it('tell of a final outcome once, signed, in the words of the answer', async () => {
    const { body } = await order('r-1')
    await order('r-1')
    await untilDelivered(1)
    expect(receiver.received).toHaveLength(1)
    expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({
      reference: 'r-1',
      amount: '10.50',
      ...(body as object),
    })
    expect(readings()).toMatchObject([
      { kind: 'news', reference: 'r-1', claimedAmount: 105_000n, outcome: { kind: 'succeeded' } },
    ])
  })

  it('tell of a pending order when it is decided, and of one that was never answered', async () => {
    expect((await order('late', '60123452030')).body).toEqual({ status: 'pending' })
    await untilDelivered(1)
    const silent = order('silent', '60123453001').catch(() => undefined)
    await untilDelivered(2)
    expect(readings()).toMatchObject([
      { reference: 'late', outcome: { kind: 'failed', code: 48 } },
      { reference: 'silent', outcome: { kind: 'succeeded' } },
    ])
    await server.close()
    await silent
    server = await startSimulatorServer({ port: 0, host: '127.0.0.1' })
  })

  it('are sent again, the same, to one who does not take them, and at last no more', async () => {
    receiver.statuses.push(500, 500)
    await order('retried')
    expect(await untilDelivered(1)).toMatchObject([{ reference: 'retried', status: 200 }])
    expect(receiver.received).toHaveLength(3)
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1)
    receiver.statuses.push(401, 401, 401)
    await order('refused')
    expect(await untilDelivered(2)).toMatchObject([{}, { reference: 'refused', status: 401 }])
    expect(receiver.received).toHaveLength(6)
  })

  it('come before the answer when told to', async () => {
    await set({ kind: 'callback_early' })
    await order('early')
    expect(readings()).toMatchObject([{ reference: 'early' }])
  })

  it.each([
    ['callback_twice', GOOD, ['succeeded', 'succeeded']],
    ['callback_contradicted', GOOD, ['failed', 'succeeded']],
    ['callback_contradicted', BAD, ['succeeded', 'failed']],
    ['callback_pending_after', GOOD, ['succeeded', 'pending']],
    ['callback_bad_signature', GOOD, ['refused']],
    ['callback_old', GOOD, ['refused']],
    ['callback_garbage', GOOD, ['refused']],
    ['callback_wrong_amount', GOOD, ['succeeded']],
  ] as const)(
    'the simulator’s callbacks with %s on %s say %j, and the answer is right',
    async (kind, account, said) => {
      await set({ kind, count: 1, matching_account: account })
      expect((await order('hit', account)).body).toMatchObject({
        status: account === GOOD ? 'succeeded' : 'failed',
      })
      await untilDelivered(said.length)
      const found = readings().map((each) => (each?.kind === 'news' ? each.outcome?.kind : each?.kind))
      expect(found).toEqual(said)
    },
  )

  it('callbacks that come twice have one id, and callbacks that contradict each other have two', async () => {
    const ids = async (kind: CallbackFaultKind) => {
      receiver.received.length = 0
      await set({ kind, count: 1 })
      await order(kind)
      await until('both are here', () => receiver.received.length === 2)
      return new Set(readings().map((each) => (each?.kind === 'news' ? each.id : ''))).size
    }
    expect(await ids('callback_twice')).toBe(1)
    expect(await ids('callback_contradicted')).toBe(2)
  })

  it('a callback with a wrong amount claims it', async () => {
    await set({ kind: 'callback_wrong_amount', count: 1 })
    await order('dear')
    await untilDelivered(1)
    expect(readings()).toMatchObject([{ kind: 'news', claimedAmount: 1_050_000n }])
  })

  it('callbacks that go missing are followed by others that arrive, and a fault may name another address', async () => {
    const other = await startReceiver()
    await set({ kind: 'callback_missing', count: 1 })
    await set({ kind: 'none', on: 'callback', count: 1, callback_url: other.url })
    for (const reference of ['missing', 'elsewhere', 'here']) await order(reference)
    await untilDelivered(2)
    expect(other.received.map(({ body }) => JSON.parse(body).reference)).toEqual(['elsewhere'])
    expect(receiver.received.map(({ body }) => JSON.parse(body).reference)).toEqual(['here'])
    await other.close()
  })

  it('are not hit by the faults of requests, nor requests by theirs', async () => {
    await set({ kind: 'outage' })
    expect((await order('down')).status).toBe(503)
    expect((await set({ kind: 'callback_twice', on: 'submit' })).status).toBe(400)
    expect((await set({ kind: 'hang', on: 'callback' })).status).toBe(400)
    expect((await set({ kind: 'hang', callback_url: receiver.url })).status).toBe(400)
  })
})
