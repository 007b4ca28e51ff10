import type { Server, ServerResponse } from 'node:http'
import { createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import type { Exchange } from './exchange.ts'
import type { AnswerHeaders } from './respond.ts'
import { respond } from './respond.ts'
import type { StreamLimits } from './streams/stream.ts'
import { sendPieces } from './streams/stream.ts'

let server: Server | undefined

afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

type Stage = { url: string; exchange(): Exchange }

/** Tells how a connection with HTTP/1.0 ends: undefined when nothing is wrong with it. */
function readAsHttp10(url: string): Promise<Error | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port) })
    socket.on('error', resolve)
    socket.on('end', () => resolve(undefined))
    socket.resume()
    socket.write('GET / HTTP/1.0\r\n\r\n')
  })
}

/** Answers every request with the stream. */
function serve(body: () => AsyncIterable<Buffer>, limits?: StreamLimits): Promise<Stage> {
  return serveWith((exchange) => {
    if (limits === undefined) respond(exchange, 200, { 'Content-Type': 'text/csv' }, body())
    else void sendPieces(exchange, body(), limits)
  })
}

/** Answers every request with the body. */
function serveBody(body: object, headers?: AnswerHeaders): Promise<Stage> {
  return serveWith((exchange) => respond(exchange, 200, headers, body))
}

async function serveWith(answer: (exchange: Exchange) => void): Promise<Stage> {
  let exchange: Exchange | undefined
  const opened = createServer((message, response: ServerResponse) => {
    const made: Partial<Exchange> = { message, response, id: 'request' }
    exchange = made as Exchange
    answer(exchange)
  })
  server?.closeAllConnections()
  server?.close()
  server = opened
  await new Promise<void>((resolve) => opened.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(opened.address() as AddressInfo).port}/`,
    exchange() {
      if (exchange === undefined) throw new Error('nothing was asked')
      return exchange
    },
  }
}

async function until(isSo: () => boolean): Promise<void> {
  const deadline = Date.now() + 30_000
  while (!isSo()) {
    if (Date.now() > deadline) throw new Error('gave up waiting')
    await new Promise((resolve) => setImmediate(resolve))
  }
}

const PIECE = Buffer.alloc(64 * 1024, 'x')

describe('a streamed answer', () => {
  it('arrives whole and in order', async () => {
    const { url } = await serve(async function* () {
      for (let n = 0; n < 1_000; n += 1) yield Buffer.from(`${n}\n`)
    })
    const answer = await fetch(url)
    expect(answer.headers.get('content-type')).toBe('text/csv')
    expect((await answer.text()).trimEnd().split('\n').map(Number)).toEqual([...Array(1_000).keys()])
  })

  it('is made no faster than its reader takes it', async () => {
    let made = 0
    const { url } = await serve(async function* () {
      for (; made < 10_000; made += 1) yield PIECE
    })
    const request = get(url)
    const answer = await new Promise<NodeJS.ReadableStream>((resolve) => request.on('response', resolve))
    answer.pause()
    let [before, turnsStill] = [-1, 0]
    await until(() => {
      turnsStill = before === made ? turnsStill + 1 : 0
      before = made
      return turnsStill > 500
    })
    expect(made).toBeLessThan(1_000)
    request.destroy()
  })

  it('ends its source when its reader hangs up', async () => {
    let isEnded = false
    const { url } = await serve(async function* () {
      try {
        for (;;) yield PIECE
      } finally {
        isEnded = true
      }
    })
    const request = get(url, (answer) => answer.once('data', () => request.destroy()))
    request.on('error', () => {})
    await until(() => isEnded)
  })

  it('a streamed answer that waits behind another of its connection ends its source with the connection', async () => {
    let [begun, ended] = [0, 0]
    const { url } = await serve(async function* () {
      begun += 1
      try {
        for (;;) yield PIECE
      } finally {
        ended += 1
      }
    })
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port) })
    socket.on('error', () => {})
    socket.once('data', () => socket.pause())
    socket.write('GET / HTTP/1.1\r\nHost: h\r\n\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n')
    await until(() => begun === 2)
    socket.destroy()
    await until(() => ended === 2)
  })

  it('a streamed answer that is asked for behind another is not begun when the connection has closed meanwhile', async () => {
    let isEnded = false
    const body = {
      [Symbol.asyncIterator]: () => ({
        next: () => Promise.reject(new Error('is not read')),
        return: async () => {
          isEnded = true
          return { done: true as const, value: undefined }
        },
      }),
    }
    const gone = { response: { destroyed: false }, message: { socket: { destroyed: true } } }
    await sendPieces(gone as Exchange, body, { totalMs: 600_000 })
    expect(isEnded).toBe(true)
  })

  it('a streamed answer without a reader ends its source, even before it has begun', async () => {
    let isEnded = false
    const body = {
      [Symbol.asyncIterator]: () => ({
        next: () => Promise.reject(new Error('is not read')),
        return: async () => {
          isEnded = true
          return { done: true as const, value: undefined }
        },
      }),
    }
    const late: Partial<Exchange> = { response: { headersSent: true } as ServerResponse }
    respond(late as Exchange, 200, undefined, body)
    await until(() => isEnded)
  })

  it('a streamed answer that cannot be made further is not taken for whole even where the end of the connection is its end', async () => {
    const stage = await serve(async function* () {
      yield Buffer.from('half')
      throw new Error('the source is gone')
    })
    const error = await readAsHttp10(stage.url)
    expect(error).toMatchObject({ code: 'ECONNRESET' })
  })

  it('a streamed answer that takes too long in all is cut', async () => {
    let isEnded = false
    const stage = await serve(
      async function* () {
        try {
          for (;;) yield PIECE
        } finally {
          isEnded = true
        }
      },
      { totalMs: 50 },
    )
    const request = get(stage.url, (answer) => answer.pause().on('error', () => {}))
    request.on('error', () => {})
    await until(() => isEnded)
    expect(stage.exchange().streamError).toMatchObject({ code: 'reader_too_slow' })
  })

  it('a streamed answer that cannot be made further is cut, so that nobody takes it for whole', async () => {
    const stage = await serve(async function* () {
      yield Buffer.from('half')
      throw new Error('the source is gone')
    })
    await expect(fetch(stage.url).then((answer) => answer.text())).rejects.toThrow()
    expect(stage.exchange().streamError).toMatchObject({ message: 'the source is gone' })
  })
})

describe('a large answer', () => {
  it.each([
    ['bytes', Buffer.alloc(1_000_001, 'ab')],
    ['JSON', { text: 'é'.repeat(300_000) }],
  ])('a large answer of %s leaves whole, with its length', async (_, body) => {
    const { url } = await serveBody(body)
    const answer = await fetch(url)
    const expected = body instanceof Buffer ? body : Buffer.from(JSON.stringify(body))
    expect(Number(answer.headers.get('content-length'))).toBe(expected.length)
    expect(Buffer.from(await answer.arrayBuffer()).equals(expected)).toBe(true)
  })

  it('a small answer with letters beyond ASCII has the length of its bytes', async () => {
    const body = { name: 'Kedai Écran 店' }
    const { url } = await serveBody(body)
    const answer = await fetch(url)
    const expected = Buffer.from(JSON.stringify(body))
    expect(Number(answer.headers.get('content-length'))).toBe(expected.length)
    expect(Buffer.from(await answer.arrayBuffer()).equals(expected)).toBe(true)
  })

  it('has a header with several values in several lines', async () => {
    const { url } = await serveBody({}, { 'Set-Cookie': ['a=1', 'b=2'] })
    expect((await fetch(url)).headers.getSetCookie()).toEqual(['a=1', 'b=2'])
  })
})
