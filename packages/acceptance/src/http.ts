import type { Agent, IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { request } from 'node:http'
import { connect } from 'node:net'
import { expectDocumented } from './documented.ts'
import type { Credentials, SignInput } from './signing.ts'
import { signRequest } from './signing.ts'

/**
 * Plain HTTP/1.1 client that sends exactly what a test says: header names in their letter case, a header twice, paths
 * in any encoding, a body on any method. `fetch` would normalise all of these.
 */

export type HeaderPairs = readonly (readonly [name: string, value: string])[]
export type Headers = Readonly<Record<string, string>> | HeaderPairs
/** Body of a request. An iterable is sent chunk by chunk as it yields, for slow bodies. */
export type SendBody = Uint8Array | string | AsyncIterable<Uint8Array | string>

export type SendInput = {
  baseUrl: string
  method?: string | undefined
  /** Path with its query, sent unchanged. Raw spaces and bytes above 0xff need `rawSocket`. */
  path: string
  headers?: Headers | undefined
  body?: SendBody | undefined
  agent?: Agent | undefined
  timeoutMs?: number | undefined
}

export type Answer = {
  status: number
  headers: IncomingHttpHeaders
  /** Name, value, name, value, as received. */
  rawHeaders: readonly string[]
  bytes: Buffer
  text: string
  json: <T = unknown>() => T
}

const TIMEOUT_MS = 35_000

/** Sends a request, and fails on an answer that the documents do not describe. */
export async function send(input: SendInput): Promise<Answer> {
  const answer = await exchange(input)
  expectDocumented(input, answer)
  return answer
}

/** Sends a request, and returns whatever comes back. */
export function exchange(input: SendInput): Promise<Answer> {
  const base = new URL(input.baseUrl)
  const method = input.method ?? 'GET'
  const timeoutMs = input.timeoutMs ?? TIMEOUT_MS
  return new Promise((resolve, reject) => {
    const outgoing = request({
      host: hostname(base),
      port: base.port || 80,
      method,
      path: input.path,
      // A list keeps the letter case of names, and keeps repeated headers separate.
      headers: completeHeaders(base, method, input).flat(),
      // Each request has its own connection by default: one test's broken connection must not serve the next.
      agent: input.agent ?? false,
    })
    const expired = new Error(`${method} ${input.path}: no answer in ${timeoutMs} ms`)
    const deadline = setTimeout(() => outgoing.destroy(expired), timeoutMs)
    let answering = false
    const fail = (error: Error) => {
      clearTimeout(deadline)
      reject(error)
    }
    // A server may answer before it has read the whole body. From then on the answer counts, and write errors do not.
    outgoing.on('error', (error) => answering || fail(error))
    outgoing.on('response', (incoming) => {
      answering = true
      readAnswer(incoming)
        .then((answer) => {
          clearTimeout(deadline)
          if (!outgoing.writableFinished) outgoing.destroy()
          resolve(answer)
        })
        .catch(fail)
    })
    writeBody(outgoing, input.body).catch((error) => answering || outgoing.destroy(error))
  })
}

export type SignedInput = Omit<SendInput, 'baseUrl' | 'body'> &
  Pick<SignInput, 'timestamp' | 'nonce' | 'reading' | 'hashOf'> & {
    body?: Uint8Array | string | undefined
    /** Value sent as JSON instead of `body`, with its content type. */
    json?: unknown
  }

/** Signs and sends. Headers given here come after the signature's and replace those of the same name. */
export function signed(baseUrl: string, credentials: Credentials, input: SignedInput): Promise<Answer> {
  const { json, timestamp, nonce, reading, hashOf, ...rest } = input
  const method = input.method ?? 'GET'
  const body = json === undefined ? input.body : JSON.stringify(json)
  const at = input.path.indexOf('?')
  const query = at < 0 ? '' : input.path.slice(at + 1)
  const signature = signRequest({ ...credentials, method, query, body, timestamp, nonce, reading, hashOf })
  const given = pairs(input.headers)
  const own: HeaderPairs = [
    ...Object.entries(signature),
    ...(json === undefined ? [] : [['Content-Type', 'application/json'] as const]),
  ]
  const headers = [...own.filter(([name]) => !has(given, name)), ...given]
  return send({ ...rest, baseUrl, method, body, headers })
}

/** Returns the credentials of a reseller in the start command's demo file that signing needs. */
export function credentialsOf(reseller: { api_key: string; signing_secret: string }): Credentials {
  return { apiKey: reseller.api_key, secretBase64: reseller.signing_secret }
}

export type RawAnswer = {
  bytes: Buffer
  text: string
  /** Status of the first answer; undefined when there was none. */
  status: number | undefined
  endedBy: 'close' | 'deadline'
}

/**
 * Writes bytes that need not be a valid request, and collects all answers until the server closes or the deadline
 * passes. The sending side stays open unless `half` is `close`.
 */
export function rawSocket(
  baseUrl: string,
  body: SendBody,
  options: { deadlineMs?: number; half?: 'open' | 'close' } = {},
): Promise<RawAnswer> {
  const base = new URL(baseUrl)
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect(Number(base.port || 80), hostname(base))
    let connected = false
    const finish = (endedBy: RawAnswer['endedBy']) => {
      clearTimeout(deadline)
      socket.destroy()
      const bytes = Buffer.concat(chunks)
      const text = bytes.toString('utf8')
      const status = /^HTTP\/1\.[01] (\d{3})/.exec(text)?.[1]
      resolve({ bytes, text, status: status === undefined ? undefined : Number(status), endedBy })
    }
    const deadline = setTimeout(() => finish('deadline'), options.deadlineMs ?? 20_000)
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('close', () => finish('close'))
    // A reset after connecting is one way in which a server closes on malformed bytes.
    socket.on('error', (error) => {
      if (connected) return
      clearTimeout(deadline)
      reject(error)
    })
    socket.on('connect', () => {
      connected = true
      writeChunks(socket, body)
        .then(() => options.half === 'close' && socket.end())
        .catch((error) => socket.destroy(error))
    })
  })
}

function completeHeaders(base: URL, method: string, input: SendInput): [string, string][] {
  const given = pairs(input.headers)
  const added: [string, string][] = has(given, 'host') ? [] : [['Host', base.host]]
  const framing =
    has(given, 'content-length') || has(given, 'transfer-encoding') ? undefined : frame(method, input.body)
  return [...added, ...(framing ? [framing] : []), ...given]
}

function frame(method: string, body: SendBody | undefined): [string, string] | undefined {
  if (body === undefined)
    return ['POST', 'PUT', 'PATCH'].includes(method) ? ['Content-Length', '0'] : undefined
  const whole = typeof body === 'string' || body instanceof Uint8Array
  return whole ? ['Content-Length', String(Buffer.byteLength(body))] : ['Transfer-Encoding', 'chunked']
}

/** Returns the host for Node, which connects to `::1` where a URL has `[::1]`. */
function hostname(base: URL): string {
  return base.hostname.replace(/^\[|\]$/g, '')
}

function pairs(headers: Headers | undefined): [string, string][] {
  if (headers === undefined) return []
  const list: HeaderPairs = isPairs(headers) ? headers : Object.entries(headers)
  return list.map(([name, value]) => [name, value])
}

function isPairs(headers: Headers): headers is HeaderPairs {
  return Array.isArray(headers)
}

function has(list: HeaderPairs, name: string): boolean {
  return list.some(([other]) => other.toLowerCase() === name.toLowerCase())
}

type Sink = { write: (chunk: Uint8Array | string, done: (error?: Error | null) => void) => unknown }

async function writeBody(outgoing: Sink & { end: () => unknown }, body: SendBody | undefined): Promise<void> {
  if (body !== undefined) await writeChunks(outgoing, body)
  outgoing.end()
}

async function writeChunks(sink: Sink, body: SendBody): Promise<void> {
  const parts = typeof body === 'string' || body instanceof Uint8Array ? [body] : body
  for await (const part of parts) {
    if (part.length === 0) continue
    await new Promise<void>((resolve, reject) => {
      sink.write(part, (error) => (error ? reject(error) : resolve()))
    })
  }
}

async function readAnswer(incoming: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = []
  // An event stream does not end, so that its answer is the piece that comes first; `openPage` of live.ts reads on.
  const isStream = incoming.headers['content-type']?.startsWith('text/event-stream') === true
  for await (const chunk of incoming) {
    chunks.push(chunk as Buffer)
    if (isStream) break
  }
  const bytes = Buffer.concat(chunks)
  const text = bytes.toString('utf8')
  return {
    status: incoming.statusCode ?? 0,
    headers: incoming.headers,
    rawHeaders: incoming.rawHeaders,
    bytes,
    text,
    json: <T>() => JSON.parse(text) as T,
  }
}
