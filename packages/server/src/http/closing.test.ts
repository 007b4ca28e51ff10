import type { AddressInfo, Socket } from 'node:net'
import { connect } from 'node:net'
import { pino } from 'pino'
import { Type } from 'typebox'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Edge } from './edge.ts'
import { createEdge } from './edge.ts'
import { createMetrics } from './metrics.ts'
import type { Answer, Operation } from './operation.ts'
import { anyone, operation } from './operation.ts'

const ADMITTED = { limit: 100, remaining: 99, resetSeconds: 300, blockedForSeconds: 0 }
/** Size of an answer that is larger than all buffers between the two sides. */
const LARGE_BYTES = 32 * 1024 * 1024

let edge: Edge
let port: number
let received: number
let release: () => void
const sockets: Socket[] = []

function read(path: string, handle: () => Promise<Answer<object>>): Operation {
  return operation({
    method: 'GET',
    path,
    docs: { operationId: path.slice(1), summary: 'Reads', tag: 'Reads' },
    schemas: { responses: { 200: Type.Object({}) } },
    authenticate: anyone,
    handle() {
      received += 1
      return handle()
    },
  })
}

beforeEach(async () => {
  received = 0
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const ok = { status: 200, body: {} } as const
  let turn = Promise.resolve()
  edge = createEdge({
    operations: [
      read('/plain', async () => ok),
      read('/waiting', () => released.then(() => ok)),
      read('/in-turn', () => {
        turn = turn.then(() => new Promise((resolve) => setImmediate(resolve)))
        return turn.then(() => ok)
      }),
      read('/large', async () => ({ status: 200, body: Buffer.alloc(LARGE_BYTES, 'x') })),
    ],
    limiter: { admit: () => ADMITTED, peek: () => ADMITTED },
    trustProxy: [],
    requestTimeoutMs: 60_000,
    requestsMax: 10,
    connectionsMax: 10,
    connectionsPerAddressMax: 10,
    writeStallMs: 60_000,
    wire: 'own',
    exempt: [],
    logger: pino({ level: 'silent' }),
    requestLog: { write() {} },
    metrics: createMetrics(),
  })
  await edge.listen({ host: '127.0.0.1', port: 0 })
  port = (edge.server.address() as AddressInfo).port
})

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  release()
  await edge.close()
})

async function open(): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port })
  sockets.push(socket)
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  return socket
}

function ask(socket: Socket, path: string): boolean {
  return socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
}

/** Reads to the end of the connection. */
async function readAll(socket: Socket): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of socket) pieces.push(piece as Buffer)
  return Buffer.concat(pieces).toString('latin1')
}

async function untilReceived(count: number): Promise<void> {
  await expect.poll(() => received, { timeout: 30_000 }).toBe(count)
}

it('an edge that announced its close accepts connections, and each answer asks its caller to leave', async () => {
  edge.announceClose()
  const socket = await open()
  ask(socket, '/plain')
  expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 200 .*\r\nConnection: close\r\n/s)
})

it('requests behind one another on a connection all get their answers when the close is announced', async () => {
  const socket = await open()
  ask(socket, '/waiting')
  ask(socket, '/waiting')
  await untilReceived(2)
  edge.announceClose()
  ask(socket, '/waiting')
  await untilReceived(3)
  release()
  const answers = (await readAll(socket)).split('HTTP/1.1 200 OK').slice(1)
  expect(answers.map((answer) => answer.includes('Connection: close'))).toEqual([false, false, true])
})

it('an edge that stopped listening serves the connections that are open, and refuses others', async () => {
  const socket = await open()
  ask(socket, '/plain')
  await untilReceived(1)
  edge.announceClose()
  edge.stopListening()
  await expect(open()).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  ask(socket, '/plain')
  expect((await readAll(socket)).match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2)
})

it('a closing edge waits for requests under way, and not for slow readers, who get all of their answer', async () => {
  const slow = await open()
  ask(slow, '/large')
  await new Promise((resolve) => slow.once('readable', resolve))
  const waiting = await open()
  ask(waiting, '/waiting')
  await untilReceived(2)
  let isFinished = false
  const finished = edge.finish().then(() => {
    isFinished = true
  })
  await expect(open()).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  expect(isFinished).toBe(false)
  release()
  expect(await readAll(waiting)).toContain('HTTP/1.1 200 OK')
  await finished
  // A request that comes after the last answer was made is not begun.
  ask(slow, '/plain')
  const text = await readAll(slow)
  const [begin, end] = [text.indexOf('\r\n\r\n') + 4, text.lastIndexOf('HTTP/1.1')]
  expect(end - begin).toBe(LARGE_BYTES)
  expect(text.slice(end)).toMatch(/^HTTP\/1\.1 503 .*\r\nRetry-After: 1\r\n/s)
  expect(received).toBe(2)
  await edge.close()
})

it('an edge reads no more of a connection on which as many requests wait as may', async () => {
  let read = 0
  edge.server.on('request', () => {
    read += 1
  })
  const socket = await open()
  socket.on('error', () => {}).resume()
  const over = new Promise((resolve) => socket.once('close', resolve))
  const flood = () => {
    for (let sent = 0; sent < 150_000 && !socket.destroyed; sent += 1) if (!ask(socket, '/in-turn')) return
    socket.end()
  }
  socket.on('drain', flood)
  flood()
  await over
  // One read of 64 KiB has 1,560 of them.
  expect(read).toBeGreaterThan(0)
  expect(read).toBeLessThan(3_000)
})
