import type { Server, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { connect } from 'node:net'
import { afterEach, expect, it, vi } from 'vitest'
import { createDrain } from './drain.ts'

let server: Server

afterEach(() => {
  server.closeAllConnections()
  server.close()
})

/** Tells how a connection with HTTP/1.0 ends, where the end of it is the end of the answer. */
function endOf(socket: Socket): Promise<'ended' | 'reset'> {
  return new Promise((resolve) => {
    socket.on('error', () => resolve('reset'))
    socket.on('end', () => resolve('ended'))
  })
}

it('an answer that is half sent when the time to close is over is not taken for whole', async () => {
  const drain = createDrain({ requestTimeoutMs: 0, answersMs: 0 })
  server = createServer((_, response) => {
    drain.begin(response)
    response.write('half')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const socket = connect({ host: '127.0.0.1', port: (server.address() as AddressInfo).port })
  const end = endOf(socket)
  socket.write('GET / HTTP/1.0\r\n\r\n')
  await new Promise((resolve) => socket.once('data', resolve))
  drain.letGo(server)
  expect(await end).toBe('reset')
})

it('a whole answer that has not left the process is not cut either', async () => {
  const drain = createDrain({ requestTimeoutMs: 0, answersMs: 0 })
  server = createServer((_, response) => {
    drain.begin(response)
    // The body is larger than all buffers between the two sides.
    response.end(Buffer.alloc(64 * 1024 * 1024))
  })
  // The reset is observed on the server's side: what a reader that stands still would see depends on its system.
  const ended = new Promise<'ended' | 'reset'>((resolve) => {
    server.once('connection', (connection: Socket) => {
      const reset = connection.resetAndDestroy.bind(connection)
      connection.resetAndDestroy = () => {
        resolve('reset')
        return reset()
      }
      connection.once('close', () => resolve('ended'))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const socket = connect({ host: '127.0.0.1', port: (server.address() as AddressInfo).port })
  socket.on('error', () => {})
  const begun = new Promise((resolve) => server.once('request', resolve))
  socket.write('GET / HTTP/1.0\r\n\r\n')
  await begun
  drain.letGo(server)
  expect(await ended).toBe('reset')
  socket.destroy()
})

it('slow readers have their own time, when that of a request is over', async () => {
  const bytes = 64 * 1024 * 1024
  // The time of a request is over at the first look.
  const drain = createDrain({ requestTimeoutMs: -1_000, answersMs: 600_000 })
  server = createServer((_, response) => {
    const owed = drain.begin(response)
    response.once('close', () => drain.end(owed))
    response.end(Buffer.alloc(bytes))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const socket = connect({ host: '127.0.0.1', port: (server.address() as AddressInfo).port })
  const begun = new Promise((resolve) => server.once('request', resolve))
  socket.write('GET / HTTP/1.0\r\n\r\n')
  await begun
  const { answered, sent } = drain.letGo(server)
  await answered
  let taken = 0
  for await (const piece of socket) taken += (piece as Buffer).length
  expect(taken).toBeGreaterThan(bytes)
  await sent
})

it('the last of several requests on a connection closes it, whatever places the answers have', async () => {
  const drain = createDrain({ requestTimeoutMs: 1_000, answersMs: 0 })
  const answers: ServerResponse[] = []
  const tickets: number[] = []
  server = createServer((_, response) => {
    // The first request ends before the last one comes, which therefore gets its ticket.
    if (answers.length === 2) drain.end(tickets[0] as number)
    tickets.push(drain.begin(response))
    answers.push(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const socket = connect({ host: '127.0.0.1', port: (server.address() as AddressInfo).port })
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(3))
  await vi.waitFor(() => expect(answers).toHaveLength(3), { timeout: 30_000 })
  expect(tickets).toEqual([0, 1, 0])
  drain.announce()
  expect(answers.map((response) => response.getHeader('Connection'))).toEqual([undefined, undefined, 'close'])
  socket.destroy()
})
