import { statusesIn } from '../edge.ts'
import type { Random } from '../faults/random.ts'
import { createRandom } from '../faults/random.ts'
import type { RawAnswer } from '../http.ts'
import { exchange, rawSocket } from '../http.ts'
import type { SocketInput } from './corpus.ts'
import type { Recorder } from './recorder.ts'
import type { PartOptions } from './suppliers-part.ts'
import type { Target } from './target.ts'

// Bytes on a connection that are no proper request, or more than one.

type Shape = {
  readonly name: string
  /** Most answers that these bytes may get: one for each request that is whole and clear. */
  readonly answersMax: number
  make(random: Random): Buffer | string
  /** Sends the bytes one by one. */
  readonly isTrickled?: boolean
}

const HOST = 'Host: x\r\n'
const POST = `POST /v2/token HTTP/1.1\r\n${HOST}Content-Type: application/json\r\n`
const GET = `GET /healthz HTTP/1.1\r\n${HOST}`
const SMUGGLED = `GET /v2/balance HTTP/1.1\r\n${HOST}\r\n`

const SHAPES: readonly Shape[] = [
  shape('noise', 1, (random) => noise(random, 300)),
  shape('noise behind a request', 2, (random) =>
    Buffer.concat([Buffer.from(`${GET}\r\n`), noise(random, 100)]),
  ),
  shape('a byte of a request flipped', 2, (random) => flipped(random, `${POST}Content-Length: 2\r\n\r\n{}`)),
  shape('a request cut off', 1, (random) =>
    cutOff(random, `${POST}Content-Length: 200\r\n\r\n{"username":"a"}`),
  ),
  shape('half a head', 1, () => `${POST}Content-Le`),
  shape('a body that never comes', 1, () => `${POST}Content-Length: 100\r\n\r\n`),
  shape(
    'two different lengths',
    1,
    () => `${POST}Content-Length: 2\r\nContent-Length: 40\r\n\r\n{}${SMUGGLED}`,
  ),
  shape('two equal lengths', 2, () => `${POST}Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}`),
  shape('a list of lengths', 1, () => `${POST}Content-Length: 2, 2\r\n\r\n{}`),
  shape(
    'a length and chunks',
    1,
    () => `${POST}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${SMUGGLED}`,
  ),
  shape(
    'chunks and a length',
    1,
    () => `${POST}Transfer-Encoding: chunked\r\nContent-Length: 60\r\n\r\n0\r\n\r\n${SMUGGLED}`,
  ),
  shape(
    'a disguised encoding',
    1,
    (random) =>
      `${POST}Transfer-Encoding: ${random.pick([' chunked', 'xchunked', 'chunked, identity', 'identity', 'CHUNKED\t;', '\x0bchunked', '"chunked"'])}\r\nContent-Length: 2\r\n\r\n{}${SMUGGLED}`,
  ),
  shape(
    'an encoding with a space before its colon',
    1,
    () => `${POST}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n${SMUGGLED}`,
  ),
  shape(
    'an encoding on two lines',
    1,
    () => `${POST}Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n${SMUGGLED}`,
  ),
  shape(
    'bad chunk sizes',
    1,
    (random) =>
      `${POST}Transfer-Encoding: chunked\r\n\r\n${random.pick(['-2', '0x2', 'g', '2 2', '', 'ffffffffffffffffff', '2;', '+2'])}\r\n{}\r\n0\r\n\r\n`,
  ),
  shape('chunks without an end', 1, () => `${POST}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n`),
  shape(
    'chunk extensions without an end',
    1,
    () => `${POST}Transfer-Encoding: chunked\r\n\r\n2;${'a'.repeat(40_000)}\r\n{}\r\n0\r\n\r\n`,
  ),
  shape(
    'trailers',
    2,
    () => `${POST}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nContent-Length: 9\r\nHost: y\r\n\r\n`,
  ),
  shape('line feeds alone', 1, () => `GET /healthz HTTP/1.1\nHost: x\n\n`),
  shape('a carriage return alone', 1, () => `GET /healthz HTTP/1.1\r\nHost: x\rX-A: b\r\n\r\n`),
  shape('a line feed in a value', 1, () => `${GET}X-A: a\nHost: y\r\n\r\n`),
  shape('a flood of headers', 1, (random) => `${GET}${`X-${random.between(0, 9)}: a\r\n`.repeat(4_000)}\r\n`),
  shape('a header of 20 kB', 1, () => `${GET}X-A: ${'a'.repeat(20_000)}\r\n\r\n`),
  shape('a long address', 1, () => `GET /${'a'.repeat(40_000)} HTTP/1.1\r\n${HOST}\r\n`),
  shape('a pipeline', 20, () => `${`${GET}\r\n`.repeat(19)}${GET}Connection: close\r\n\r\n`),
  shape('a long pipeline', 400, () => `${GET}\r\n`.repeat(400)),
  shape('a pipeline with a bad end', 5, () => `${`${GET}\r\n`.repeat(4)}GET /\0 HTTP/1.1\r\n\r\n`),
  shape(
    'an upgrade',
    1,
    (random) =>
      `${GET}Connection: Upgrade\r\nUpgrade: ${random.pick(['websocket', 'h2c', 'TLS/1.0'])}\r\nHTTP2-Settings: AAMAAABk\r\n\r\n`,
  ),
  shape('a tunnel', 1, () => `CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n`),
  shape(
    'another version',
    1,
    (random) => `GET /healthz HTTP/${random.pick(['0.9', '1.2', '2.0', '9.9', '1'])}\r\n${HOST}\r\n`,
  ),
  shape('an old version', 1, () => 'GET /healthz HTTP/1.0\r\n\r\n'),
  shape(
    'an odd target',
    1,
    (random) =>
      `GET ${random.pick(['*', 'healthz', 'http://evil.example/healthz', '//evil.example/', '/%', '/\\..\\', '/?#', 'http://', '/%00'])} HTTP/1.1\r\n${HOST}\r\n`,
  ),
  shape(
    'an odd host',
    1,
    (random) =>
      `GET / HTTP/1.1\r\nHost: ${random.pick(['', 'a b', 'evil.example@x', '[::1', 'x:99999', '\xff', 'a'.repeat(3_000)])}\r\n\r\n`,
  ),
  shape('no host', 1, () => 'GET /healthz HTTP/1.1\r\n\r\n'),
  shape('TLS', 1, () => Buffer.from('16030100c8010000c40303', 'hex')),
  shape('HTTP/2', 1, () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  { ...shape('bytes one by one', 1, () => `${GET}Connection: close\r\n\r\n`), isTrickled: true },
  shape('nothing', 0, () => ''),
]

function shape(name: string, answersMax: number, make: Shape['make']): Shape {
  return { name, answersMax, make }
}

function noise(random: Random, length: number): Buffer {
  return Buffer.from(Array.from({ length }, () => random.between(0, 255)))
}

function flipped(random: Random, text: string): Buffer {
  const bytes = Buffer.from(text)
  const position = random.between(0, bytes.length - 1)
  bytes.writeUInt8(bytes.readUInt8(position) ^ (1 << random.between(0, 7)), position)
  return bytes
}

function cutOff(random: Random, text: string): string {
  return text.slice(0, random.between(1, text.length - 1))
}

async function* trickle(bytes: Buffer): AsyncIterable<Buffer> {
  for (const byte of bytes) {
    yield Buffer.from([byte])
    await new Promise((resolve) => setImmediate(resolve))
  }
}

/** Statuses that the edge gives to bytes that it cannot serve, and to the requests among them. */
const EXPECTED = new Set([
  100, 200, 302, 400, 401, 403, 404, 405, 408, 413, 414, 415, 417, 426, 429, 431, 503, 505,
])
const ANSWER_DEADLINE_MS = 25_000

export async function fuzzSockets(target: Target, { seed, recorder, goesOn }: PartOptions): Promise<void> {
  const random = createRandom(seed).fork('sockets')
  for (let round = 0; goesOn(round); round += 1) {
    await Promise.all(
      SHAPES.map(({ name, answersMax, make, isTrickled = false }) => {
        const bytes = Buffer.from(make(random.fork(`${name} ${round}`)) as Buffer)
        return trySocket(target, { part: 'sockets', name, answersMax, isTrickled, bytes }, recorder)
      }),
    )
    const { status } = await exchange({ baseUrl: target.service.baseUrl, path: '/readyz' })
    if (status !== 200) recorder.find({ problem: `after the sockets /readyz says ${status}` })
  }
}

/** Writes bytes to a connection, and judges the answers. */
export async function trySocket(
  { service }: Pick<Target, 'service'>,
  input: SocketInput,
  recorder: Recorder,
): Promise<void> {
  const { name, bytes, isTrickled } = input
  const answer = await rawSocket(service.baseUrl, isTrickled ? trickle(bytes) : bytes, {
    half: 'close',
    deadlineMs: ANSWER_DEADLINE_MS,
  })
  const statuses = statusesIn(answer.text).filter((status) => status !== 100)
  recorder.count('sockets', name, statuses.slice(0, 3).join('+') || answer.endedBy)
  const problem = problemIn(answer, statuses, input)
  if (problem !== undefined) recorder.find({ problem: `${name}: ${problem}`, input })
}

function problemIn(
  { text, endedBy }: RawAnswer,
  statuses: readonly number[],
  { answersMax }: SocketInput,
): string | undefined {
  const strange = statuses.find((status) => !EXPECTED.has(status))
  if (strange !== undefined) return `status ${strange}`
  if (statuses.length > answersMax) return `${statuses.length} answers: ${statuses.join(', ')}`
  // An address that the caller's Host decides would lead others away.
  const location = /^location: (?!\/[^/\\])(.*)$/im.exec(text)?.[1]
  if (location !== undefined) return `leads to ${location}`
  return endedBy === 'close' ? undefined : 'the connection stays open after the caller has closed it'
}
