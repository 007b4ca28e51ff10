import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import type { Exchange } from '../exchange.ts'
import { createConnections } from '../intake/connections.ts'
import { respond } from '../respond.ts'
import { encodeMessage, encodePosition, encodeRetry, openEventStream, readPosition } from './event-stream.ts'

function open(options: { waitingBytesMax?: number; heartbeatMs?: number } = {}) {
  let closed = 0
  const stream = openEventStream({
    ...options,
    onClosed: () => {
      closed += 1
    },
  })
  const pieces = (stream.output.body as AsyncIterable<Buffer>)[Symbol.asyncIterator]()
  return { stream, pieces, closed: () => closed }
}

describe('an event stream', () => {
  it('has one line for each field of a message, whatever its data hold', () => {
    const hello = encodeMessage({ event: 'hello', data: { text: 'a\nb' } })
    expect(hello.toString()).toBe('event: hello\ndata: {"text":"a\\nb"}\n\n')
    expect(encodePosition(7n).toString()).toBe('id: 7\n\n')
    expect(encodeRetry(1500.4).toString()).toBe('retry: 1500\n\n')
  })

  it('gives messages in their order, those that waited in one piece', async () => {
    const { stream, pieces } = open()
    stream.send(Buffer.from('a'))
    stream.send(Buffer.from('b'))
    expect((await pieces.next()).value?.toString()).toBe('ab')
    const next = pieces.next()
    stream.send(Buffer.from('c'))
    expect((await next).value?.toString()).toBe('c')
  })

  it('ends after what was queued, and tells once that it has ended', async () => {
    const { stream, pieces, closed } = open()
    stream.send(Buffer.from('a'))
    stream.end(Buffer.from('z'))
    stream.send(Buffer.from('later'))
    stream.end()
    expect((await pieces.next()).value?.toString()).toBe('az')
    expect((await pieces.next()).done).toBe(true)
    await pieces.return?.()
    expect(closed()).toBe(1)
  })

  it('ends a reader that waits for the next message', async () => {
    const { stream, pieces } = open()
    const next = pieces.next()
    stream.end()
    expect((await next).done).toBe(true)
  })

  it('throws away what a slow reader does not take, and fails', async () => {
    const { stream, pieces, closed } = open({ waitingBytesMax: 10 })
    for (let n = 0; n < 3; n += 1) stream.send(Buffer.from('12345'))
    expect(closed()).toBe(1)
    await expect(pieces.next()).rejects.toMatchObject({ code: 'reader_too_slow' })
  })

  it('closes when its reader has gone, also before anything was read', async () => {
    const { stream, pieces, closed } = open()
    await pieces.return?.()
    stream.send(Buffer.from('a'))
    expect(closed()).toBe(1)
    expect((await pieces.next()).done).toBe(true)
  })

  it('says that it is alive while nothing happens', async () => {
    const { pieces } = open({ heartbeatMs: 1 })
    expect((await pieces.next()).value?.toString()).toMatch(/^: /)
    await pieces.return?.()
  })
})

it('a reader that stands still costs a bounded number of bytes, and its connection is reset', async () => {
  const { stream, closed } = open({ waitingBytesMax: 64 * 1024 })
  const connections = createConnections({
    max: 10,
    perNetworkMax: 10,
    exempt: [],
    stallMs: 100,
    onRefused: () => {},
  })
  const server = createServer((message, response) => {
    const made: Partial<Exchange> = { message, response, id: 'request' }
    respond(made as Exchange, 200, stream.output.headers, stream.output.body)
  })
  connections.attach(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const reader = connect({ host: '127.0.0.1', port: (server.address() as AddressInfo).port })
  const isReset = new Promise<void>((resolve) => reader.once('close', () => resolve()))
  reader.on('error', () => {})
  reader.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  // The reader takes nothing: first the system's buffers fill, then the stream's own.
  reader.pause()
  const piece = Buffer.alloc(16 * 1024, 'x')
  while (closed() === 0) {
    stream.send(piece)
    await new Promise((resolve) => setImmediate(resolve))
  }
  await expect.poll(() => connections.figures().stalled, { timeout: 60_000 }).toBe(1)
  reader.resume()
  await isReset
  server.close()
})

describe('the position of a page that connects again', () => {
  const positionOf = (header?: string) => readPosition({ headers: { 'last-event-id': header } })

  it('is a number, or none', () => {
    expect(positionOf(undefined)).toBeUndefined()
    expect(positionOf('')).toBeUndefined()
    expect(positionOf('12')).toBe(12n)
  })

  it.each(['-1', 'abc', '1.5', '9'.repeat(30)])(
    'the position of a page that connects again that is none of ours (%s) lies after all of them',
    (header) => {
      expect(positionOf(header)).toBeGreaterThan(10n ** 18n)
    },
  )
})
