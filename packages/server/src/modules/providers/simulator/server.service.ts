import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, STATUS_CODES } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { RequestError } from '../../../lib/errors.ts'
import { openBooks } from './books.service.ts'
import type { Desk, Reply, Task } from './desk.service.ts'
import { readTask, refuse } from './desk.service.ts'
import { createFaults } from './faults.service.ts'
import type { Fault, FulfilmentOf } from './types.ts'
import { BODY_BYTES_MAX, EXCHANGE_HEADER } from './wire.schemas.ts'

export type SimulatorServerSettings = {
  /** 0 picks a free one. */
  port: number
  host: string
  /** For orders that do not say it themselves. */
  fulfilment?: FulfilmentOf
  booksFile?: string | undefined
  nowMs?: () => number
  /** How `slow` waits; ends early, by throwing, when the signal says that the server closes. */
  wait?: (ms: number, signal: AbortSignal) => Promise<void>
}

export type SimulatorServer = { url: string; close(): Promise<void> }

const CONNECTIONS_MAX = 2_000
const REQUEST_TIMEOUT_MS = 30_000
/** Longer than clients keep an idle connection, so that it is they who close it: none is closed under a request. */
const KEEP_ALIVE_MS = 65_000

/** A provider's server with the manners, good and bad, that real ones have. */
export async function startSimulatorServer(settings: SimulatorServerSettings): Promise<SimulatorServer> {
  const { nowMs = Date.now, wait = waitFor } = settings
  const books = openBooks({ file: settings.booksFile, nowMs })
  const desk: Desk = {
    books,
    faults: createFaults(),
    fulfilment: settings.fulfilment ?? (() => 'plain'),
    nowMs,
  }
  const closing = new AbortController()
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS, keepAliveTimeout: KEEP_ALIVE_MS })
  server.maxConnections = CONNECTIONS_MAX
  server.on('request', (request, response) => {
    const slowly = (ms: number) => wait(ms, closing.signal)
    // A request that was left half read no longer knows its socket.
    const { socket } = request
    // What breaks here is the connection: a provider that fails tells nobody why.
    answer(desk, request, response, slowly).catch(() => socket.destroy())
  })
  try {
    server.listen(settings.port, settings.host)
    await once(server, 'listening')
  } catch (error) {
    books.close()
    throw error
  }
  const { port } = server.address() as AddressInfo
  return {
    url: `http://${settings.host.includes(':') ? `[${settings.host}]` : settings.host}:${port}`,
    async close() {
      closing.abort()
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
      books.close()
    },
  }
}

async function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal })
}

// ── One request ──

type Slowly = (ms: number) => Promise<void>

async function answer(
  desk: Desk,
  request: IncomingMessage,
  response: ServerResponse,
  slowly: Slowly,
): Promise<void> {
  const exchange = request.headers[EXCHANGE_HEADER]
  if (typeof exchange === 'string') response.setHeader(EXCHANGE_HEADER, exchange)
  let task: Task
  try {
    task = readTask(desk, await readQuestion(request))
  } catch (error) {
    send(response, replyToTrouble(error))
    return
  }
  const fault = task.place === undefined ? undefined : desk.faults.take(task.place, task.account)
  if (fault === undefined) send(response, act(task))
  else await answerBadly(fault, task, response, slowly)
}

async function readQuestion(request: IncomingMessage) {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > BODY_BYTES_MAX) throw new Error('a body beyond all measure')
    chunks.push(chunk)
  }
  const { method = '', url = '/' } = request
  return { method, url, body: Buffer.concat(chunks).toString('utf8') }
}

function act(task: Task): Reply | undefined {
  try {
    return task.act()
  } catch (error) {
    return replyToTrouble(error)
  }
}

function replyToTrouble(error: unknown): Reply {
  if (!(error instanceof RequestError)) throw error
  const problems = Object.values(error.fields ?? {}).flat()
  return refuse(error.status, error.code, [error.publicText, ...problems].join(' ').slice(0, 500))
}

async function answerBadly(
  fault: Fault,
  task: Task,
  response: ServerResponse,
  slowly: Slowly,
): Promise<void> {
  switch (fault.kind) {
    case 'none':
      return send(response, act(task))
    case 'slow':
      await slowly(fault.delayMs)
      return send(response, act(task))
    case 'hang':
      act(task)
      return
    case 'error_before':
      return send(response, refuse(500, 'internal_error', 'Something went wrong.'))
    case 'error_after':
      act(task)
      return send(response, refuse(500, 'internal_error', 'Something went wrong.'))
    case 'garbage':
      act(task)
      return sendText(response, 200, '<html><body>It works!</body></html>')
    case 'huge':
      return sendHuge(response, act(task))
    case 'drop_before':
      response.destroy()
      return
    case 'drop_after':
      act(task)
      response.destroy()
      return
    case 'duplicate_answer':
      return sendTwice(response, act(task))
    case 'outage':
      return send(response, refuse(503, 'outage', 'The simulator is out of service.'))
  }
}

// ── Answers, proper and otherwise ──

function send(response: ServerResponse, reply: Reply | undefined): void {
  if (reply !== undefined) sendText(response, reply.status, JSON.stringify(reply.body))
}

function sendText(response: ServerResponse, status: number, text: string): void {
  // Whoever asked may be gone by now; what was done is done.
  if (response.destroyed) return
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(text),
  })
  response.end(text)
}

/** A right answer, if one reads it to its end. */
function sendHuge(response: ServerResponse, reply: Reply | undefined): void {
  if (reply === undefined) return
  const padding = ' '.repeat(4 * BODY_BYTES_MAX)
  sendText(response, reply.status, `${JSON.stringify(reply.body)}${padding}`)
}

/** The same answer again, which a careless client takes for the answer to its next request. */
function sendTwice(response: ServerResponse, reply: Reply | undefined): void {
  const { socket } = response
  if (reply === undefined || socket === null) return
  const text = JSON.stringify(reply.body)
  const head = [
    `HTTP/1.1 ${reply.status} ${STATUS_CODES[reply.status]}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(text)}`,
    ...[response.getHeader(EXCHANGE_HEADER) ?? []].flat().map((id) => `${EXCHANGE_HEADER}: ${id}`),
  ]
  response.once('finish', () => socket.write(`${head.join('\r\n')}\r\n\r\n${text}`))
  send(response, reply)
}
