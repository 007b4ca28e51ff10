import { once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import http from 'node:http'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { Order } from '../port/types.ts'
import type { Slowly } from './answers.service.ts'
import { act, answerBadly, replyToTrouble, send } from './answers.service.ts'
import type { SignedQuestion } from './auth.service.ts'
import { createGate } from './auth.service.ts'
import { openBooks } from './books.service.ts'
import type { CallbackSettings } from './callbacks.service.ts'
import { createCallbacks } from './callbacks.service.ts'
import { createFaults } from './faults.service.ts'
import type { Simulator, Task } from './handlers.service.ts'
import { outcomeOf, readTask } from './handlers.service.ts'
import type { FulfilmentOf, SimulatorAuth } from './types.ts'
import { EXCHANGE_BYTES_MAX, EXCHANGE_HEADER } from './wire.schemas.ts'

export type SimulatorServerSettings = {
  /** Port; 0 picks a free one. */
  port: number
  host: string
  /** Fulfilment of orders that do not state it themselves. */
  fulfilment?: FulfilmentOf
  booksFile?: string | undefined
  /** Float of the client at the start; orders reduce it. */
  float?: Order['amount'] | undefined
  /** Authentication of clients; left out: none is needed. */
  auth?: SimulatorAuth | undefined
  tokenLifetimeMs?: number | undefined
  /** Receiver of final outcomes. */
  callbacks?: CallbackSettings | undefined
  /** Key and certificate in PEM; with them it serves https. */
  tls?: { key: string; cert: string } | undefined
  nowMs?: () => number
  /** Wait of `slow`; it throws early when the signal says that the server closes. */
  wait?: (ms: number, signal: AbortSignal) => Promise<void>
}

export type SimulatorServer = { url: string; close(): Promise<void> }

const CONNECTIONS_MAX = 2_000
const REQUEST_TIMEOUT_MS = 30_000
/** Longer than clients keep an idle connection, so that they close it and none is closed under a request. */
const KEEP_ALIVE_MS = 65_000

const TOKEN_LIFETIME_MS = 3_600_000

/** Starts a provider's server that behaves, well and badly, as real ones do. */
export async function startSimulatorServer(settings: SimulatorServerSettings): Promise<SimulatorServer> {
  const { wait = waitFor } = settings
  const closing = new AbortController()
  const slowly = (ms: number) => wait(ms, closing.signal)
  const server = createServer(settings.tls)
  const simulator = openSimulatorState(settings, slowly, closing.signal)
  server.maxConnections = CONNECTIONS_MAX
  server.on('request', (request, response) => {
    // A request that was read only in part no longer knows its socket.
    const { socket } = request
    // An error breaks the connection: a provider that fails does not say why.
    answer(simulator, request, response, slowly).catch(() => socket.destroy())
  })
  try {
    server.listen(settings.port, settings.host)
    await once(server, 'listening')
  } catch (error) {
    simulator.books.close()
    throw error
  }
  return {
    url: urlOf(server, settings),
    async close() {
      closing.abort()
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
      simulator.books.close()
    },
  }
}

function createServer(tls: SimulatorServerSettings['tls']): Server {
  const limits = { requestTimeout: REQUEST_TIMEOUT_MS, keepAliveTimeout: KEEP_ALIVE_MS }
  return tls === undefined ? http.createServer(limits) : https.createServer({ ...limits, ...tls })
}

function urlOf(server: Server, { host, tls }: SimulatorServerSettings): string {
  const { port } = server.address() as AddressInfo
  return `${tls === undefined ? 'http' : 'https'}://${host.includes(':') ? `[${host}]` : host}:${port}`
}

function openSimulatorState(settings: SimulatorServerSettings, wait: Slowly, signal: AbortSignal): Simulator {
  const { nowMs = Date.now, auth = { kind: 'none' }, tokenLifetimeMs = TOKEN_LIFETIME_MS } = settings
  const { url, secret } = settings.callbacks ?? {}
  const faults = createFaults()
  return {
    books: openBooks({ file: settings.booksFile, nowMs, float: settings.float }),
    faults,
    callbacks: createCallbacks({
      url,
      secret,
      faults,
      nowMs,
      wait,
      signal,
      outcomeOf: (entry) => outcomeOf({ nowMs }, entry),
    }),
    gate: createGate({ auth, nowMs, tokenLifetimeMs }),
    fulfilment: settings.fulfilment ?? (() => 'plain'),
    nowMs,
  }
}

async function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal })
}

// ── One request ──

async function answer(
  simulator: Simulator,
  request: IncomingMessage,
  response: ServerResponse,
  slowly: Slowly,
): Promise<void> {
  const exchange = request.headers[EXCHANGE_HEADER]
  if (typeof exchange === 'string') response.setHeader(EXCHANGE_HEADER, exchange)
  let question: SignedQuestion
  let task: Task
  try {
    question = await readQuestion(request)
    task = readTask(simulator, question)
  } catch (error) {
    return send(response, replyToTrouble(error))
  }
  const fault = task.target === undefined ? undefined : simulator.faults.take(task.target, task.account)
  if (fault === undefined) return send(response, act(task))
  if (fault.kind === 'unauthorized') simulator.gate.revokeTokens()
  return answerBadly({ fault, task, question, response, slowly })
}

async function readQuestion(request: IncomingMessage): Promise<SignedQuestion> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > EXCHANGE_BYTES_MAX) throw new Error('a body beyond all measure')
    chunks.push(chunk)
  }
  const { method = '', url = '/', headers } = request
  return { method, url, headers, body: Buffer.concat(chunks).toString('utf8') }
}
