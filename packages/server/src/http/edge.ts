import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fastify, { LogController } from 'fastify'
import { isOutOfReach } from '../db/database.ts'
import type { Network } from '../lib/addresses.ts'
import { RequestError, unavailable } from '../lib/errors.ts'
import { createBodyReader } from './body.ts'
import { clientAddress } from './client-address.ts'
import type { Dialect } from './dialects.ts'
import { renderError } from './dialects.ts'
import type { Drain } from './drain.ts'
import { createDrain } from './drain.ts'
import type { AddressLimiter, Admission } from './limits.ts'
import { addressBlocked, createGate } from './limits.ts'
import type { EdgeMetrics } from './metrics.ts'
import type { Operation } from './operation.ts'
import { prepareOperation } from './serve-operation.ts'
import { methodsOf } from './unmatched.ts'

export type EdgeOptions = {
  operations: readonly Operation[]
  limiter: AddressLimiter
  trustProxy: readonly Network[]
  requestTimeoutMs: number
  requestsMax: number
  connectionsMax: number
  logger: FastifyBaseLogger
  metrics: EdgeMetrics
}

/** The edge's own record of one request, from its first byte to its log line. */
export type Exchange = {
  startedMs: number
  address: string
  logFields: Readonly<Record<string, string>> | undefined
  error: RequestError | undefined
}

declare module 'fastify' {
  interface FastifyRequest {
    exchange: Exchange
  }
}

/** Paths that watch over the service answer even to a blocked address and under full load. */
const UNLIMITED = new Set(['/healthz', '/readyz'])
const HEADERS_TIMEOUT_MS = 10_000
const KEEP_ALIVE_TIMEOUT_MS = 65_000
const CONNECTIONS_CHECK_MS = 1_000
const HEADER_BYTES_MAX = 16 * 1024

export function createEdge(options: EdgeOptions): FastifyInstance {
  const gate = createGate(options.requestsMax)
  const drain = createDrain(options.requestTimeoutMs)
  const edge = fastify({
    loggerInstance: options.logger,
    // The edge writes its own line per request, on the one logger: a child per request costs more than the line.
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: (logger) => logger,
    genReqId: () => randomUUID(),
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: 200, querystringParser: () => ({}) },
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    requestTimeout: options.requestTimeoutMs,
    forceCloseConnections: 'idle',
    // What still arrives on an open connection while the server closes is served like any other.
    return503OnClosing: false,
    http: {
      maxHeaderSize: HEADER_BYTES_MAX,
      headersTimeout: Math.min(HEADERS_TIMEOUT_MS, options.requestTimeoutMs),
      connectionsCheckingInterval: CONNECTIONS_CHECK_MS,
    },
    clientErrorHandler: answerUnreadable,
    frameworkErrors: (error, request, reply) => {
      request.exchange ??= newExchange(request, options.trustProxy)
      void sendError(
        reply,
        'common',
        new RequestError({
          status: 400,
          code: 'bad_request',
          publicText: 'The request could not be read.',
          internalText: error.message,
        }),
      )
    },
  })
  edge.server.maxConnections = options.connectionsMax
  edge.setValidatorCompiler(() => () => true)
  edge.setSerializerCompiler(() => (data) => JSON.stringify(data))
  // Bodies are read by the operation itself, byte for byte and for every method alike.
  edge.removeAllContentTypeParsers()
  edge.addContentTypeParser('*', (_request, _payload, done) => done(null))
  edge.decorateRequest('exchange')

  edge.addHook('onRequest', (request, reply, done) => admit(options, drain, request, reply, done))
  edge.addHook('preClose', async () => drain.letGo(edge.server))
  edge.setErrorHandler((error, request, reply) =>
    sendError(reply, dialectOf(request), asRequestError(error, request)),
  )
  edge.setNotFoundHandler((request, reply) =>
    sendError(reply, 'common', unmatched(options.operations, request)),
  )

  const bodies = createBodyReader()
  for (const operation of options.operations) {
    edge.route({
      method: operation.method,
      url: operation.path,
      config: { dialect: operation.dialect },
      handler: prepareOperation(operation, {
        bodies,
        requestTimeoutMs: options.requestTimeoutMs,
        gate: UNLIMITED.has(operation.path) ? undefined : gate,
      }),
    })
  }
  return edge
}

declare module 'fastify' {
  interface FastifyContextConfig {
    dialect?: Dialect
  }
}

function newExchange(request: FastifyRequest, trustProxy: readonly Network[]): Exchange {
  return {
    startedMs: performance.now(),
    address: clientAddress(
      request.raw.socket.remoteAddress ?? '',
      request.headers['x-forwarded-for'],
      trustProxy,
    ),
    logFields: undefined,
    error: undefined,
  }
}

function admit(
  options: EdgeOptions,
  drain: Drain,
  request: FastifyRequest,
  reply: FastifyReply,
  done: (error?: Error) => void,
): void {
  const exchange = newExchange(request, options.trustProxy)
  request.exchange = exchange
  // `close` comes exactly once, also when the caller hung up before the answer.
  drain.begin(reply.raw)
  reply.raw.once('close', () => {
    drain.end(reply.raw)
    finish(options, request, reply)
  })
  reply.header('X-Request-Id', request.id)
  const judge = (admission: Admission): void => {
    reply.header('RateLimit-Limit', admission.limit)
    reply.header('RateLimit-Remaining', admission.remaining)
    reply.header('RateLimit-Reset', admission.resetSeconds)
    done(admission.blockedForSeconds > 0 ? addressBlocked(admission) : undefined)
  }
  if (UNLIMITED.has(request.url)) {
    judge({ ...options.limiter.look(exchange.address), blockedForSeconds: 0 })
    return
  }
  const admission = options.limiter.admit(exchange.address)
  if (admission instanceof Promise) admission.then(judge, done)
  else judge(admission)
}

function finish(options: EdgeOptions, request: FastifyRequest, reply: FastifyReply): void {
  const { exchange } = request
  const durationMs = performance.now() - exchange.startedMs
  // The route's pattern, never the address as sent: queries and paths may carry identity numbers.
  const route = request.routeOptions.url ?? '(no route)'
  options.metrics.observe(request.method, route, reply.statusCode, durationMs / 1_000)
  const line = {
    request_id: request.id,
    method: request.method,
    route,
    status: reply.statusCode,
    duration_ms: Math.round(durationMs * 100) / 100,
    address: exchange.address,
    ...(!reply.raw.writableFinished && { hung_up: true }),
    ...exchange.logFields,
    ...(exchange.error && { error: exchange.error.code, detail: exchange.error.message }),
  }
  // 503 and 504 are answers we meant to give; what nobody meant is 500.
  if (reply.statusCode === 500) request.log.error(line, 'request')
  else if (reply.statusCode > 500) request.log.warn(line, 'request')
  else request.log.info(line, 'request')
}

export function sendError(reply: FastifyReply, dialect: Dialect, error: RequestError): FastifyReply {
  reply.request.exchange.error = error
  const rendered = renderError(dialect, error)
  return reply.code(rendered.status).headers(rendered.headers).send(rendered.body)
}

function dialectOf(request: FastifyRequest): Dialect {
  return request.routeOptions.config.dialect ?? 'common'
}

/** Whatever is not a RequestError is a bug: logged once with its cause, and nothing of it leaves. */
function asRequestError(error: unknown, request: FastifyRequest): RequestError {
  if (error instanceof RequestError) return error
  if (isOutOfReach(error)) return unavailable('database_unavailable', String(error), error)
  request.log.error({ request_id: request.id, err: error }, 'unexpected error')
  return new RequestError({
    status: 500,
    code: 'internal_error',
    publicText: `Something went wrong on our side. Please quote request ${request.id}.`,
    internalText: 'unexpected error, logged apart',
  })
}

function unmatched(operations: readonly Operation[], request: FastifyRequest): RequestError {
  const methods = methodsOf(operations, request.url)
  if (methods.length === 0) {
    return new RequestError({
      status: 404,
      code: 'not_found',
      publicText: 'There is nothing at this address.',
    })
  }
  return new RequestError({
    status: 405,
    code: 'method_not_allowed',
    publicText: `This address takes ${methods.join(' or ')}.`,
    headers: { Allow: methods.join(', ') },
  })
}

/** Answers what never became a request: too slow, too large, not HTTP. */
function answerUnreadable(
  error: NodeJS.ErrnoException,
  socket: Socket & { _httpMessage?: IncomingMessage },
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy(error)
    return
  }
  const [status, text] = UNREADABLE[error.code ?? ''] ?? ['400 Bad Request', 'The request is not valid HTTP.']
  const body = JSON.stringify({ message: text, errors: {} })
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nConnection: close\r\n` +
      `X-Request-Id: ${randomUUID()}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
}

const UNREADABLE: Readonly<Record<string, readonly [status: string, text: string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The request headers are larger than 16 kB.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request did not arrive in time.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['413 Payload Too Large', 'The chunk extensions are too large.'],
}
