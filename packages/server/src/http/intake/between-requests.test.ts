import type { IncomingMessage, Server } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { connect } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Place } from './between-requests.ts'
import { BLANK_BYTES_MAX, countBlank, watchBetween } from './between-requests.ts'

const PATIENCE = { timeout: 30_000 }

const GET = 'GET / HTTP/1.1\r\nHost: h\r\n\r\n'

let server: Server
let socket: Socket
let served: Socket | undefined
const refuse = vi.fn((refused: Socket) => void refused.destroy())

afterEach(() => {
  refuse.mockClear()
  socket.destroy()
  server.close()
})

/** Opens a connection that Node's parser serves. `isAnswered`: before the request has arrived whole. */
async function open({ isAnswered = false } = {}): Promise<string[]> {
  const bodies: string[] = []
  let newest: IncomingMessage | undefined
  server = createServer((message, response) => {
    newest = message
    if (isAnswered) response.end('early')
    let body = ''
    message.on('data', (piece) => {
      body += piece
    })
    message.on('end', () => {
      bodies.push(body)
      if (!isAnswered) response.end('late')
    })
  })
  const placeOf = (): Place =>
    newest === undefined || newest.complete ? 'between' : isAnswered ? 'unwanted' : 'within'
  server.on('connection', (connection) => {
    served = connection
    watchBetween(connection, { placeOf, refuse })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  socket = connect({ host: '127.0.0.1', port: (server.address() as AddressInfo).port })
  await new Promise((resolve) => socket.once('connect', resolve))
  socket.on('error', () => {})
  return bodies
}

const closed = () => new Promise((resolve) => socket.once('close', resolve))
const answer = () => new Promise((resolve) => socket.once('data', resolve))

describe('a connection that Node serves', () => {
  it('is refused when more empty lines than may stand between two requests come first, or behind a request', async () => {
    await open()
    socket.write('\r\n'.repeat(BLANK_BYTES_MAX / 2) + GET)
    await answer()
    expect(refuse).not.toHaveBeenCalled()
    socket.write('\r\n')
    await vi.waitFor(() => expect(served?.bytesRead).toBe(BLANK_BYTES_MAX + GET.length + 2), PATIENCE)
    socket.write('\r\n'.repeat(BLANK_BYTES_MAX / 2))
    await closed()
    expect(refuse).toHaveBeenCalledTimes(1)
  })

  it('may send any number of empty lines in a body', async () => {
    const bodies = await open()
    const body = '\r\n'.repeat(10_000)
    socket.write(`POST / HTTP/1.1\r\nHost: h\r\nContent-Length: ${body.length}\r\n\r\n`)
    for (let at = 0; at < body.length; at += 5_000) socket.write(body.slice(at, at + 5_000))
    await answer()
    expect(bodies).toEqual([body])
    expect(refuse).not.toHaveBeenCalled()
  })

  it('is refused when a body without a length goes on behind the answer', async () => {
    await open({ isAnswered: true })
    socket.write('POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n')
    await answer()
    const over = closed()
    const flood = () => socket.write('1\r\na\r\n'.repeat(2_000))
    socket.on('drain', flood)
    while (flood());
    await over
    expect(refuse).toHaveBeenCalledTimes(1)
  })
})

it('empty lines at the beginning of bytes are counted up to the limit', () => {
  expect(countBlank(Buffer.from('GET'))).toBe(0)
  expect(countBlank(Buffer.from('\r\n\nGET\r\n'))).toBe(3)
  expect(countBlank(Buffer.from('\r\n'.repeat(1_000)))).toBe(BLANK_BYTES_MAX + 1)
})
