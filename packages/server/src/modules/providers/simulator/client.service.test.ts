import { mkdtemp, rm } from 'node:fs/promises'
import type { RequestListener, Server } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Order, Provider } from '../port/types.ts'
import { createRemoteSimulator } from './client.service.ts'
import type { SimulatorServer } from './server.service.ts'
import { startSimulatorServer } from './server.service.ts'
import { createSimulator } from './service.ts'
import type { FulfilmentOf } from './types.ts'
import type { BookLine, FaultBody } from './wire.schemas.ts'

const fulfilment: FulfilmentOf = (code) => (code === 'PINTEN' ? 'pin' : 'plain')
const nowMs = () => Date.parse('2026-03-01T04:00:00Z')
const never = new AbortController().signal

let directory: string
let server: SimulatorServer
let provider: Provider
/** Ends the wait of `slow`. */
let release: () => void

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'warung-simulator-'))
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const wait = () => released
  const booksFile = join(directory, 'books.jsonl')
  server = await startSimulatorServer({ port: 0, host: '127.0.0.1', nowMs, wait, booksFile })
  provider = createRemoteSimulator({ url: server.url, fulfilment })
})

afterEach(async () => {
  await server.close()
  await rm(directory, { recursive: true, force: true })
})

function order(reference: string, account = '60198765432', productCode = 'NOVA'): Order {
  return {
    reference,
    productCode,
    account,
    amount: 105_000n,
    faceValue: 105_000n,
    subproductCode: null,
    billerCode: null,
    ref2: null,
    icNumber: '900101015555',
    submittedAt: new Date(nowMs()),
  }
}

async function set(fault: FaultBody): Promise<void> {
  const response = await fetch(`${server.url}/faults`, { method: 'POST', body: JSON.stringify(fault) })
  expect(response.status).toBe(200)
}

async function books(): Promise<BookLine[]> {
  const response = await fetch(`${server.url}/orders`)
  return ((await response.json()) as { orders: BookLine[] }).orders
}

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const giveUpAt = Date.now() + 60_000
  while (!(await holds())) {
    if (Date.now() > giveUpAt) throw new Error(`gave up waiting until ${what}`)
    await pause(5)
  }
}

const faultsLeft = async () => {
  const response = await fetch(`${server.url}/faults`)
  return ((await response.json()) as { faults: unknown[] }).faults.length
}

describe('the simulator over HTTP', () => {
  it.each([
    ['60198765432', 'NOVA'],
    ['60198765432', 'PINTEN'],
    ['60123450047', 'NOVA'],
    ['60123450861', 'NOVA'],
    ['60123451030', 'NOVA'],
    ['60123452030', 'NOVA'],
  ])('says of %s and %s what the one in the process says', async (account, productCode) => {
    const local = createSimulator({ fulfilment, nowMs })
    const asked = order('same', account, productCode)
    // The time of a decision to come is not sent over HTTP.
    const { decidedInMs: _, ...expected } = { decidedInMs: 0, ...(await local.submit(asked, never)) }
    expect(await provider.submit(asked, never)).toEqual(expected)
    expect(await provider.submit(asked, never)).toEqual(expected)
    expect(await provider.query(asked, never)).toEqual(expected)
  })

  it.each([
    ['60123453001', 'succeeded'],
    ['60123453002', 'failed'],
    ['60123453003', 'unknown'],
  ])('does not answer on %s, and finds it %s when asked', async (account, kind) => {
    const deadline = new AbortController()
    const submitted = provider.submit(order('silent', account), deadline.signal)
    await until('the order is in the books', async () => (await books()).length === 1)
    deadline.abort()
    expect(await submitted).toMatchObject({ kind: 'unknown' })
    expect(await provider.query(order('silent', account), never)).toMatchObject({ kind })
  })

  it('never hands over an identity number', async () => {
    let received = ''
    const { url, close } = await listen((request, response) => {
      request.on('data', (chunk) => {
        received += String(chunk)
      })
      request.on('end', () => response.end())
    })
    await createRemoteSimulator({ url, fulfilment }).submit(order('private'), never)
    await close()
    expect(received).toContain('"private"')
    expect(received).not.toContain('900101015555')
  })

  it('acts once on fifty equal orders that arrive together, and answers each the same', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => provider.submit(order('fifty'), new AbortController().signal)),
    )
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(answers[0]).toMatchObject({ kind: 'succeeded' })
    expect(await books()).toMatchObject([{ reference: 'fifty', amount: '10.50', times_received: 50 }])
  })

  it('leaves unknown what is said of another order under the same reference', async () => {
    await provider.submit(order('taken'), never)
    expect(await provider.submit(order('taken', '60111111111'), never)).toMatchObject({ kind: 'unknown' })
    expect(await books()).toMatchObject([{ account: '60198765432', times_received: 1 }])
  })

  it('voids once, and only what it fulfilled', async () => {
    const ask = (asked: Order) => provider.voids?.requestVoid(asked, never)
    for (const account of ['60123454001', '60123454002', '60198765432', '60123450048']) {
      await provider.submit(order(account, account), never)
    }
    expect(await ask(order('60123454001', '60123454001'))).toEqual({ kind: 'approved' })
    expect(await ask(order('60123454001', '60123454001'))).toEqual({ kind: 'approved' })
    expect(await ask(order('60123454002', '60123454002'))).toMatchObject({ kind: 'refused' })
    expect(await ask(order('60198765432', '60198765432'))).toEqual({ kind: 'pending' })
    expect(await ask(order('60123450048', '60123450048'))).toMatchObject({ kind: 'refused' })
    expect(await ask(order('never seen'))).toMatchObject({ kind: 'unknown' })
    expect((await books()).map((line) => line.voided_at !== null)).toEqual([true, false, false, false])
    expect(await provider.query(order('60123454001', '60123454001'), never)).toMatchObject({
      kind: 'succeeded',
    })
  })

  it('presents bills and lists options as the one in the process does', async () => {
    const local = createSimulator({ fulfilment, nowMs })
    const bill = { productCode: 'VOLT', account: '1', billerCode: null, ref2: null, amount: 5n }
    for (const changes of [{}, { account: '000000000000' }, { productCode: 'NOVA' }]) {
      const asked = { ...bill, ...changes }
      expect(await provider.bills?.presentBill(asked, never)).toEqual(
        await local.bills?.presentBill(asked, never),
      )
    }
    for (const fieldId of ['loan_account', 'plan']) {
      const asked = { productCode: 'EDULOAN', fieldId, accountNumber: '900101015555' }
      expect(await provider.options?.listOptions(asked, never)).toEqual(
        await local.options?.listOptions(asked, never),
      )
    }
  })

  it('knows its float, which is less by what succeeded or may yet, and takes no order that it does not cover', async () => {
    const small = await startSimulatorServer({ port: 0, host: '127.0.0.1', nowMs, float: 300_000n })
    const client = createRemoteSimulator({ url: small.url, fulfilment })
    const float = () => client.float?.readFloat(never)
    await client.submit(order('fails', '60123450048'), never)
    expect(await float()).toEqual({ kind: 'known', amount: 300_000n })
    await client.submit(order('succeeds', '60123454001'), never)
    await client.submit(order('pending', '60123451030'), never)
    expect(await float()).toEqual({ kind: 'known', amount: 90_000n })
    expect(await client.submit(order('dear'), never)).toMatchObject({ kind: 'not_acted', code: 47 })
    expect(await client.query(order('dear'), never)).toEqual({ kind: 'not_found' })
    await client.voids?.requestVoid(order('succeeds', '60123454001'), never)
    expect(await float()).toEqual({ kind: 'known', amount: 195_000n })
    await small.close()
  })
})

describe('a submission that meets', () => {
  it.each([
    ['error_before', 'unknown', false],
    ['error_after', 'unknown', true],
    ['garbage', 'unknown', true],
    ['huge', 'unknown', true],
    ['drop_before', 'unknown', false],
    ['drop_after', 'unknown', true],
    ['duplicate_answer', 'succeeded', true],
    ['outage', 'unknown', false],
    ['none', 'succeeded', true],
  ] as const)('%s is %s, and the books say whether it acted: %s', async (kind, outcome, acted) => {
    // One connection: the remains of a fault must not disturb the next request.
    provider = createRemoteSimulator({ url: server.url, fulfilment, connectionsMax: 1 })
    await set({ kind, count: 1 })
    expect(await provider.submit(order('hit'), never)).toMatchObject({ kind: outcome })
    expect(await faultsLeft()).toBe(0)
    expect((await books()).length).toBe(acted ? 1 : 0)
    expect(await provider.query(order('hit'), never)).toMatchObject({
      kind: acted ? 'succeeded' : 'not_found',
    })
    expect(await provider.submit(order('hit'), never)).toMatchObject({ kind: 'succeeded' })
    expect((await books()).length).toBe(1)
  })

  it('hang is unknown when its deadline ends it, and was acted on', async () => {
    await set({ kind: 'hang', count: 1 })
    const deadline = new AbortController()
    const submitted = provider.submit(order('hung'), deadline.signal)
    await until('the order is in the books', async () => (await books()).length === 1)
    deadline.abort()
    expect(await submitted).toMatchObject({ kind: 'unknown', reason: 'no answer in time' })
    expect(await provider.query(order('hung'), never)).toMatchObject({ kind: 'succeeded' })
  })

  it('slow is not found at first, and acted on although nobody waits any more', async () => {
    await set({ kind: 'slow', count: 1 })
    const deadline = new AbortController()
    const submitted = provider.submit(order('late'), deadline.signal)
    await until('the request has arrived', async () => (await faultsLeft()) === 0)
    deadline.abort()
    expect(await submitted).toMatchObject({ kind: 'unknown' })
    expect(await provider.query(order('late'), never)).toEqual({ kind: 'not_found' })
    release()
    await until('it is found', async () => {
      const { kind } = await provider.query(order('late'), never)
      return kind === 'succeeded'
    })
  })

  it('slow is answered when the wait is over', async () => {
    await set({ kind: 'slow', count: 1 })
    const submitted = provider.submit(order('patient'), never)
    await until('the request has arrived', async () => (await faultsLeft()) === 0)
    release()
    expect(await submitted).toMatchObject({ kind: 'succeeded' })
  })

  it('a deadline that is already over is unknown', async () => {
    expect(await provider.submit(order('expired'), AbortSignal.abort())).toMatchObject({ kind: 'unknown' })
  })

  it('a submission to an address without a listener is unknown, and so is asking', async () => {
    const gone = await startSimulatorServer({ port: 0, host: '127.0.0.1' })
    await gone.close()
    const nobody = createRemoteSimulator({ url: gone.url, fulfilment })
    expect(await nobody.submit(order('refused'), never)).toEqual({ kind: 'unknown', reason: 'ECONNREFUSED' })
    expect(await nobody.query(order('refused'), never)).toMatchObject({ kind: 'unknown' })
    expect(await nobody.voids?.requestVoid(order('refused'), never)).toMatchObject({ kind: 'unknown' })
    expect(await nobody.health?.isHealthy(never)).toBe(false)
  })
})

describe('a question that meets', () => {
  it.each(['error_before', 'error_after', 'garbage', 'huge', 'drop_before', 'drop_after', 'outage'] as const)(
    '%s is unknown, never not found',
    async (kind) => {
      await set({ kind, on: 'all', count: 2 })
      expect(await provider.query(order('asked'), never)).toMatchObject({ kind: 'unknown' })
      expect(await provider.voids?.requestVoid(order('asked'), never)).toMatchObject({ kind: 'unknown' })
      expect(await provider.query(order('asked'), never)).toEqual({ kind: 'not_found' })
    },
  )

  it('an outage finds the provider ill, and its end finds it well', async () => {
    await set({ kind: 'outage' })
    expect(await provider.health?.isHealthy(never)).toBe(false)
    await fetch(`${server.url}/faults`, { method: 'DELETE' })
    expect(await provider.health?.isHealthy(never)).toBe(true)
  })
})

it('an answer sent twice is never taken for the answer to another request', async () => {
  const single = createRemoteSimulator({ url: server.url, fulfilment, connectionsMax: 1 })
  await set({ kind: 'duplicate_answer', on: 'all' })
  for (let n = 0; n < 20; n += 1) {
    const good = order(`good-${n}`)
    const bad = order(`bad-${n}`, '60123450048')
    expect(['succeeded', 'unknown']).toContain((await single.submit(good, never)).kind)
    expect(['failed', 'unknown']).toContain((await single.submit(bad, never)).kind)
    expect(['not_found', 'unknown']).toContain((await single.query(order(`none-${n}`), never)).kind)
  }
})

it('a server that ends and starts again on its books knows what it did', async () => {
  const booksFile = join(directory, 'books.jsonl')
  const told = await provider.submit(order('kept'), never)
  await set({ kind: 'drop_after', count: 1 })
  await provider.submit(order('lost'), never)
  const port = Number(new URL(server.url).port)
  await server.close()
  expect(await provider.query(order('kept'), never)).toMatchObject({ kind: 'unknown' })
  server = await startSimulatorServer({ port, host: '127.0.0.1', nowMs, booksFile })
  expect(await provider.query(order('kept'), never)).toEqual(told)
  expect(await provider.submit(order('lost'), never)).toMatchObject({ kind: 'succeeded' })
  expect((await books()).map((line) => line.times_received)).toEqual([1, 2])
})

// ── Servers that are not the simulator ──

async function listen(listener: RequestListener): Promise<{ url: string; close(): Promise<void> }> {
  const other: Server = createServer(listener).listen(0, '127.0.0.1')
  await new Promise((resolve) => other.once('listening', resolve))
  const { port } = other.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        other.close(() => resolve())
        other.closeAllConnections()
      }),
  }
}

const SUCCEEDED = {
  status: 'succeeded',
  output: { serial_number: 'S', pin: '', expiry: '', voucher_link: '', note: '' },
}

describe('any other program at the address', () => {
  it.each([
    ['a proxy’s 404', 404, '<h1>Not found</h1>'],
    ['a 404 in JSON that is not about an order', 404, '{"error":"no_such_address","message":""}'],
    ['a redirect', 302, ''],
    ['400', 400, '{"error":"validation_failed","message":""}'],
    ['204', 204, ''],
    ['an empty 200', 200, ''],
    ['200 and null', 200, 'null'],
    ['an unknown status word', 200, '{"status":"done"}'],
    ['a success without output', 200, '{"status":"succeeded"}'],
    ['a failure without code', 200, '{"status":"failed","reason":"x"}'],
    ['a failure with a code no payment fails with', 200, '{"status":"failed","code":43,"reason":"x"}'],
    ['a success that came with 500', 500, JSON.stringify(SUCCEEDED)],
  ])('%s leaves it unknown', async (_, status, text) => {
    const { url, close } = await listen((request, response) => {
      response.setHeader('x-exchange-id', request.headers['x-exchange-id'] ?? '')
      response.setHeader('location', server.url)
      response.writeHead(status).end(text)
    })
    const stranger = createRemoteSimulator({ url, fulfilment })
    expect(await stranger.submit(order('strange'), never)).toMatchObject({ kind: 'unknown' })
    expect(await stranger.query(order('strange'), never)).toMatchObject({ kind: 'unknown' })
    expect(await stranger.voids?.requestVoid(order('strange'), never)).toMatchObject({ kind: 'unknown' })
    await close()
  })

  it.each([
    ['whole', (text: string) => text, 'succeeded'],
    ['cut short', (text: string) => text.slice(0, -1), 'unknown'],
  ])('an answer that is %s counts as %s', async (_, cut, kind) => {
    const text = JSON.stringify(SUCCEEDED)
    const { url, close } = await listen((request, response) => {
      response.setHeader('x-exchange-id', request.headers['x-exchange-id'] ?? '')
      response.setHeader('content-length', text.length)
      response.write(cut(text), () => response.destroy())
    })
    const outcome = await createRemoteSimulator({ url, fulfilment }).submit(order('cut'), never)
    expect(outcome).toMatchObject({ kind })
    await close()
  })

  it('an answer to another request counts for nothing', async () => {
    const { url, close } = await listen((_, response) => {
      response.setHeader('x-exchange-id', 'another')
      response.end(JSON.stringify(SUCCEEDED))
    })
    const outcome = await createRemoteSimulator({ url, fulfilment }).submit(order('foreign'), never)
    expect(outcome).toEqual({ kind: 'unknown', reason: 'the answer is not to this request' })
    await close()
  })

  it('an address that is not http is refused before anything is sent', () => {
    expect(() => createRemoteSimulator({ url: 'ftp://127.0.0.1', fulfilment })).toThrow()
    expect(() => createRemoteSimulator({ url: 'not an address', fulfilment })).toThrow()
  })
})
