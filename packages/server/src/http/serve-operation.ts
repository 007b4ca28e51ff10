import type { FastifyReply, FastifyRequest } from 'fastify'
import { RequestError } from '../lib/errors.ts'
import type { BodyLease, BodyReader } from './body.ts'
import { parseJsonBody } from './body.ts'
import type { Gate } from './limits.ts'
import type {
  Authenticated,
  IncomingRequest,
  Operation,
  OperationInput,
  OperationOutput,
} from './operation.ts'
import { respond } from './respond.ts'
import type { Validate } from './validation.ts'
import { compileValidation } from './validation.ts'

type Prepared = { operation: Operation; query: Validate; params: Validate; body: Validate }

export type ServeOptions = {
  bodies: BodyReader
  requestTimeoutMs: number
  /** undefined: the operation is never turned away for load. */
  gate: Gate | undefined
}

/**
 * An operation as a Fastify handler: body, caller, validation, answer, all within one deadline. Answers through
 * `reply` instead of a promise of its own: this is every request's path, and each layer of promises shows.
 */
export function prepareOperation(operation: Operation, options: ServeOptions) {
  const prepared: Prepared = {
    operation,
    query: compileValidation(operation.schemas.query),
    params: compileValidation(operation.schemas.params),
    body: compileValidation(operation.schemas.body),
  }
  const operationHeaders = deprecationHeaders(operation)

  return function serve(request: FastifyRequest, reply: FastifyReply): void {
    request.exchange.operationHeaders = operationHeaders
    const deadlineMs = request.exchange.startedMs + options.requestTimeoutMs
    const lease = options.bodies.read(request.raw, deadlineMs)
    const begin = (body: BodyLease) => answerWithin(prepared, request, reply, body, options, deadlineMs)
    if (lease instanceof Promise) lease.then(begin, (error) => reply.send(error))
    else begin(lease)
  }
}

/** What comes after the deadline is thrown away: the caller has been told 504, and may not be told twice. */
function answerWithin(
  prepared: Prepared,
  request: FastifyRequest,
  reply: FastifyReply,
  lease: BodyLease,
  options: ServeOptions,
  deadlineMs: number,
): void {
  let isTold = false
  const timer = setTimeout(() => refuse(timedOut(options.requestTimeoutMs)), deadlineMs - performance.now())
  const isFirst = (): boolean => {
    if (isTold) return false
    isTold = true
    clearTimeout(timer)
    return true
  }
  const refuse = (error: unknown): void => {
    if (isFirst()) reply.send(error)
  }
  answer(prepared, request, lease, options, deadlineMs).then((output) => {
    if (isFirst()) respond(reply, output.status, output.headers, output.body)
  }, refuse)
}

async function answer(
  prepared: Prepared,
  request: FastifyRequest,
  lease: BodyLease,
  options: ServeOptions,
  deadlineMs: number,
): Promise<OperationOutput> {
  const { operation } = prepared
  // A place at the gate is taken once the body is here, so that slow senders hold connections, not places,
  // and given back when the work has ended, not when the caller was answered or hung up.
  try {
    options.gate?.enter()
  } catch (error) {
    lease.release()
    throw error
  }
  try {
    const incoming: IncomingRequest = {
      id: request.id,
      method: request.method,
      rawQuery: rawQueryOf(request.url),
      headers: request.headers,
      body: lease.bytes,
      address: request.exchange.address,
      deadlineMs,
    }
    const identified = operation.authenticate(incoming)
    const authenticated = identified instanceof Promise ? await identified : identified
    request.exchange.logFields = authenticated.logFields
    const { confirm } = authenticated
    if (confirm === undefined || operation.ownConfirmation) {
      return await handle(prepared, request, incoming, authenticated)
    }
    if (operation.method !== 'GET') {
      await confirm()
      return await handle(prepared, request, incoming, authenticated)
    }
    // A read changes nothing, so it need not wait for the proof; its result does.
    const confirmed = confirm()
    const output = handle(prepared, request, incoming, authenticated)
    output.catch(() => {})
    await confirmed
    return await output
  } finally {
    options.gate?.leave()
    lease.release()
  }
}

async function handle(
  prepared: Prepared,
  request: FastifyRequest,
  incoming: IncomingRequest,
  { caller, query, confirm = confirmed }: Authenticated<unknown>,
): Promise<OperationOutput> {
  prepared.params(request.params)
  prepared.query(query)
  const body = readBody(prepared, incoming)
  const input = { caller, query, params: request.params, body, request: incoming, confirm }
  return prepared.operation.handle(input as OperationInput<never, never, never, never>)
}

function confirmed(): Promise<void> {
  return Promise.resolve()
}

/** On GET and DELETE a body is never parsed; elsewhere only operations that declare one have it read. */
function readBody(prepared: Prepared, incoming: IncomingRequest): unknown {
  const { operation } = prepared
  if (operation.ownBody || operation.schemas.body === undefined) return undefined
  if (operation.method === 'GET' || operation.method === 'DELETE') return undefined
  const contentType = incoming.headers['content-type']
  const body = parseJsonBody(Array.isArray(contentType) ? contentType[0] : contentType, incoming.body)
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

function deprecationHeaders(operation: Operation): Record<string, string> | undefined {
  const { successor } = operation.docs
  if (successor === undefined) return undefined
  return { Deprecation: 'true', Link: `<${successor}>; rel="successor-version"` }
}
