import { EventEmitter } from 'node:events'
import type { Server, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { connect } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { parseNetwork } from '../../lib/addresses.ts'
import type { ConnectionOptions, Connections } from './connections.ts'
import { createConnections } from './connections.ts'

const HELD = '/held'
const LARGE = '/large'
const ONE_WRITE = '/one-write'
const TAKEN_AT_ONCE = 8 * 1024 * 1024
const PIECE = Buffer.alloc(128 * 1024, 'x')
const ONE_WRITE_BYTES = 32 * TAKEN_AT_ONCE

let server: Server | undefined
const opened: Socket[] = []
afterEach(() => {
  for (const socket of opened.splice(0)) socket.destroy()
  server?.closeAllConnections()
  server?.close()
})

type Stage = {
  readonly connections: Connections
  readonly port: number
  readonly refused: string[]
  /** Answers that the test gives later. */
  readonly held: ServerResponse[]
}

/** Answers at once, except HELD; LARGE answers as much as its reader takes, ONE_WRITE much in a single write. */
async function serve(options: Partial<ConnectionOptions>): Promise<Stage> {
  const refused: string[] = []
  const held: ServerResponse[] = []
  const limits = { max: 1_000, perNetworkMax: 1_000, exempt: [], stallMs: 600_000 }
  const onRefused = ({ address }: { address: string }) => void refused.push(address)
  const connections = createConnections({ ...limits, onRefused, ...options })
  server = createServer((message, response) => {
    connections.begin(message.socket)
    response.once('close', () => connections.end(message.socket))
    if (message.url === HELD) held.push(response)
    else if (message.url === LARGE) pour(response)
    else if (message.url === ONE_WRITE) response.end(Buffer.alloc(ONE_WRITE_BYTES, 'x'))
    else response.end('ok')
  })
  connections.attach(server)
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
  return { connections, port: (server.address() as AddressInfo).port, refused, held }
}

function pour(response: ServerResponse): void {
  while (!response.destroyed && response.write(PIECE));
  response.once('drain', () => pour(response))
}

/** Reads a part every 100 ms. The system buffers megabytes for both sides: a part is enough for the server to notice. */
function readSlowly(socket: Socket): { takenBytes(): number; stop(): void } {
  let [taken, allowed] = [0, 0]
  socket.on('data', (chunk) => {
    taken += chunk.length
    allowed -= chunk.length
    if (allowed <= 0) socket.pause()
  })
  const reading = setInterval(() => {
    allowed = TAKEN_AT_ONCE
    socket.resume()
  }, 100)
  return { takenBytes: () => taken, stop: () => clearInterval(reading) }
}

async function until(isSo: () => boolean): Promise<void> {
  const deadline = Date.now() + 30_000
  while (!isSo()) {
    if (Date.now() > deadline) throw new Error('gave up waiting')
    await new Promise((resolve) => setImmediate(resolve))
  }
}

async function open({ port, connections }: Stage, localAddress: string): Promise<Socket> {
  const before = connections.figures()
  const socket = connect({ host: '127.0.0.1', port, localAddress })
  opened.push(socket)
  socket.on('error', () => {})
  // A refused connection may be reset before its own side sees it as open.
  await new Promise<void>((resolve) => socket.once('connect', resolve).once('close', () => resolve()))
  const seen = ({ open: count, refused, evicted }: typeof before) => count + refused + evicted
  await until(() => seen(connections.figures()) > seen(before))
  return socket
}

async function ask(socket: Socket, path: string): Promise<void> {
  const answered =
    path === HELD ? undefined : new Promise<void>((resolve) => socket.once('data', () => resolve()))
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
  await answered
}

const isOpen = (socket: Socket) => !socket.destroyed

describe('connections of one address', () => {
  it('are capped: with all in use a further one is reset, and other addresses are not concerned', async () => {
    const stage = await serve({ perNetworkMax: 3 })
    const held = [
      await open(stage, '127.0.0.1'),
      await open(stage, '127.0.0.1'),
      await open(stage, '127.0.0.1'),
    ]
    for (const socket of held) await ask(socket, HELD)
    await until(() => stage.held.length === 3)
    const further = await open(stage, '127.0.0.1')
    await until(() => further.destroyed)
    expect(stage.connections.figures()).toMatchObject({ open: 3, refused: 1, evicted: 0 })
    expect(stage.refused).toEqual(['127.0.0.1'])
    expect(held.every(isOpen)).toBe(true)
    await ask(await open(stage, '127.0.0.2'), '/')
    for (const response of stage.held) response.end()
  })

  it('take the place of their own oldest idle one at the cap', async () => {
    const stage = await serve({ perNetworkMax: 2 })
    const [busy, idle] = [await open(stage, '127.0.0.1'), await open(stage, '127.0.0.1')]
    await ask(idle, '/')
    await ask(busy, HELD)
    await until(() => stage.held.length === 1)
    const next = await open(stage, '127.0.0.1')
    await until(() => idle.destroyed)
    await ask(next, '/')
    expect(isOpen(busy)).toBe(true)
    expect(stage.connections.figures()).toMatchObject({ open: 2, refused: 0, evicted: 1 })
    for (const response of stage.held) response.end()
  })

  it('are not capped where the address is exempt', async () => {
    const exempt = [parseNetwork('127.0.0.1/32')].filter((network) => network !== undefined)
    const stage = await serve({ perNetworkMax: 1, exempt })
    const sockets = [
      await open(stage, '127.0.0.1'),
      await open(stage, '127.0.0.1'),
      await open(stage, '127.0.0.1'),
    ]
    for (const socket of sockets) await ask(socket, '/')
    expect(stage.connections.figures()).toMatchObject({ open: 3, refused: 0, evicted: 0 })
  })

  it('are forgotten when they close', async () => {
    const stage = await serve({ perNetworkMax: 1 })
    for (let round = 0; round < 5; round += 1) {
      const socket = await open(stage, '127.0.0.1')
      await ask(socket, HELD)
      socket.destroy()
      await until(() => stage.connections.figures().open === 0)
    }
    expect(stage.connections.figures()).toMatchObject({ refused: 0, evicted: 0 })
  })
})

/** Simulates a connection from an address that this machine does not have. */
function arrive(from: EventEmitter, remoteAddress: string): { isOpen: boolean } {
  const socket = Object.assign(new EventEmitter(), {
    remoteAddress,
    isOpen: true,
    destroy,
    resetAndDestroy: destroy,
  })
  function destroy() {
    socket.isOpen = false
    socket.emit('close')
  }
  from.emit('connection', socket)
  return socket
}

it('connections beyond the cap are closed also by a runtime that accepts every connection', () => {
  const listening = new EventEmitter()
  const limits = { max: 2, perNetworkMax: 1_000, exempt: [], stallMs: 600_000, onRefused: () => {} }
  const connections = createConnections(limits)
  connections.attach(listening as Server)
  const sockets = Array.from({ length: 3 }, () => {
    const socket = arrive(listening, '192.0.2.1')
    connections.begin(socket as unknown as Socket)
    return socket
  })
  expect(sockets.map(({ isOpen }) => isOpen)).toEqual([true, true, false])
  expect(connections.figures().open).toBe(2)
})

describe('when the cap of all connections nears', () => {
  it('the oldest idle one of the address that has most makes room, and nobody else’s', async () => {
    const stage = await serve({ max: 20 })
    const neighbour = await open(stage, '127.0.0.2')
    await ask(neighbour, '/')
    const hoard: Socket[] = []
    while (hoard.length < 18) hoard.push(await open(stage, '127.0.0.1'))
    await ask(hoard[0] as Socket, '/')
    for (let newcomer = 3; newcomer < 10; newcomer += 1) {
      await ask(await open(stage, `127.0.0.${newcomer}`), '/')
    }
    await until(() => hoard.filter(isOpen).length === 11)
    // The first one of the hoard was used last.
    expect(hoard.map(isOpen)).toEqual([true, ...Array(7).fill(false), ...Array(10).fill(true)])
    expect(isOpen(neighbour)).toBe(true)
  })

  it('connections in use are never closed for it, and those of exempt addresses come last', async () => {
    const exempt = [parseNetwork('127.0.0.1/32')].filter((network) => network !== undefined)
    const stage = await serve({ max: 20, exempt })
    const proxy: Socket[] = []
    while (proxy.length < 15) proxy.push(await open(stage, '127.0.0.1'))
    const busy = await open(stage, '127.0.0.2')
    await ask(busy, HELD)
    await until(() => stage.held.length === 1)
    for (let newcomer = 3; newcomer < 10; newcomer += 1) await open(stage, `127.0.0.${newcomer}`)
    expect(stage.connections.figures()).toMatchObject({ open: 19, evicted: 4 })
    expect([isOpen(busy), proxy.every(isOpen)]).toEqual([true, true])
    for (const response of stage.held) response.end()
  })
})

describe('an IPv6 /64', () => {
  it('has one share of the connections, in whatever spelling its addresses come', () => {
    const listening = new EventEmitter()
    const options = { max: 1_000, perNetworkMax: 3, exempt: [], stallMs: 600_000, onRefused: () => {} }
    const connections = createConnections(options)
    connections.attach(listening as Server)
    const ours = [
      '2001:db8:0:1::1',
      '2001:db8:0:1:ffff::2',
      '2001:DB8::1:0:0:0:3',
      '2001:db8:0:1::4%eth0',
    ].map((address) => arrive(listening, address))
    const others = ['2001:db8:0:2::1', '192.0.2.1', '::ffff:192.0.2.1'].map((each) => arrive(listening, each))
    expect(ours.filter(({ isOpen }) => isOpen)).toHaveLength(3)
    expect(others.every(({ isOpen }) => isOpen)).toBe(true)
    for (let more = 0; more < 5; more += 1) arrive(listening, '::ffff:192.0.2.1')
    expect(connections.figures()).toMatchObject({ open: 3 + 1 + 3 })
    listening.emit('close')
  })
})

describe('an answer whose reader', () => {
  it('takes nothing is reset, also when the reader goes on sending', async () => {
    const stage = await serve({ stallMs: 200 })
    const socket = await open(stage, '127.0.0.1')
    socket.pause()
    socket.write(`GET ${LARGE} HTTP/1.1\r\nHost: x\r\n\r\nGET /`)
    const dripping = setInterval(() => void socket.write('x'), 20)
    await until(() => stage.connections.figures().stalled === 1)
    await until(() => stage.connections.figures().open === 0)
    clearInterval(dripping)
  })

  it('takes a little now and then goes on', async () => {
    const stage = await serve({ stallMs: 3_000 })
    const socket = await open(stage, '127.0.0.1')
    const reading = readSlowly(socket)
    socket.write(`GET ${LARGE} HTTP/1.1\r\nHost: x\r\n\r\n`)
    await until(() => reading.takenBytes() > 45 * TAKEN_AT_ONCE)
    reading.stop()
    expect(stage.connections.figures()).toMatchObject({ open: 1, stalled: 0 })
    await until(() => stage.connections.figures().stalled === 1)
  })

  it('takes a little of a single long write now and then goes on', async () => {
    const stage = await serve({ stallMs: 1_000 })
    const socket = await open(stage, '127.0.0.1')
    const reading = readSlowly(socket)
    socket.write(`GET ${ONE_WRITE} HTTP/1.1\r\nHost: x\r\n\r\n`)
    await until(() => socket.destroyed || reading.takenBytes() > ONE_WRITE_BYTES)
    reading.stop()
    expect(stage.connections.figures()).toMatchObject({ open: 1, stalled: 0 })
  })

  it('waits for it is not hurried: time in which the answer is made does not count', async () => {
    const stage = await serve({ stallMs: 50 })
    const socket = await open(stage, '127.0.0.1')
    await ask(socket, HELD)
    await until(() => stage.held.length === 1)
    const endMs = Date.now() + 300
    await until(() => Date.now() > endMs)
    expect(stage.connections.figures()).toMatchObject({ open: 1, stalled: 0 })
    for (const response of stage.held) response.end()
  })
})
