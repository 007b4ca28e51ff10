import type { ServerResponse } from 'node:http'
import type { Random } from '../faults/random.ts'
import { hostileText } from './hostile.ts'
import { bytesOf, mutateBytes, mutateJson } from './mutations.ts'
import { isObject } from './raw-json.ts'

// Answers of a supplier: good ones, ones with a mistake, and bytes that are no answer.

/** Words of the configuration to which an answer may lead. */
export type Reading = 'succeeded' | 'failed' | 'approved'

/** Answer that was chosen. */
export type Said = {
  /** `cut`: the connection ends before the body does; `raw`: bytes that are no HTTP; `nothing`: it ends at once. */
  readonly how: 'whole' | 'late' | 'cut' | 'raw' | 'nothing'
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Buffer
}

export type Base = { readonly route: string; readonly reference: string }

const ANSWER_BYTES_MAX = 1024 * 1024

/** Returns the reading that the configuration allows for a whole answer. */
export function readingOf(status: number, body: Buffer): Reading | undefined {
  const isSuccess = status >= 200 && status < 300
  const isRefusal = status >= 400 && status < 500
  if ((!isSuccess && !isRefusal) || body.length > ANSWER_BYTES_MAX) return undefined
  let json: unknown
  try {
    // A byte order mark may be passed over.
    json = JSON.parse(body.toString('utf8').replace(/^\ufeff/, ''))
  } catch {
    return undefined
  }
  if (!isObject(json)) return undefined
  const word = json.status ?? json.error
  if (isSuccess && word === 'succeeded') return 'succeeded'
  if (isSuccess && word === 'approved') return 'approved'
  // `not_found` and `no_float` prove that nothing was bought: the payment may fail after them.
  return word === 'failed' || word === 'not_found' || word === 'no_float' ? 'failed' : undefined
}

/** Returns what an answer may be read as; undefined: as nothing. */
export function readingIn({ how, status, headers, bytes }: Said): Reading | undefined {
  const isReadable = (how === 'whole' || how === 'late') && headers['Content-Encoding'] === undefined
  return isReadable ? readingOf(status, bytes) : undefined
}

export function honestAnswer(base: Base): Said {
  return whole(200, bytesOf(bodyOf(base, 'succeeded')))
}

export function chooseAnswer(random: Random, base: Base): Said {
  const word = random.weighted([
    [4, 'succeeded'],
    [2, 'failed'],
    [2, 'pending'],
    [1, 'not_found'],
    [1, 'unheard-of'],
  ] as const)
  const good = bodyOf(base, word)
  const changed = () => bytesOf(mutateJson(random, 'reseller', good).value)
  return random.weighted<() => Said>([
    [2, () => whole(200, bytesOf(good))],
    [6, () => whole(200, changed())],
    [3, () => whole(random.pick(STATUSES), changed())],
    [3, () => whole(200, mutateBytes(random, bytesOf(good)).bytes)],
    [1, () => whole(200, bytesOf({ ...good, note: 'x'.repeat(2 * ANSWER_BYTES_MAX) }))],
    [1, () => whole(200, bytesOf({ ...good, [hostileText(random)]: hostileText(random) }))],
    [1, () => ({ ...whole(200, bytesOf(good)), how: 'cut' })],
    // It says that it is compressed, and is not.
    [1, () => ({ ...whole(200, bytesOf(good)), headers: { 'Content-Encoding': 'gzip' } })],
    [1, () => ({ ...whole(200, Buffer.from(random.pick(NO_ANSWERS))), how: 'raw' })],
    [0.4, () => ({ ...whole(200, bytesOf(good)), how: 'late' })],
    [1, () => ({ ...whole(200, Buffer.alloc(0)), how: 'nothing' })],
  ])()
}

const STATUSES = [201, 202, 204, 206, 301, 302, 304, 400, 401, 404, 409, 418, 422, 429, 500, 502, 503, 599]

function bodyOf({ route, reference }: Base, word: string): Record<string, unknown> {
  switch (route) {
    case 'bills':
      return {
        bill: { BillerName: 'Volt', CustomerName: 'Somebody', Outstanding: 12.5, DueDate: '2026-12-01' },
      }
    case 'options':
      return {
        options: [{ code: 'P1', label: 'A plan', denomination: '10.00', account: null, features: ['1 GB'] }],
      }
    case 'float':
      return { balance: '1000.00' }
    case 'voids':
      return { status: word === 'succeeded' ? 'approved' : 'refused', reason: 'so' }
    default:
      return {
        reference,
        status: word,
        code: 48,
        reason: 'because',
        output: { serial_number: 'SN-1', pin: '', expiry: '', voucher_link: '', note: '' },
      }
  }
}

function whole(status: number, bytes: Buffer): Said {
  return { how: 'whole', status, headers: {}, bytes }
}

const LATE_MS = 1_500

export function writeAnswer(response: ServerResponse, said: Said): void {
  const { how, status, bytes } = said
  const headers = { 'Content-Type': 'application/json', Location: 'http://127.0.0.1:1/', ...said.headers }
  switch (how) {
    case 'whole':
      response.writeHead(status, headers).end(bytes)
      return
    case 'late':
      setTimeout(() => response.writeHead(status, headers).end(bytes), LATE_MS).unref()
      return
    case 'cut':
      response.writeHead(status, { ...headers, 'Content-Length': bytes.length + 10 })
      response.write(bytes, () => response.destroy())
      return
    case 'raw':
      response.socket?.end(bytes)
      return
    case 'nothing':
      response.destroy()
  }
}

const NO_ANSWERS: readonly string[] = [
  '\0\0\0\0',
  'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n{}',
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
  'HTTP/1.1 200 OK\r\nContent-Length: 10\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  `HTTP/1.1 200 OK\r\n${'X-A: b\r\n'.repeat(3_000)}\r\n`,
  `HTTP/1.1 200 ${'x'.repeat(20_000)}\r\n\r\n`,
  'HTTP/1.1 999 Odd\r\nContent-Length: 0\r\n\r\n',
  'HTTP/1.1 100 Continue\r\n\r\n'.repeat(50),
  'HTTP/1.1 200 OK\nContent-Length: 0\n\n',
  'HTTP/1.1 200 OK\r\nX: a\rb\r\n\r\n',
  '{"status":"succeeded"}',
  '',
]
