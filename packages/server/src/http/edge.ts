import { randomUUID } from 'node:crypto'
import type { Server } from 'node:http'
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fastify from 'fastify'
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
import type { RequestLog } from './request-log.ts'
import { respond } from './respond.ts'
import { prepareOperation } from './serve-operation.ts'
import { methodsOf } from './unmatched.ts'
import type { Unreadable } from './unreadable.ts'
import { createUnreadable } from './unreadable.ts'

export type EdgeOptions = {
  operations: readonly Operation[]
  limiter: AddressLimiter
  trustProxy: readonly Network[]
  requestTimeoutMs: number
  requestsMax: number
  connectionsMax: number
  logger: FastifyBaseLogger
  requestLog: RequestLog
  metrics: EdgeMetrics
}

/** The edge's own record of one request, from its first byte to its log line. */
export type Exchange = {
  startedMs: number
  address: string
  /** What the limiter said; undefined until it has. */
  admission: Admission | undefined
  /** On every answer of the operation, errors included. */
  operationHeaders: Readonly<Record<string, string>> | undefined
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
const METHODS_WITH_BODY = ['DELETE', 'OPTIONS', 'PATCH', 'POST', 'PUT', 'QUERY']
/** For the log alone: who hung up was told no status. The number is the one that nginx made known. */
const HUNG_UP_STATUS = 499

export function createEdge(options: EdgeOptions): FastifyInstance {
  const gate = createGate(options.requestsMax)
  const unreadable = createUnreadable(options)
  const drain = createDrain(options.requestTimeoutMs)
  const entrance = { ...options, unreadable, drain }
  const edge = fastify({
    // The edge writes its own line per request: a child logger per request would cost more than the line.
    logger: false,
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
      // Asked for below, where the answer is one of ours.
      requireHostHeader: false,
    },
    clientErrorHandler: unreadable.answer,
    // An address that the router cannot read: no route, so no hook has seen the request.
    frameworkErrors: (error, request, reply) => {
      admit(entrance, request, reply, (refusal) => {
        sendError(reply, 'common', asRequestError(refusal ?? badAddress(error.code), request, options.logger))
      })
    },
  })
  prepareServer(edge.server, options.connectionsMax)
  edge.setValidatorCompiler(() => () => true)
  edge.setSerializerCompiler(() => (data) => JSON.stringify(data))
  // Bodies are read by the operation itself, byte for byte and for every method alike: Fastify, which would
  // refuse some content types before any route is asked, is told that no method has one.
  edge.removeAllContentTypeParsers()
  for (const method of METHODS_WITH_BODY) {
    edge.addHttpMethod(method, { hasBody: false, overrideExisting: true })
  }
  edge.decorateRequest('exchange')

  edge.addHook('onRequest', (request, reply, done) => admit(entrance, request, reply, done))
  edge.addHook('preClose', async () => drain.letGo(edge.server))
  edge.setErrorHandler((error, request, reply) =>
    sendError(reply, dialectOf(request), asRequestError(error, request, options.logger)),
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

function prepareServer(server: Server, connectionsMax: number): void {
  server.maxConnections = connectionsMax
  server.on('connection', (socket) => {
    // The address is read while there is one: of a caller who has hung up the system no longer knows it.
    if (socket.remoteAddress === undefined) socket.destroy()
  })
  // An expectation that nobody knows is no reason to refuse; Node would, with an answer that is not ours.
  server.on('checkExpectation', (message, response) => server.emit('request', message, response))
}

function newExchange(request: FastifyRequest, trustProxy: readonly Network[]): Exchange {
  return {
    startedMs: performance.now(),
    address: clientAddress(
      request.raw.socket.remoteAddress ?? '',
      request.headers['x-forwarded-for'],
      trustProxy,
    ),
    admission: undefined,
    operationHeaders: undefined,
    logFields: undefined,
    error: undefined,
  }
}

type Entrance = EdgeOptions & { readonly unreadable: Unreadable; readonly drain: Drain }

function admit(
  entrance: Entrance,
  request: FastifyRequest,
  reply: FastifyReply,
  done: (refusal?: Error) => void,
): void {
  const exchange = newExchange(request, entrance.trustProxy)
  request.exchange = exchange
  const conversation = entrance.unreadable.begin(request.raw)
  entrance.drain.begin(reply.raw)
  // `close` comes exactly once, also when the caller hung up before the answer.
  reply.raw.once('close', () => {
    entrance.unreadable.end(request.raw, conversation)
    entrance.drain.end(reply.raw)
    finish(entrance, request, reply)
  })
  const judge = (admission: Admission): void => {
    exchange.admission = admission
    if (admission.blockedForSeconds > 0) done(addressBlocked(admission))
    else done(lacksHost(request) ? badRequest('The Host header is missing.') : undefined)
  }
  if (UNLIMITED.has(request.routeOptions.url ?? '')) {
    judge({ ...entrance.limiter.look(exchange.address), blockedForSeconds: 0 })
    return
  }
  const admission = entrance.limiter.admit(exchange.address)
  if (admission instanceof Promise) admission.then(judge, done)
  else judge(admission)
}

function lacksHost({ raw }: FastifyRequest): boolean {
  return raw.headers.host === undefined && raw.httpVersion === '1.1'
}

function finish(options: EdgeOptions, request: FastifyRequest, reply: FastifyReply): void {
  const { exchange } = request
  const durationMs = performance.now() - exchange.startedMs
  // The route's pattern, never the address as sent: queries and paths may carry identity numbers.
  const route = request.routeOptions.url ?? '(no route)'
  const status = reply.raw.headersSent ? reply.raw.statusCode : HUNG_UP_STATUS
  options.metrics.observe(request.method, route, status, durationMs / 1_000)
  const line = {
    request_id: request.id,
    method: request.method,
    route,
    status,
    duration_ms: Math.round(durationMs * 100) / 100,
    address: exchange.address,
    ...(!reply.raw.writableFinished && { hung_up: true }),
    ...exchange.logFields,
    ...(exchange.error && { error: exchange.error.code, detail: exchange.error.message }),
  }
  // 503 and 504 are answers we meant to give; what nobody meant is 500.
  options.requestLog.write(status === 500 ? 'error' : status > 500 ? 'warn' : 'info', line)
}

function sendError(reply: FastifyReply, dialect: Dialect, error: RequestError): void {
  reply.request.exchange.error = error
  closeLater(reply)
  const rendered = renderError(dialect, error)
  respond(reply, rendered.status, rendered.headers, rendered.body)
}

/**
 * A refusal before the request has arrived whole, on a connection that its caller wants closed. Closed at once,
 * it would cost the caller, who is still writing, the answer: so it is closed when the rest has been read and
 * thrown away, or the time for a request is over.
 */
function closeLater({ raw: response, request: { raw: message } }: FastifyReply): void {
  if (message.complete || response.shouldKeepAlive) return
  response.shouldKeepAlive = true
  const close = () => message.socket.destroySoon()
  response.once('close', () => (message.complete ? close() : message.once('end', close)))
}

function dialectOf(request: FastifyRequest): Dialect {
  return request.routeOptions.config.dialect ?? 'common'
}

/** Whatever is not a RequestError is a bug: logged once with its cause, and nothing of it leaves. */
function asRequestError(error: unknown, request: FastifyRequest, logger: FastifyBaseLogger): RequestError {
  if (error instanceof RequestError) return error
  if (isOutOfReach(error)) return unavailable('database_unavailable', String(error), error)
  logger.error({ request_id: request.id, err: error }, 'unexpected error')
  return new RequestError({
    status: 500,
    code: 'internal_error',
    publicText: `Something went wrong on our side. Please quote request ${request.id}.`,
    internalText: 'unexpected error, logged apart',
  })
}

function unmatched(operations: readonly Operation[], request: FastifyRequest): RequestError {
  const methods = methodsOf(operations, request.url)
  if (methods.length === 0) return notFound()
  return new RequestError({
    status: 405,
    code: 'method_not_allowed',
    publicText: `This address takes ${methods.join(' or ')}.`,
    headers: { Allow: methods.join(', ') },
  })
}

/** A parameter that is longer than any can be names nothing; anything else is no address. */
function badAddress(code: string): RequestError {
  return code === 'FST_ERR_MAX_PARAM_LENGTH' ? notFound() : badRequest('The address cannot be read.')
}

function badRequest(publicText: string): RequestError {
  return new RequestError({ status: 400, code: 'bad_request', publicText })
}

function notFound(): RequestError {
  return new RequestError({
    status: 404,
    code: 'not_found',
    publicText: 'There is nothing at this address.',
  })
}
