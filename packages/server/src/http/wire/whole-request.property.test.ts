import type { IncomingHttpHeaders, IncomingMessage, Server } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect, Socket } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runs } from '../../testing/runs.ts'
import { readWhole } from './whole-request.ts'

type Reading = { method: string; url: string; headers: IncomingHttpHeaders; body: string }

let server: Server
let readings: (Reading | 'refused')[] = []

beforeAll(async () => {
  server = createServer({ requireHostHeader: false }, (message, response) => {
    void bodyOf(message).then((body) => {
      const { method = '', url = '', headers } = message
      readings.push({ method, url, headers, body })
      response.end()
    })
  })
  server.on('clientError', (_, socket) => {
    readings.push('refused')
    socket.destroy()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})

afterAll(() => {
  server.closeAllConnections()
  server.close()
})

async function bodyOf(message: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of message) pieces.push(piece)
  return Buffer.concat(pieces).toString('latin1')
}

/** Sends the bytes to Node's server, and returns all that its parser made of them. */
async function readByNode(bytes: Buffer): Promise<typeof readings> {
  readings = []
  const socket = connect({ host: '127.0.0.1', port: (server.address() as AddressInfo).port })
  await new Promise<void>((resolve) => {
    socket.on('error', () => {}).on('close', () => resolve())
    socket.on('data', () => socket.end())
    socket.write(bytes)
  })
  return readings
}

const line = (...parts: fc.Arbitrary<string>[]) => fc.tuple(...parts).map((all) => all.join(''))
const method = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE') },
  fc.constantFrom('HEAD', 'get', 'QUERY'),
)
const url = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('/', '/v2/topup', '/a?b=c&d', '//h', '/%2e%2e/') },
  fc.constantFrom('*', 'http://h/', '/#f', ''),
  fc.string({ unit: 'binary-ascii', maxLength: 12 }).map((text) => `/${text}`),
)
const name = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom('Host', 'host', 'X-Api-Key', 'Accept', 'Cookie', 'Content-Type') },
  fc.constantFrom(
    'Connection',
    'Expect',
    'Upgrade',
    'Transfer-Encoding',
    'TE',
    'Content-Length',
    'Set-Cookie',
  ),
  fc.constantFrom('X-A ', ' X-A', 'X_A', '__proto__', 'constructor', 'toString', '', 'x'.repeat(60)),
)
const value = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.constantFrom('a', ' a b ', '', 'keep-alive', 'Keep-Alive', 'application/json'),
  },
  fc.constantFrom('close', 'chunked', '1', '0', '+1', '01', '1,1', '1 1', 'upgrade', '100-continue'),
  fc.string({ unit: 'binary-ascii', maxLength: 8 }),
)
const end = fc.oneof({ weight: 20, arbitrary: fc.constant('\r\n') }, fc.constantFrom('\n', '\r', '\r\n ', ''))
const separator = fc.oneof(
  { weight: 20, arbitrary: fc.constantFrom(': ', ':') },
  fc.constantFrom(':\t', ' : '),
)
const header = line(name, separator, value, end)
const body = fc.oneof(
  fc.constant(''),
  fc.constantFrom('{}', '\r\n\r\n', 'GET / HTTP/1.1\r\n\r\n'),
  fc.string(),
)

const request = fc
  .record({ method, url, headers: fc.array(header, { maxLength: 5 }), body, isCounted: fc.boolean(), end })
  .map(({ isCounted, ...each }) => {
    const length = isCounted && each.body !== '' ? `Content-Length: ${Buffer.byteLength(each.body)}\r\n` : ''
    const first = `${each.method} ${each.url} HTTP/1.1${each.end}`
    return Buffer.from(`${first}${each.headers.join('')}${length}\r\n${each.body}`)
  })

it('a request that is read here is one request with the same meaning to Node', async () => {
  const numRuns = runs(3_000)
  let read = 0
  await fc.assert(
    fc.asyncProperty(request, async (bytes) => {
      const message = readWhole(bytes, new Socket())
      if (message === undefined) return
      read += 1
      const { headers, whole } = message
      expect(await readByNode(bytes)).toEqual([
        { method: message.method, url: message.url, headers, body: whole.toString('latin1') },
      ])
    }),
    { numRuns },
  )
  expect(read).toBeGreaterThan(numRuns / 30)
})
