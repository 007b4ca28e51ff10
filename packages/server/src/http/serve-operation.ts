import type { FastifyReply, FastifyRequest } from 'fastify'
import { RequestError } from '../lib/errors.ts'
import type { BodyLease, BodyReader } from './body.ts'
import { parseJsonBody } from './body.ts'
import type { Gate } from './limits.ts'
import type { IncomingRequest, Operation, OperationInput, OperationOutput } from './operation.ts'
import type { Validate } from './validation.ts'
import { compileValidation } from './validation.ts'

type Prepared = { operation: Operation; query: Validate; params: Validate; body: Validate }

export type ServeOptions = {
  bodies: BodyReader
  requestTimeoutMs: number
  /** undefined: the operation is never turned away for load. */
  gate: Gate | undefined
}

/** An operation as a Fastify handler: body, caller, validation, answer, all within one deadline. */
export function prepareOperation(operation: Operation, options: ServeOptions) {
  const prepared: Prepared = {
    operation,
    query: compileValidation(operation.schemas.query),
    params: compileValidation(operation.schemas.params),
    body: compileValidation(operation.schemas.body),
  }
  const fixedHeaders = deprecationHeaders(operation)

  return async function serve(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    if (fixedHeaders !== undefined) reply.headers(fixedHeaders)
    const deadlineMs = request.exchange.startedMs + options.requestTimeoutMs
    const lease = await options.bodies.read(request.raw, deadlineMs)
    const output = await withinDeadline(options.requestTimeoutMs, deadlineMs, () =>
      answer(prepared, request, lease, options, deadlineMs),
    )
    if (output.headers !== undefined) reply.headers(output.headers)
    return reply.code(output.status).send(output.body ?? undefined)
  }
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
    const { caller, query, logFields } = await operation.authenticate(incoming)
    request.exchange.logFields = logFields
    prepared.params(request.params)
    prepared.query(query)
    const body = readBody(prepared, incoming)
    const input = { caller, query, params: request.params, body, request: incoming }
    return await operation.handle(input as OperationInput<never, never, never, never>)
  } finally {
    options.gate?.leave()
    lease.release()
  }
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

/** What comes after the deadline is thrown away: the caller has been told 504, and may not be told twice. */
function withinDeadline<T>(timeoutMs: number, deadlineMs: number, work: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(timedOut(timeoutMs)), deadlineMs - performance.now())
    work().then(
      (value) => {
        clearTimeout(timer)
        resolve(value)
      },
      (error) => {
        clearTimeout(timer)
        reject(error)
      },
    )
  })
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
