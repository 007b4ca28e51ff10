import { randomUUID } from 'node:crypto'
import type { Server } from 'node:http'
import { createServer } from 'node:http'
import type { Socket } from 'node:net'
import type { Logger } from 'pino'
import type { Network } from '../lib/addresses.ts'
import { RequestError, unavailable } from '../lib/errors.ts'
import type { Arrivals } from './arrivals.ts'
import { createArrivals } from './arrivals.ts'
import type { Dialect } from './dialects.ts'
import { renderError } from './dialects.ts'
import type { Answer, Exchange, Message } from './exchange.ts'
import { watchBetween } from './intake/between-requests.ts'
import type { Budget } from './intake/budget.ts'
import { askedTooOften, createBudget, HEALTH_BUDGET } from './intake/budget.ts'
import { clientAddress } from './intake/client-address.ts'
import type { Connections } from './intake/connections.ts'
import { createConnections } from './intake/connections.ts'
import type { Deadlines } from './intake/deadlines.ts'
import { createDeadlines } from './intake/deadlines.ts'
import type { Drain } from './intake/drain.ts'
import { createDrain } from './intake/drain.ts'
import type { StrangeForward } from './intake/forwarding.ts'
import { createForwardingWatch } from './intake/forwarding.ts'
import { hostProblem } from './intake/host-header.ts'
import type { AddressLimiter, Admission } from './intake/limits.ts'
import { addressBlocked } from './intake/limits.ts'
import { closeLater } from './intake/linger.ts'
import type { Route } from './intake/routes.ts'
import { createRoutes, preflightRoutes } from './intake/routes.ts'
import type { EdgeMetrics } from './metrics.ts'
import { HUNG_UP_STATUS, watchConnections } from './metrics.ts'
import type { Operation } from './operation.ts'
import { NOT_FOUND_PAGE, wantsPage } from './reference/not-found.ts'
import { asRequestError, badRequest, unmatched } from './request-errors.ts'
import type { RequestLine, RequestLog } from './request-log.ts'
import { respond } from './respond.ts'
import type { Match, Router } from './router.ts'
import { createRouter } from './router.ts'
import type { Conversation, Unreadable } from './unreadable.ts'
import { createUnreadable } from './unreadable.ts'
import { createWire } from './wire/wire.ts'

export type EdgeOptions = {
  operations: readonly Operation[]
  limiter: AddressLimiter
  trustProxy: readonly Network[]
  requestTimeoutMs: number
  requestsMax: number
  connectionsMax: number
  connectionsPerAddressMax: number
  /** Longest time a reader may take no byte of an answer. */
  writeStallMs: number
  /** Reader of whole requests: our own before Node's parser, or Node's parser alone. */
  wire: 'own' | 'node'
  /** Time that slow readers have for their answers after the server began to close; at least that of a request. */
  drainAnswersMs?: number
  /** Networks that no limit by address counts. */
  exempt: readonly Network[]
  logger: Logger
  requestLog: RequestLog
  /** Called for every request along with its log line. The line carries the claimed identity when it was not proven. */
  onAnswered?: (line: RequestLine, error: RequestError | undefined) => void
  metrics: EdgeMetrics
  /** Finds the place of requests that the edge's own operations do not serve; left out: there are none. */
  findPlace?: ((message: Pick<Message, 'headers'>) => Place | undefined) | undefined
  /** Called, at most once in ten minutes, for a forwarding header from a peer that is no trusted proxy. */
  onStrangeForward?: (forward: StrangeForward) => void
}

/** Operations beside the edge's own, with all that belongs to their requests. */
export type Place = {
  /** Router of its operations; undefined: it serves none now, and `refusal` says why. */
  readonly router: Router<Route> | undefined
  readonly limiter: AddressLimiter | undefined
  readonly onAnswered: NonNullable<EdgeOptions['onAnswered']>
  /** Returns the error that every request gets now; undefined: requests are served. */
  refusal(): RequestError | undefined
}

export type Edge = {
  readonly server: Server
  /** Prepares operations for a place. They have a gate of their own: its load stops no other place. */
  prepare(operations: readonly Operation[]): Router<Route>
  /** Serves these operations beside its own, in place of those of an earlier call. */
  serveBeside(operations: readonly Operation[]): void
  listen(address: { host: string; port: number }): Promise<void>
  /** Asks callers to leave with each answer, and serves them as before. */
  announceClose(): void
  /** Accepts no new connections; the open ones are served as before. */
  stopListening(): void
  /** Accepts nothing new, and resolves when every accepted request has its answer. Later requests are refused. */
  finish(): Promise<void>
  /** Finishes, and resolves when the answers were sent too. */
  close(): Promise<void>
}

const HEADERS_TIMEOUT_MS = 10_000
const KEEP_ALIVE_TIMEOUT_MS = 65_000
const CONNECTIONS_CHECK_MS = 1_000
const HEADER_BYTES_MAX = 16 * 1024
/** Limit of requests on one connection that wait for their answers; the last one's answer closes it. */
const PIPELINED_MAX = 256
const NO_ROUTE = '(no route)'
const NO_PARAMS = Object.freeze({})

type EdgeContext = EdgeOptions & {
  router: Router<Route>
  readonly unreadable: Unreadable
  readonly drain: Drain
  readonly deadlines: Deadlines<Exchange>
  readonly watchForwarding: ReturnType<typeof createForwardingWatch>
  readonly connections: Connections
  readonly health: Budget
  readonly arrivals: Arrivals
}

export function createEdge(options: EdgeOptions): Edge {
  const unreadable = createUnreadable(options)
  const { requestTimeoutMs, drainAnswersMs = 0 } = options
  const wire = createWire({
    take: (message, answer) => take(entrance, message, answer),
    earliestMs: () => entrance.arrivals.earliestMs(performance.now()),
    onHandOver: unreadable.hold,
    onServedByNode: (socket) => watchBetween(socket, unreadable),
    refuse: unreadable.refuse,
    keepAliveMs: KEEP_ALIVE_TIMEOUT_MS,
    firstBytesMs: Math.min(HEADERS_TIMEOUT_MS, requestTimeoutMs),
    checkMs: CONNECTIONS_CHECK_MS,
  })
  const drain = createDrain({
    requestTimeoutMs,
    answersMs: drainAnswersMs,
    closeConnections: wire.closeAll,
  })
  const exempt = [...options.exempt, ...options.trustProxy]
  const routesOf = createRoutes(options, (exchange, dialect, error) =>
    fail(options, exchange, dialect, error),
  )
  const own = [...routesOf(options.operations), ...preflightRoutes(options.operations)]
  const connections = createConnections({
    max: options.connectionsMax,
    perNetworkMax: options.connectionsPerAddressMax,
    exempt,
    stallMs: options.writeStallMs,
    onRefused: (refused) => options.logger.warn(refused, 'an address has too many connections'),
  })
  const entrance: EdgeContext = {
    ...options,
    router: createRouter(own),
    unreadable,
    drain,
    watchForwarding: createForwardingWatch(options.trustProxy, options.onStrangeForward),
    deadlines: createDeadlines(options.requestTimeoutMs, (exchange) => exchange.late?.()),
    connections,
    health: createBudget({ ...HEALTH_BUDGET, exempt }),
    arrivals: createArrivals(),
  }
  const server = createServer(
    {
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      requestTimeout: options.requestTimeoutMs,
      maxHeaderSize: HEADER_BYTES_MAX,
      headersTimeout: Math.min(HEADERS_TIMEOUT_MS, options.requestTimeoutMs),
      connectionsCheckingInterval: CONNECTIONS_CHECK_MS,
      // The Host header is checked below, where the answer is our own.
      requireHostHeader: false,
    },
    (message, response) => take(entrance, message, response),
  )
  // Node would silently drop headers after the two-thousandth, such as a second Host or the body's length.
  server.maxHeadersCount = 0
  server.on('clientError', unreadable.answer)
  if (options.wire === 'own') wire.attach(server)
  else server.on('connection', (socket: Socket) => watchBetween(socket, unreadable))
  connections.attach(server)
  server.once('close', entrance.arrivals.close)
  watchConnections(options.metrics, connections)
  // An unknown expectation is no reason to refuse. Node would refuse it, with an answer that is not ours.
  server.on('checkExpectation', (message, response) => server.emit('request', message, response))
  return {
    server,
    prepare(operations) {
      const prepared = createRoutes(options, (exchange, dialect, error) =>
        fail(options, exchange, dialect, error),
      )(operations)
      return createRouter([...prepared, ...preflightRoutes(operations)])
    },
    serveBeside(operations) {
      entrance.router = createRouter([...own, ...routesOf(operations)])
    },
    listen: (address) => listenOn(server, address),
    announceClose: drain.announce,
    stopListening: () => drain.stopListening(server),
    finish: () => drain.letGo(server).answered,
    close: () => drain.letGo(server).sent,
  }
}

function listenOn(server: Server, { host, port }: Parameters<Edge['listen']>[0]): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

function take(entrance: EdgeContext, message: Message, response: Answer): void {
  entrance.watchForwarding(message.socket.remoteAddress, message.headers)
  const conversation = entrance.unreadable.begin(message)
  if (!fitsPipeline(conversation, message, response)) return
  const place = entrance.findPlace?.(message)
  const match = (place?.router ?? entrance.router).find(message.method ?? '', message.url ?? '')
  const exchange = newExchange(entrance, conversation, message, response, match)
  exchange.place = place
  entrance.connections.begin(message.socket)
  const owed = entrance.drain.begin(response)
  const deadline = entrance.deadlines.add(exchange, exchange.startedMs)
  let isOver = false
  const end = () => {
    if (isOver) return
    isOver = true
    conversation.behind?.delete(end)
    entrance.deadlines.remove(deadline)
    if (exchange.answeredMs !== undefined) conversation.answeredMs = exchange.answeredMs
    entrance.unreadable.end(message, conversation)
    entrance.drain.end(owed)
    entrance.connections.end(message.socket)
    if (!response.writableFinished) exchange.streamError ??= entrance.connections.cutReason(message.socket)
    finish(entrance, exchange)
  }
  // The event also fires when the caller hung up before the answer.
  response.once('close', end)
  if (conversation.pending > 1) endWithConnection(conversation, message.socket, end)
  const limiter = place?.limiter ?? entrance.limiter
  if (entrance.drain.isOver || (match.kind === 'found' && match.route.isUnlimited)) {
    exchange.admission = { ...limiter.peek(exchange.address), blockedForSeconds: 0 }
    if (entrance.drain.isOver)
      fail(entrance, exchange, dialectOf(match), unavailable('stopping', 'the process is stopping'))
    else if (entrance.health.spend(exchange.address)) proceed(entrance, exchange, match)
    else fail(entrance, exchange, dialectOf(match), askedTooOften())
    return
  }
  const admission = limiter.admit(exchange.address)
  if (admission instanceof Promise) {
    admission.then(
      (late) => admit(entrance, exchange, match, late),
      (error: unknown) => fail(entrance, exchange, dialectOf(match), error),
    )
  } else admit(entrance, exchange, match, admission)
}

/**
 * Tells whether a request that came behind others of its connection is served. The last one that fits closes the
 * connection after its answer, as HTTP allows. Requests behind it were not looked at, and the caller can see that.
 */
function fitsPipeline(conversation: Conversation, { socket }: Message, response: Answer) {
  if (conversation.pending < PIPELINED_MAX && !conversation.isFull) return true
  if (conversation.isFull) {
    // Node resumes the socket at the end of each request of this packet, and at each answer: what comes then is dropped.
    queueMicrotask(() => {
      socket.removeAllListeners('data')
      socket.pause()
    })
    return false
  }
  conversation.isFull = true
  response.setHeader('Connection', 'close')
  return true
}

/**
 * Ends waiting requests when their connection closes. Node reports the close only to the answer that holds the
 * connection: requests behind it would otherwise never end, be logged or be released.
 */
function endWithConnection(conversation: Conversation, socket: Socket, end: () => void): void {
  let { behind } = conversation
  if (behind === undefined) {
    const those = new Set<() => void>()
    conversation.behind = those
    behind = those
    // The delay of one turn lets the request that holds the connection end first.
    socket.once('close', () =>
      setImmediate(() => {
        for (const each of those) each()
      }),
    )
  }
  behind.add(end)
}

function newExchange(
  { trustProxy, arrivals }: EdgeContext,
  conversation: Conversation,
  message: Message,
  response: Answer,
  match: Match<Route>,
): Exchange {
  const { headers } = message
  const startedMs = performance.now()
  const { answeredMs, heldMs } = conversation
  return {
    message,
    response,
    id: randomUUID(),
    startedMs,
    receivedMs: heldMs ?? Math.max(arrivals.earliestMs(startedMs), answeredMs),
    answeredMs: undefined,
    address: clientAddress(message.socket.remoteAddress ?? '', headers['x-forwarded-for'], trustProxy),
    route: match.kind === 'found' ? match.route.path : NO_ROUTE,
    params: match.kind === 'found' ? match.params : NO_PARAMS,
    admission: undefined,
    operationHeaders: match.kind === 'found' ? match.route.headers : undefined,
    logFields: undefined,
    notes: undefined,
    error: undefined,
    streamError: undefined,
    late: undefined,
    place: undefined,
  }
}

function admit(entrance: EdgeContext, exchange: Exchange, match: Match<Route>, admission: Admission): void {
  exchange.admission = admission
  if (admission.blockedForSeconds === 0) proceed(entrance, exchange, match)
  else fail(entrance, exchange, dialectOf(match), addressBlocked(admission))
}

function dialectOf(match: Match<Route>): Dialect {
  return match.kind === 'found' ? match.route.dialect : 'common'
}

function proceed(options: EdgeOptions, exchange: Exchange, match: Match<Route>): void {
  const trouble = hostProblem(exchange.message)
  // Health is that of the process, at whichever host.
  const isHealth = match.kind === 'found' && match.route.isUnlimited
  const refusal = isHealth ? undefined : exchange.place?.refusal()
  if (trouble !== undefined) fail(options, exchange, dialectOf(match), badRequest(trouble))
  else if (refusal !== undefined) fail(options, exchange, dialectOf(match), refusal)
  else if (match.kind === 'found') match.route.serve(exchange)
  else if (match.kind === 'unmatched' && match.methods.length === 0 && wantsPage(exchange.message)) {
    exchange.error = unmatched(match.methods)
    respond(exchange, exchange.error.status, NOT_FOUND_PAGE.headers, NOT_FOUND_PAGE.body)
  } else {
    fail(
      options,
      exchange,
      'common',
      match.kind === 'unreadable' ? badRequest('The address cannot be read.') : unmatched(match.methods),
    )
  }
}

function finish(options: EdgeOptions, exchange: Exchange): void {
  const { message, response } = exchange
  const method = message.method ?? ''
  const durationMs = performance.now() - exchange.startedMs
  const status = response.headersSent ? response.statusCode : HUNG_UP_STATUS
  options.metrics.observe(method, exchange.route, status, durationMs / 1_000, exchange.id)
  const line: { -readonly [Name in keyof RequestLine]: RequestLine[Name] } = {
    request_id: exchange.id,
    method,
    route: exchange.route,
    status,
    duration_ms: Math.round(durationMs * 100) / 100,
    address: exchange.address,
  }
  if (!response.writableFinished) line.hung_up = true
  if (exchange.logFields !== undefined) Object.assign(line, exchange.logFields)
  if (exchange.notes !== undefined) Object.assign(line, exchange.notes)
  if (exchange.error !== undefined) {
    line.error = exchange.error.code
    line.detail = exchange.error.message
  }
  if (exchange.streamError !== undefined) {
    const level = exchange.streamError instanceof RequestError ? 'warn' : 'error'
    options.logger[level]({ request_id: exchange.id, err: exchange.streamError }, 'an answer was cut short')
  }
  // 503 and 504 are intended answers; 500 is never intended.
  options.requestLog.write(status === 500 ? 'error' : status > 500 ? 'warn' : 'info', line)
  const claimed = exchange.error?.claimed
  const onAnswered = exchange.place?.onAnswered ?? options.onAnswered
  onAnswered?.(claimed === undefined ? line : { ...line, ...claimed }, exchange.error)
}

/** Answers with an error, unless an answer was already sent. */
function fail(options: EdgeOptions, exchange: Exchange, dialect: Dialect, cause: unknown): void {
  if (exchange.response.headersSent) return
  const error = asRequestError(cause, exchange, options.logger)
  exchange.error = error
  const rendered = renderError(dialect, error)
  if (!exchange.message.complete) closeLater(exchange, rendered.headers)
  respond(exchange, rendered.status, rendered.headers, rendered.body)
}
