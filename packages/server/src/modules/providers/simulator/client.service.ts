import type { RequestOptions } from 'node:http'
import http from 'node:http'
import https from 'node:https'
import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import type {
  BillAnswer,
  DynamicOptionsAnswer,
  FloatAnswer,
  Outcome,
  Provider,
  QueryAnswer,
  SubmitOutcome,
  VoidAnswer,
} from '../port/types.ts'
import { isOver, UNSENT } from '../port/unsent.service.ts'
import { createCallbackReader } from './callback-reader.service.ts'
import { simulatedLookups } from './lookups.rules.ts'
import {
  CONCURRENCY_MAX,
  NOT_FOUND_PROVES_AFTER_MS,
  QUERY_TIMEOUT_MS,
  SIMULATOR_CODE,
  SUBMIT_TIMEOUT_MS,
} from './service.ts'
import type { FulfilmentOf } from './types.ts'
import {
  EXCHANGE_BYTES_MAX,
  EXCHANGE_HEADER,
  isBillAnswer,
  isFloatAnswer,
  isOptionsAnswer,
  isOrderAnswer,
  isRefusal,
  isVoidAnswer,
} from './wire.schemas.ts'
import {
  billBodyOf,
  moneyOf,
  optionsBodyOf,
  optionsOfAnswer,
  orderBodyOf,
  outcomeOfAnswer,
  voidOfBody,
} from './wire.view.ts'

export type RemoteSimulatorSettings = {
  /** Address of the server: `http://127.0.0.1:3100`, with a path if it has one. */
  url: string
  fulfilment: FulfilmentOf
  submitTimeoutMs?: number
  queryTimeoutMs?: number
  notFoundProvesAfterMs?: number
  connectionsMax?: number
  /** Key of its callbacks' signatures; left out: callbacks are not accepted. */
  callbackSecret?: string
}

const CONNECTIONS_MAX = 256
/** Well below the server's limit: a connection that the server closes under a request leaves an outcome unknown. */
const IDLE_CONNECTION_MS = 30_000

/**
 * Connects to the simulator as a separate server. Only an answer that is whole, well-formed and to this very request
 * tells the outcome; everything else, a refused connection included, leaves it unknown.
 */
export function createRemoteSimulator(settings: RemoteSimulatorSettings): Provider {
  const { fulfilment } = settings
  const ask = createExchange(settings)
  return {
    code: SIMULATOR_CODE,
    submitTimeoutMs: settings.submitTimeoutMs ?? SUBMIT_TIMEOUT_MS,
    queryTimeoutMs: settings.queryTimeoutMs ?? QUERY_TIMEOUT_MS,
    notFoundProvesAfterMs: settings.notFoundProvesAfterMs ?? NOT_FOUND_PROVES_AFTER_MS,
    repeatsReference: true,
    concurrencyMax: CONCURRENCY_MAX,
    ratePerSecond: null,
    reservesStock: false,
    async submit(order, signal, notAfterMs) {
      const body = JSON.stringify(orderBodyOf(order, fulfilment(order.productCode)))
      return submitOutcomeOf(await ask('POST', '/orders', signal, body, notAfterMs))
    },
    async query(order, signal) {
      return queryAnswerOf(await ask('GET', `/orders/${encodeURIComponent(order.reference)}`, signal))
    },
    voids: {
      async requestVoid(order, signal) {
        return voidAnswerOf(await ask('POST', `/voids/${encodeURIComponent(order.reference)}`, signal))
      },
    },
    bills: {
      async presentBill(request, signal) {
        return billAnswerOf(await ask('POST', '/bills', signal, JSON.stringify(billBodyOf(request))))
      },
    },
    lookups: simulatedLookups,
    options: {
      async listOptions(request, signal) {
        return optionsAnswerOf(await ask('POST', '/options', signal, JSON.stringify(optionsBodyOf(request))))
      },
    },
    float: {
      async readFloat(signal) {
        return floatAnswerOf(await ask('GET', '/float', signal))
      },
    },
    ...(settings.callbackSecret !== undefined && {
      callbacks: createCallbackReader(settings.callbackSecret),
    }),
    health: {
      async isHealthy(signal) {
        const answer = await ask('GET', '/health', signal)
        return answer.kind === 'answered' && answer.status === 200
      },
    },
  }
}

// ── Meaning of answers ──

function submitOutcomeOf(answer: Answer): SubmitOutcome {
  if (answer.kind === 'lost' && answer.isUnsent === true) return UNSENT
  return isRefusedAs(answer, 402, 'no_float')
    ? { kind: 'not_acted', code: 47, reason: 'the float does not cover it' }
    : outcomeOf(answer)
}

/**
 * Requires the simulator's own error code: a bare status may come from a wrong address or a proxy, and money goes back
 * because of it.
 */
function isRefusedAs(answer: Answer, status: number, error: string): boolean {
  return (
    answer.kind === 'answered' &&
    answer.status === status &&
    isRefusal(answer.body) &&
    answer.body.error === error
  )
}

function outcomeOf(answer: Answer): Outcome {
  if (answer.kind === 'lost') return { kind: 'unknown', reason: answer.reason }
  if (answer.status !== 200) return { kind: 'unknown', reason: describeStatus(answer) }
  if (!isOrderAnswer(answer.body)) return { kind: 'unknown', reason: 'the answer is of no known form' }
  return outcomeOfAnswer(answer.body)
}

function queryAnswerOf(answer: Answer): QueryAnswer {
  return isRefusedAs(answer, 404, 'not_found') ? { kind: 'not_found' } : outcomeOf(answer)
}

function billAnswerOf(answer: Answer): BillAnswer {
  if (isRefusedAs(answer, 404, 'invalid_account')) return { kind: 'invalid_account' }
  if (isRefusedAs(answer, 404, 'not_offered')) return { kind: 'not_offered' }
  if (answer.kind === 'answered' && answer.status === 200 && isBillAnswer(answer.body)) {
    return { kind: 'found', bill: answer.body.bill }
  }
  return { kind: 'unavailable', reason: describeTroubleOf(answer) }
}

function optionsAnswerOf(answer: Answer): DynamicOptionsAnswer {
  if (answer.kind === 'answered' && answer.status === 200 && isOptionsAnswer(answer.body)) {
    return { kind: 'found', options: optionsOfAnswer(answer.body) }
  }
  return { kind: 'unavailable', reason: describeTroubleOf(answer) }
}

function floatAnswerOf(answer: Answer): FloatAnswer {
  if (answer.kind === 'answered' && answer.status === 200 && isFloatAnswer(answer.body)) {
    return { kind: 'known', amount: moneyOf(answer.body.balance) }
  }
  return { kind: 'unknown', reason: describeTroubleOf(answer) }
}

function describeTroubleOf(answer: Answer): string {
  if (answer.kind === 'lost') return answer.reason
  return answer.status === 200 ? 'the answer is of no known form' : describeStatus(answer)
}

function voidAnswerOf(answer: Answer): VoidAnswer {
  if (answer.kind === 'lost') return { kind: 'unknown', reason: answer.reason }
  if (answer.status !== 200) return { kind: 'unknown', reason: describeStatus(answer) }
  if (!isVoidAnswer(answer.body)) return { kind: 'unknown', reason: 'the answer is of no known form' }
  return voidOfBody(answer.body)
}

function describeStatus({ status, body }: { status: number; body: unknown }): string {
  return isRefusal(body) ? `status ${status}, ${body.error}` : `status ${status}`
}

// ── One request and its answer ──

type Answer =
  | { readonly kind: 'answered'; readonly status: number; readonly body: unknown }
  /** `isUnsent`: it was certainly never sent, because its time was over. */
  | { readonly kind: 'lost'; readonly reason: string; readonly isUnsent?: boolean }

/** Never rejects. */
type Ask = (
  method: 'GET' | 'POST',
  path: string,
  signal: AbortSignal,
  body?: string,
  notAfterMs?: number,
) => Promise<Answer>

/** Thrown before anything is written. */
class DeadlinePassedError extends Error {}

function createExchange({ url, connectionsMax = CONNECTIONS_MAX }: RemoteSimulatorSettings): Ask {
  const base = new URL(url)
  if (base.protocol !== 'http:' && base.protocol !== 'https:') throw new Error(`${url} is no http address`)
  const prefix = base.href.replace(/\/+$/, '')
  const { request, Agent } = base.protocol === 'https:' ? https : http
  const agent = new Agent({ keepAlive: true, maxSockets: connectionsMax, timeout: IDLE_CONNECTION_MS })
  let exchanges = 0

  return async (method, path, signal, body, notAfterMs) => {
    exchanges += 1
    const id = String(exchanges)
    const headers = {
      Accept: 'application/json',
      [EXCHANGE_HEADER]: id,
      ...(body !== undefined && {
        'Content-Type': 'application/json',
        'Content-Length': Buffer.byteLength(body),
      }),
    }
    try {
      const options = { method, agent, signal, headers }
      const incoming = await open(request, `${prefix}${path}`, options, body, notAfterMs)
      const text = await readBounded(incoming)
      if (incoming.headers[EXCHANGE_HEADER] !== id) {
        return { kind: 'lost', reason: 'the answer is not to this request' }
      }
      return { kind: 'answered', status: incoming.statusCode ?? 0, body: JSON.parse(text) }
    } catch (error) {
      return { kind: 'lost', reason: describeTrouble(error), isUnsent: error instanceof DeadlinePassedError }
    }
  }
}

function open(
  request: typeof http.request,
  url: string,
  options: RequestOptions,
  body: string | undefined,
  notAfterMs: number | undefined,
): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, options, resolve)
    // The listener stays: a request destroyed while its answer is read emits another error.
    outgoing.on('error', reject)
    const write = () => {
      if (isOver(notAfterMs))
        outgoing.destroy(new DeadlinePassedError('its time was over before it could be sent'))
      else outgoing.end(body)
    }
    if (notAfterMs === undefined) write()
    else outgoing.once('socket', (socket) => whenOpen(socket, write))
  })
}

/** Writes only when the connection is open: earlier bytes would wait in it and leave at an unchecked time. */
function whenOpen(socket: Socket, write: () => void): void {
  if (socket.connecting) socket.once(socket instanceof TLSSocket ? 'secureConnect' : 'connect', write)
  else write()
}

async function readBounded(incoming: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  // Leaving the loop early ends the connection.
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > EXCHANGE_BYTES_MAX) throw new Error(`the answer is longer than ${EXCHANGE_BYTES_MAX} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Describes an error, never the received bytes: they may hold a PIN. */
function describeTrouble(error: unknown): string {
  if (error instanceof SyntaxError) return 'the answer is not JSON'
  const { name, code, message } = error as NodeJS.ErrnoException
  if (name === 'AbortError' || name === 'TimeoutError') return 'no answer in time'
  return code ?? message
}
