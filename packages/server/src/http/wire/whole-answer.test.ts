import type { Server } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import type { Answer } from '../exchange.ts'
import type { HeaderLines } from '../streams/head.ts'
import { createWire } from './wire.ts'

const KEEP_ALIVE_MS = 65_000
const REQUEST = 'GET / HTTP/1.1\r\nHost: h\r\n\r\n'
const LAST_REQUEST = 'GET /last HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n'

let server: Server | undefined

afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

type Give = (answer: Answer) => void

/** Sends two requests one after the other; Node reads the second one. Returns the bytes of the first answer. */
async function talk(give: Give, isByNode: boolean): Promise<string> {
  const opened = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (message, response) => {
    if (message.url === '/last') response.end()
    else give(response)
  })
  server = opened
  if (!isByNode) {
    createWire({
      take: (_, answer) => give(answer),
      earliestMs: () => 0,
      onHandOver() {},
      onServedByNode() {},
      refuse() {},
      keepAliveMs: KEEP_ALIVE_MS,
      firstBytesMs: 60_000,
      checkMs: 1_000,
    }).attach(opened)
  }
  await new Promise<void>((resolve) => opened.listen(0, '127.0.0.1', resolve))
  const socket = connect({ host: '127.0.0.1', port: (opened.address() as AddressInfo).port })
  socket.write(REQUEST)
  const pieces: Buffer[] = []
  // An answer whose end is not known here is over when nothing follows it: the next request is sent with the first bytes.
  socket.once('data', () => socket.write(LAST_REQUEST))
  for await (const piece of socket) pieces.push(piece)
  opened.close()
  const text = Buffer.concat(pieces).toString('latin1')
  return text.slice(0, text.lastIndexOf('HTTP/1.1')).replaceAll(/\r\nDate: [^\r]*/g, '')
}

const LINES: HeaderLines = [
  'X-Request-Id',
  'a',
  'RateLimit-Limit',
  6_000,
  'Set-Cookie',
  'a=1',
  'Set-Cookie',
  'b=2',
]
const head = (answer: Answer, status: number, ...more: (string | number)[]) =>
  answer.writeHead(status, [...LINES, ...more] as string[])

function sends(status: number, more: HeaderLines, body?: string | Buffer): Give {
  return (answer) => {
    head(answer, status, ...more)
    answer.end(body)
  }
}

describe('an answer without Node', () => {
  it.each<[string, Give]>([
    ['a text', sends(200, ['Content-Length', 2], 'ab')],
    ['a text beyond ASCII', sends(200, ['Content-Length', 4], 'äö')],
    ['bytes', sends(404, ['Content-Length', 2], Buffer.from([0, 255]))],
    ['no body', sends(200, ['Content-Length', 0])],
    ['a status without a body', sends(304, [])],
    ['a body where the status has none', sends(204, [], 'ab')],
    [
      'pieces of a known length',
      (answer) => {
        head(answer, 200, 'Content-Length', 4)
        answer.write(Buffer.from('ab'))
        answer.write(Buffer.from('cd'))
        answer.end()
      },
    ],
    [
      'pieces of an unknown length',
      (answer) => {
        head(answer, 200)
        answer.write(Buffer.from('ab'))
        answer.write(Buffer.alloc(0))
        // Node joins pieces of one turn from version 24 on.
        setImmediate(() => {
          answer.write(Buffer.from('c'.repeat(300)))
          setImmediate(() => answer.end())
        })
      },
    ],
    [
      'an unknown length that is zero',
      (answer) => {
        head(answer, 200)
        answer.write(Buffer.alloc(0))
        answer.end()
      },
    ],
  ])('has the bytes that Node would write for %s', async (_, give) => {
    const ours = await talk(give, false)
    expect(ours).not.toBe('')
    expect(ours).toBe(await talk(give, true))
  })

  it.each([
    ['a line end in a value', 'X-A', 'b\r\nX-C: d'],
    ['a character beyond Latin-1 in a value', 'X-A', '€'],
    ['a space in a name', 'X A', 'b'],
    ['a line end in a name', 'X-A: b\r\nX-C', 'd'],
    ['a transfer coding', 'Transfer-Encoding', 'chunked'],
    ['a length in another spelling', 'content-length', '1'],
  ])('is refused with %s, and another can be sent', async (_, name, value) => {
    const give: Give = (answer) => {
      expect(() => head(answer, 200, name, value)).toThrow()
      expect(answer.headersSent).toBe(false)
      head(answer, 500, 'Content-Length', 1)
      answer.end('a')
    }
    expect(await talk(give, false)).toMatch(/^HTTP\/1\.1 500 .*\r\n\r\na$/s)
  })

  it('writes a header beyond ASCII in Latin-1, whatever the body is', async () => {
    const give: Give = sends(200, ['X-A', 'caf\xe9', 'Content-Length', 2], 'ä')
    expect(await talk(give, false)).toMatch(/X-A: caf\xe9\r\n.*\r\n\r\n\xc3\xa4$/s)
  })

  it('waits for its reader', async () => {
    const piece = Buffer.alloc(1024 * 1024)
    let waits = 0
    const give: Give = (answer) => {
      head(answer, 200, 'Content-Length', 20 * piece.length)
      let left = 20
      const go = () => {
        while (left > 0) {
          left -= 1
          if (!answer.write(piece)) {
            waits += 1
            answer.once('drain', go)
            return
          }
        }
        answer.end()
      }
      go()
    }
    expect((await talk(give, false)).length).toBeGreaterThan(20 * piece.length)
    expect(waits).toBeGreaterThan(0)
  })
})
