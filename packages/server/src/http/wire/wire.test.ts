import type { Server } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { connect } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { WholeAnswer } from './whole-answer.ts'
import type { WholeMessage } from './whole-request.ts'
import type { Wire, WireOptions } from './wire.ts'
import { createWire } from './wire.ts'

const GET = 'GET /a HTTP/1.1\r\nHost: h\r\n\r\n'
const POST = 'POST /b HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\nhi'
const LAST = 'GET /last HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n'

let server: Server
let wire: Wire
/** Addresses of the requests, and who read them. */
let taken: string[]
const sockets: Socket[] = []

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  wire.closeAll()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

function answerAtOnce({ url }: WholeMessage, answer: WholeAnswer): void {
  answer.writeHead(200, ['Content-Length', url.length]).endAscii(url)
}

async function open(options: Partial<WireOptions> = {}): Promise<Socket> {
  taken = []
  const take = options.take ?? answerAtOnce
  wire = createWire({
    onHeld: () => {},
    keepAliveMs: 60_000,
    firstBytesMs: 60_000,
    checkMs: 10,
    ...options,
    take(message, answer) {
      taken.push(`${message.url} wire ${message.whole}`.trim())
      take(message, answer)
    },
  })
  server = createServer((message, response) => {
    let body = ''
    message.on('data', (piece) => {
      body += piece
    })
    message.on('end', () => {
      taken.push(`${message.url} node ${body}`.trim())
      response.end(message.url)
    })
  })
  wire.attach(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const socket = connect({ host: '127.0.0.1', port: (server.address() as AddressInfo).port })
  sockets.push(socket)
  await new Promise((resolve) => socket.once('connect', resolve))
  return socket
}

const arrivalOf = (socket: Socket) =>
  new Promise<string>((resolve) => socket.once('data', (all) => resolve(`${all}`)))

async function all(socket: Socket): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of socket) pieces.push(piece)
  return Buffer.concat(pieces).toString('latin1')
}

const statusesOf = (text: string) => text.match(/HTTP\/1\.1 \d+/g)

describe('a connection', () => {
  it('serves one request after the other without Node', async () => {
    const socket = await open()
    for (const request of [GET, POST, GET]) {
      const arrival = arrivalOf(socket)
      socket.write(request)
      expect(await arrival).toContain('200 OK')
    }
    expect(taken).toEqual(['/a wire', '/b wire hi', '/a wire'])
  })

  it.each([
    ['a head in two pieces', GET.slice(0, 20), GET.slice(20)],
    ['a body in two pieces', POST.slice(0, -1), POST.slice(-1)],
    ['a head that ends in the middle of a line end', GET.slice(0, -1), GET.slice(-1)],
  ])('is handed over to Node with %s, and stays there', async (_, first, second) => {
    const socket = await open()
    const answered = arrivalOf(socket)
    socket.write(POST)
    await answered
    socket.write(first)
    await vi.waitFor(() => expect(server.listenerCount('connection')).toBe(1))
    await new Promise((resolve) => setImmediate(resolve))
    socket.write(second + LAST)
    expect(statusesOf(await all(socket))).toHaveLength(2)
    const address = first.startsWith('GET') ? '/a node' : '/b node hi'
    expect(taken).toEqual(['/b wire hi', address, '/last node'])
  })

  it('is handed over with several requests at once, and each is served once', async () => {
    const socket = await open()
    socket.write(POST + GET + LAST)
    expect(statusesOf(await all(socket))).toHaveLength(3)
    expect(taken).toEqual(['/b node hi', '/a node', '/last node'])
  })

  it('keeps bytes behind a request until it is answered', async () => {
    let answerFirst = () => {}
    const onHeld = vi.fn()
    const socket = await open({
      onHeld,
      take(message, answer) {
        if (message.url === '/a') answerFirst = () => answerAtOnce(message, answer)
        else answerAtOnce(message, answer)
      },
    })
    socket.write(GET)
    await vi.waitFor(() => expect(taken).toEqual(['/a wire']))
    socket.write(POST)
    await vi.waitFor(() => expect(onHeld).toHaveBeenCalled())
    expect(taken).toEqual(['/a wire'])
    socket.write(LAST)
    answerFirst()
    expect((await all(socket)).match(/\/a|\/b|\/last/g)).toEqual(['/a', '/b', '/last'])
    expect(taken[0]).toBe('/a wire')
  })

  it('a connection that is to close after an answer closes after the request behind it instead', async () => {
    let first: WholeAnswer | undefined
    const onHeld = vi.fn()
    const socket = await open({
      onHeld,
      take(message, answer) {
        answer.setHeader('Connection', 'close')
        if (message.url === '/a') first = answer
        else answerAtOnce(message, answer)
      },
    })
    socket.write(GET)
    await vi.waitFor(() => expect(first).toBeDefined())
    socket.write(POST)
    await vi.waitFor(() => expect(onHeld).toHaveBeenCalled())
    first?.writeHead(200, ['Content-Length', 1]).endAscii('1')
    const text = await all(socket)
    expect(statusesOf(text)).toHaveLength(2)
    expect(text.match(/Connection: \S+/g)).toEqual(['Connection: keep-alive', 'Connection: close'])
  })

  it('without a request closes after the time for the first bytes', async () => {
    const socket = await open({ firstBytesMs: 20 })
    expect(await all(socket)).toBe('')
  })

  it('closes when it was quiet for the keep-alive time, and not while a request is under way', async () => {
    let answer: WholeAnswer | undefined
    const take: WireOptions['take'] = (_, given) => {
      answer = given
    }
    const socket = await open({ keepAliveMs: 20, take })
    socket.write(GET)
    await vi.waitFor(() => expect(answer).toBeDefined())
    // Ten times the keep-alive time of checks.
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(socket.destroyed).toBe(false)
    answer?.writeHead(200, ['Content-Length', 1]).endAscii('1')
    expect(statusesOf(await all(socket))).toHaveLength(1)
  })

  it('a connection that the caller closes ends the request under way, which counts as not sent', async () => {
    let answer: WholeAnswer | undefined
    const closed = vi.fn()
    const socket = await open({
      take(_, given) {
        answer = given
        given.once('close', closed)
      },
    })
    socket.write(GET)
    await vi.waitFor(() => expect(answer).toBeDefined())
    socket.destroy()
    await vi.waitFor(() => expect(closed).toHaveBeenCalledTimes(1))
    expect(answer).toMatchObject({ destroyed: true, writableFinished: false })
    answer?.writeHead(200, ['Content-Length', 1]).endAscii('1')
    expect(closed).toHaveBeenCalledTimes(1)
  })

  it('a connection whose caller closes its half is closed, as by Node', async () => {
    const socket = await open()
    socket.end()
    expect(await all(socket)).toBe('')
  })
})
