import type { AddressInfo, Socket } from 'node:net'
import { connect } from 'node:net'
import { pino } from 'pino'
import { Type } from 'typebox'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { freeze } from '../testing/providers/provider-checks.ts'
import { createArrivals } from './arrivals.ts'
import type { Edge } from './edge.ts'
import { createEdge } from './edge.ts'
import { createMetrics } from './metrics.ts'
import { anyone, operation } from './operation.ts'

/** Pause that is longer than any that does not count as a standstill. */
const STANDSTILL_MS = 600
const nextTurn = () => new Promise((resolve) => setImmediate(resolve))
/** Waits for two beats, so that a gap has a beginning that is not the start. */
const beats = () => new Promise((resolve) => setTimeout(resolve, 250))

describe('a process that stood still', () => {
  it('takes what it reads next for as old as the standstill, and what it reads later for new', async () => {
    const arrivals = createArrivals()
    await beats()
    const frozenMs = performance.now()
    freeze(STANDSTILL_MS)
    for (let turn = 0; turn < 2; turn += 1) {
      expect(arrivals.earliestMs(performance.now())).toBeLessThanOrEqual(frozenMs)
      await nextTurn()
    }
    for (let turn = 0; turn < 3; turn += 1) await nextTurn()
    const laterMs = performance.now()
    expect(arrivals.earliestMs(laterMs)).toBe(laterMs)
    arrivals.close()
  })

  it('knows it also when its timers run before it reads anything', async () => {
    const arrivals = createArrivals()
    await beats()
    const frozenMs = performance.now()
    const timersRan = new Promise((resolve) => setTimeout(resolve, 1))
    freeze(STANDSTILL_MS)
    await timersRan
    expect(arrivals.earliestMs(performance.now())).toBeLessThanOrEqual(frozenMs)
    arrivals.close()
  })
})

describe('a request', () => {
  const ADMITTED = { limit: 100, remaining: 99, resetSeconds: 300, blockedForSeconds: 0 }
  const REQUEST = 'POST /pay HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}'
  const REQUEST_TIMEOUT_MS = 5_000
  let edge: Edge
  let received: { receivedMs: number; deadlineMs: number; handledMs: number }[]
  /** Time at which the operation answers. */
  let until: Promise<void>
  const sockets: Socket[] = []

  beforeEach(async () => {
    received = []
    until = Promise.resolve()
    edge = createEdge({
      operations: [
        operation({
          method: 'POST',
          path: '/pay',
          docs: { operationId: 'pay', summary: 'Pays', tag: 'Money' },
          schemas: { responses: { 200: Type.Object({}) } },
          authenticate: anyone,
          async handle({ request }) {
            const { receivedMs = Number.NaN, deadlineMs } = request
            received.push({ receivedMs, deadlineMs, handledMs: performance.now() })
            await until
            return { status: 200, body: {} }
          },
        }),
      ],
      limiter: { admit: () => ADMITTED, peek: () => ADMITTED },
      trustProxy: [],
      requestTimeoutMs: REQUEST_TIMEOUT_MS,
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
  })
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy()
    await edge.close()
  })

  async function open(): Promise<Socket> {
    const socket = connect({ host: '127.0.0.1', port: (edge.server.address() as AddressInfo).port })
    sockets.push(socket)
    await new Promise((resolve) => socket.once('connect', resolve))
    return socket
  }

  /** Opens a connection with a request under way, which is answered when it is released. */
  async function openWaiting(): Promise<{ socket: Socket; release: () => void }> {
    let release = () => {}
    until = new Promise((resolve) => {
      release = resolve
    })
    const socket = await open()
    socket.write(REQUEST)
    while (received.length === 0) await nextTurn()
    return { socket, release }
  }

  const answer = (socket: Socket) => new Promise((resolve) => socket.once('data', resolve))

  async function ask(socket: Socket): Promise<(typeof received)[number]> {
    const answered = answer(socket)
    socket.write(REQUEST)
    await answered
    return received.at(-1) as (typeof received)[number]
  }

  it('a request that waited unread while the process stood still counts as received when the standstill began', async () => {
    const socket = await open()
    await beats()
    const frozenMs = performance.now()
    socket.write(REQUEST)
    freeze(STANDSTILL_MS)
    await answer(socket)
    const [request] = received
    expect(request?.receivedMs).toBeLessThanOrEqual(frozenMs)
    expect(request?.deadlineMs).toBe((request?.receivedMs ?? 0) + REQUEST_TIMEOUT_MS)
  })

  it('a request on a connection that nobody had accepted yet counts the same', async () => {
    await beats()
    const frozenMs = performance.now()
    const socket = connect({ host: '127.0.0.1', port: (edge.server.address() as AddressInfo).port })
    sockets.push(socket)
    socket.write(REQUEST)
    freeze(STANDSTILL_MS)
    await answer(socket)
    expect(received[0]?.receivedMs).toBeLessThanOrEqual(frozenMs)
  })

  it('counts as received when its head was read, however late its body comes', async () => {
    const socket = await open()
    const [head, body] = [REQUEST.slice(0, -2), REQUEST.slice(-2)]
    socket.write(head)
    await new Promise((resolve) => edge.server.once('request', resolve))
    const readMs = performance.now()
    await nextTurn()
    const answered = answer(socket)
    socket.write(body)
    await answered
    expect(received[0]?.receivedMs).toBeLessThanOrEqual(readMs)
    expect(received[0]?.handledMs).toBeGreaterThan(readMs)
  })

  it('a request that follows an answer on its connection is newer than that answer, whatever stood still before', async () => {
    const socket = await open()
    await beats()
    const answered = answer(socket)
    socket.write(REQUEST)
    freeze(STANDSTILL_MS)
    await answered
    const next = await ask(socket)
    expect(next.receivedMs).toBeGreaterThanOrEqual(received[0]?.handledMs ?? Number.NaN)
  })

  it.each([
    ['in a piece each', [REQUEST, REQUEST]],
    ['in one piece', [REQUEST + REQUEST]],
    ['in three pieces', [REQUEST.slice(0, 30), REQUEST.slice(30) + REQUEST.slice(0, 5), REQUEST.slice(5)]],
  ])(
    'two requests %s behind another one count as received before that one was answered',
    async (_, pieces) => {
      const { socket, release } = await openWaiting()
      for (const piece of pieces) {
        socket.write(piece)
        // The bytes are read before the beats are over.
        await beats()
      }
      const releasedMs = performance.now()
      release()
      while (received.length < 3) await nextTurn()
      for (const { receivedMs, handledMs } of received.slice(1)) {
        expect(receivedMs).toBeLessThan(releasedMs)
        expect(handledMs).toBeGreaterThan(releasedMs)
      }
    },
  )

  it('a request whose head arrives after the answer before it is newer than that answer, whatever came before', async () => {
    const { socket, release } = await openWaiting()
    socket.write(REQUEST.slice(0, 30))
    await beats()
    const answered = answer(socket)
    const releasedMs = performance.now()
    release()
    await answered
    for (let turn = 0; turn < 3; turn += 1) await nextTurn()
    socket.write(REQUEST.slice(30))
    while (received.length < 2) await nextTurn()
    expect(received[1]?.receivedMs).toBeGreaterThan(releasedMs)
  })

  it('counts as received now while nothing stands still', async () => {
    const socket = await open()
    const beforeMs = performance.now()
    expect((await ask(socket)).receivedMs).toBeGreaterThanOrEqual(beforeMs)
  })
})
