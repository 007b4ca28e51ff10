import { assert, RequestError } from '../lib/errors.ts'
import type { BodyLease, BodyReader, BodyTerms } from './body.ts'
import { BODY_BYTES_MAX, parseJsonBody, refuseEncoded } from './body.ts'
import type { Exchange } from './exchange.ts'
import { SMALL_BODY_BYTES } from './intake/body-budget.ts'
import type { Gate } from './intake/limits.ts'
import type {
  Authenticated,
  IncomingRequest,
  Operation,
  OperationInput,
  OperationOutput,
} from './operation.ts'
import { anyone } from './operation.ts'
import { respond } from './respond.ts'
import type { Validate } from './validation.ts'
import { compileValidation } from './validation.ts'

type Prepared = { operation: Operation; query: Validate; params: Validate; body: Validate }

export type ServeOptions = {
  bodies: BodyReader
  requestTimeoutMs: number
  /** Limit of concurrent requests; undefined when load never refuses the operation. */
  gate: Gate | undefined
  /** Answers with an error, unless an answer was already sent. */
  fail: (exchange: Exchange, error: unknown) => void
}

/**
 * Prepares an operation for the edge: body, caller, validation, answer, all within one deadline. A result after the
 * deadline is thrown away: the caller has already received 504.
 */
export function prepareOperation(operation: Operation, options: ServeOptions): (exchange: Exchange) => void {
  const prepared: Prepared = {
    operation,
    query: compileValidation(operation.schemas.query),
    params: compileValidation(operation.schemas.params),
    body: compileValidation(operation.schemas.body),
  }
  const terms = bodyTerms(operation, options)
  const { bodies, requestTimeoutMs, fail } = options

  return function serve(exchange) {
    const giveUp = bodies.read(exchange, terms, (read) => {
      if (read instanceof Error) {
        fail(exchange, read)
        return
      }
      exchange.late = () => fail(exchange, timedOut(requestTimeoutMs))
      answer(prepared, exchange, read, options)
        .then((output) => respond(exchange, output.status, output.headers, output.body))
        .catch((error: unknown) => fail(exchange, error))
    })
    if (giveUp !== undefined) exchange.late = giveUp
  }
}

/** Returns the limits of an operation's bodies, and how its callers are recognized. */
function bodyTerms(operation: Operation, options: ServeOptions): BodyTerms {
  const { authenticate, recognize, method, path } = operation
  const { bytesMax } = operation.bodyLimits ?? { bytesMax: SMALL_BODY_BYTES }
  assert(bytesMax <= BODY_BYTES_MAX, `${method} ${path} takes bodies of up to ${BODY_BYTES_MAX} bytes`)
  assert(
    bytesMax <= SMALL_BODY_BYTES || recognize !== undefined || authenticate !== anyone,
    `${method} ${path} says whose large bodies it reads`,
  )
  return {
    bytesMax,
    // Recognizing a caller may need the database, so it takes a place at the gate like any other work.
    async recognize(exchange) {
      options.gate?.enter(exchange.address)
      try {
        const incoming = incomingOf(operation, exchange, NO_BODY, options)
        await (recognize === undefined ? authenticate(incoming) : recognize(incoming, exchange.params))
      } finally {
        options.gate?.leave(exchange.address)
      }
    },
  }
}

const NO_BODY = Buffer.alloc(0)

function incomingOf(
  operation: Operation,
  exchange: Exchange,
  body: Buffer,
  { requestTimeoutMs }: ServeOptions,
): IncomingRequest {
  const { id, message, response, address, receivedMs, params } = exchange
  return {
    id,
    method: operation.method,
    rawQuery: rawQueryOf(message.url ?? ''),
    headers: message.headers,
    params,
    body,
    address,
    receivedMs,
    deadlineMs: receivedMs + requestTimeoutMs,
    isAwaited: () => !response.headersSent && !message.socket.destroyed && !message.socket.readableEnded,
    note: (names) => {
      exchange.notes ??= {}
      Object.assign(exchange.notes, names)
    },
  }
}

async function answer(
  prepared: Prepared,
  exchange: Exchange,
  lease: BodyLease,
  options: ServeOptions,
): Promise<OperationOutput> {
  const { operation } = prepared
  // The place at the gate is taken once the body is here, so that slow senders hold connections and not places. It is
  // given back when the work has ended, not when the caller was answered or hung up.
  try {
    options.gate?.enter(exchange.address)
  } catch (error) {
    lease.release()
    throw error
  }
  try {
    const incoming = incomingOf(operation, exchange, lease.bytes, options)
    const identified = operation.authenticate(incoming)
    const authenticated = identified instanceof Promise ? await identified : identified
    exchange.logFields = authenticated.logFields
    if (authenticated.headers !== undefined) exchange.operationHeaders = authenticated.headers
    const { confirm } = authenticated
    if (confirm === undefined || operation.ownConfirmation) {
      return await handle(prepared, exchange, incoming, authenticated)
    }
    if (operation.method !== 'GET') {
      await confirm()
      return await handle(prepared, exchange, incoming, authenticated)
    }
    // A read changes nothing, so it need not wait for the proof; its answer does.
    const confirmed = confirm()
    const output = handleLater(prepared, exchange, incoming, authenticated)
    output.catch(ignore)
    await confirmed
    return await output
  } finally {
    options.gate?.leave(exchange.address)
    lease.release()
  }
}

/** Handles a read. A refusal of its input is a rejected promise too: a nonce that was spent before is refused first. */
function handleLater(...given: Parameters<typeof handle>): Promise<OperationOutput> {
  try {
    return handle(...given)
  } catch (error) {
    return Promise.reject(error)
  }
}

function ignore(): void {}

/** Throws when the input is refused. It is not `async`: its promise is the operation's own, on every request. */
function handle(
  prepared: Prepared,
  { params }: Exchange,
  incoming: IncomingRequest,
  { caller, query, confirm = confirmed }: Authenticated<unknown>,
): Promise<OperationOutput> {
  prepared.params(params)
  prepared.query(query)
  const body = readBody(prepared, incoming)
  const input = { caller, query, params, body, request: incoming, confirm }
  return prepared.operation.handle(input as OperationInput<never, never, never, never>)
}

function confirmed(): Promise<void> {
  return Promise.resolve()
}

/** Parses the body where the operation declares one; on GET a body is never parsed. */
function readBody(prepared: Prepared, incoming: IncomingRequest): unknown {
  const { operation } = prepared
  if (operation.schemas.body === undefined || operation.method === 'GET') return undefined
  refuseEncoded(incoming.headers['content-encoding'])
  if (operation.ownBody) return undefined
  const contentType = incoming.headers['content-type']
  const body = parseJsonBody(
    Array.isArray(contentType) ? contentType[0] : contentType,
    incoming.body,
    operation.bodyLimits?.valuesMax,
  )
  prepared.body(body ?? {})
  return body ?? {}
}

function rawQueryOf(url: string): string {
  const at = url.indexOf('?')
  return at < 0 ? '' : url.slice(at + 1)
}

function timedOut(timeoutMs: number): RequestError {
  return new RequestError({
    status: 504,
    code: 'timeout',
    publicText: 'The request took too long. Its outcome is not known; ask again.',
    internalText: `no answer within ${timeoutMs} ms`,
  })
}

/** Returns the headers of every answer of an operation, errors included. */
export function headersOf(operation: Operation): Readonly<Record<string, string>> | undefined {
  const { successor } = operation.docs
  if (successor === undefined) return operation.headers
  const link = `<${successor}>; rel="successor-version"`
  return { ...operation.headers, Deprecation: 'true', Link: link }
}
