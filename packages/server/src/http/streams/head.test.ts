import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import type { HeaderLines } from './head.ts'
import { sendWhole } from './head.ts'

let server: Server | undefined

afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

const REQUEST = 'GET / HTTP/1.1\r\nHost: h\r\n\r\n'
const LAST_REQUEST = 'GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n'

/** Sends the bytes on one connection and returns all that the server answers until it closes. */
async function talk(
  answer: (message: IncomingMessage, response: ServerResponse) => void,
  sent: string,
): Promise<string> {
  const opened = createServer({ keepAliveTimeout: 65_000 }, answer)
  server?.close()
  server = opened
  await new Promise<void>((resolve) => opened.listen(0, '127.0.0.1', resolve))
  const socket = connect({ host: '127.0.0.1', port: (opened.address() as AddressInfo).port })
  socket.write(sent, 'latin1')
  const pieces: Buffer[] = []
  for await (const piece of socket) pieces.push(piece)
  return Buffer.concat(pieces)
    .toString('latin1')
    .replaceAll(/\r\nDate: [^\r]*/g, '')
}

function byNode(response: ServerResponse, status: number, lines: HeaderLines, text: string): void {
  response.writeHead(status, lines as string[]).end(text)
}

const HEADERS = ['X-Request-Id', 'a', 'RateLimit-Limit', 6_000, 'Set-Cookie', 'a=1', 'Set-Cookie', 'b=2']
const BODY = '{"data":{"balance":12.5}}'
const LINES: HeaderLines = [...HEADERS, 'Content-Type', 'application/json', 'Content-Length', BODY.length]

describe('an answer in one piece', () => {
  it.each([200, 404, 503, 599])('has the bytes that Node would write, with status %d', async (status) => {
    const sent: boolean[] = []
    const ours = await talk((message, response) => {
      if (message.headers.connection === 'close') byNode(response, status, LINES, BODY)
      else sent.push(sendWhole(response, status, LINES, BODY))
    }, REQUEST + LAST_REQUEST)
    const theirs = await talk((_, response) => byNode(response, status, LINES, BODY), REQUEST + LAST_REQUEST)
    expect(sent).toEqual([true])
    expect(ours).toBe(theirs)
  })

  it('carries the present date', async () => {
    const answer = await new Promise<string>((resolve, reject) => {
      const opened = createServer((_, response) => sendWhole(response, 200, LINES, BODY))
      server = opened
      opened.listen(0, '127.0.0.1', () => {
        fetch(`http://127.0.0.1:${(opened.address() as AddressInfo).port}/`)
          .then(({ headers }) => resolve(headers.get('date') ?? ''))
          .catch(reject)
      })
    })
    expect(Math.abs(Date.parse(answer) - Date.now())).toBeLessThan(60_000)
    expect(new Date(Date.parse(answer)).toUTCString()).toBe(answer)
  })

  it('keeps its place behind an earlier request of its connection', async () => {
    const waiting: ServerResponse[] = []
    const answer = await talk(
      (_, response) => {
        waiting.push(response)
        const [first, second, third] = waiting
        if (first === undefined || second === undefined || third === undefined) return
        byNode(third, 200, ['Content-Length', 1], '3')
        sendWhole(second, 200, ['Content-Length', 1], '2')
        sendWhole(first, 200, ['Content-Length', 1], '1')
      },
      REQUEST + REQUEST + LAST_REQUEST,
    )
    expect(answer.match(/\r\n\r\n\d/g)?.map((each) => each.trim())).toEqual(['1', '2', '3'])
  })

  it.each([
    ['to HEAD', 'HEAD / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n', LINES],
    ['that closes its connection', LAST_REQUEST, LINES],
    ['to HTTP/1.0', 'GET / HTTP/1.0\r\n\r\n', LINES],
    ['whose own headers close the connection', REQUEST, ['Connection', 'close', ...LINES]],
    ['whose own headers say it in small letters', REQUEST, ['connection', 'close', ...LINES]],
  ])('is left to Node for an answer %s', async (_, request, lines) => {
    const sent: boolean[] = []
    const ours = await talk((__, response) => {
      sent.push(sendWhole(response, 200, lines, BODY) || response.headersSent)
      byNode(response, 200, lines, BODY)
    }, request)
    expect(sent).toEqual([false])
    expect(ours).toBe(await talk((__, response) => byNode(response, 200, lines, BODY), request))
  })

  it.each(['HEAD', 'GET'])(
    'is left to Node when the server ends connections, or %s has no body',
    async (method) => {
      const sent: boolean[] = []
      await talk((_, response) => {
        if (method === 'GET') response.setHeader('Connection', 'close')
        sent.push(sendWhole(response, 200, LINES, BODY))
        response.setHeader('Connection', 'close')
        response.end()
      }, `${method} / HTTP/1.1\r\nHost: h\r\n\r\n`)
      expect(sent).toEqual([false])
    },
  )

  it.each(['Date', 'Transfer-Encoding', 'Keep-Alive', 'Upgrade', 'Trailer', 'TE', 'Expect', 'a b', ''])(
    'is left to Node when its own headers have %j',
    async (name) => {
      const sent: boolean[] = []
      await talk((_, response) => {
        sent.push(sendWhole(response, 200, [name, 'x', ...LINES], BODY))
        response.setHeader('Connection', 'close')
        response.end()
      }, REQUEST)
      expect(sent).toEqual([false])
    },
  )

  it('is left to Node when a header was set before', async () => {
    const sent: boolean[] = []
    const answer = await talk((_, response) => {
      response.setHeader('X-Before', 'a')
      sent.push(sendWhole(response, 200, LINES, BODY))
      byNode(response, 200, ['Connection', 'close', ...LINES], BODY)
    }, REQUEST)
    expect(sent).toEqual([false])
    expect(answer).toContain('X-Before: a')
  })

  it('sends no header that would end its line early', async () => {
    const sent: boolean[] = []
    const answer = await talk((_, response) => {
      sent.push(sendWhole(response, 200, ['X-Text', 'a\r\nX-Other: b', ...LINES], BODY))
      expect(() => response.writeHead(200, ['X-Text', 'a\r\nX-Other: b'])).toThrow('Invalid character')
      response.setHeader('Connection', 'close')
      response.end()
    }, REQUEST)
    expect(sent).toEqual([false])
    expect(answer).not.toContain('X-Other')
  })
})
