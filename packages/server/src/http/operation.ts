import type { Static, TSchema } from 'typebox'
import type { QueryParameters } from '../lib/input/forms.ts'
import { parseQuery } from '../lib/input/forms.ts'
import type { Dialect } from './dialects.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** What arrived, before anyone has judged it. */
export type IncomingRequest = {
  readonly id: string
  readonly method: string
  /** The part after `?`, exactly as sent; empty when there is none. */
  readonly rawQuery: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
  /** The client's address, proxies already judged. */
  readonly address: string
  /** The earliest at which it can have arrived, on performance.now's clock; left out: now. */
  readonly receivedMs?: number
  /** On performance.now's clock: after it nobody waits for the answer. */
  readonly deadlineMs: number
  /** Whether the caller still waits: has neither hung up nor been told that it took too long. */
  readonly isAwaited?: () => boolean
}

/** Who calls and what of the query was proven to come from them. */
export type Authenticated<Caller> = {
  readonly caller: Caller
  readonly query: QueryParameters
  /** Who called, for the request's log line. */
  readonly logFields?: Readonly<Record<string, string>>
  /** What is left of the proof and needs the database; nothing is done or said before it holds. */
  readonly confirm?: () => Promise<void>
}

export type OperationInput<Caller, Query, Body, Params> = {
  readonly caller: Caller
  readonly query: Query
  readonly params: Params
  readonly body: Body
  readonly request: IncomingRequest
  /** For operations with `ownConfirmation`, which must call it, or do the same in a commit of their own. */
  readonly confirm: () => Promise<void>
}

export type OperationOutput = {
  readonly status: number
  /** An object is sent as JSON; a Buffer, or an async iterable of Buffers piece by piece, with its content type. */
  readonly body: object | Buffer | null
  /** A list is sent as one line for each value. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
}

export type OperationDocs = {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly tag: string
  /** Path of the operation that replaces this one: the answer carries Deprecation and Link. */
  readonly successor?: string
  /** Served, but left out of the OpenAPI document and the reference. */
  readonly hidden?: true
}

export type OperationSchemas = {
  readonly query?: TSchema
  readonly params?: TSchema
  readonly body?: TSchema
  /** Request headers beside those of authentication; documented, not validated. */
  readonly headers?: TSchema
  readonly responses: Readonly<Record<number, TSchema>>
}

type StaticOf<S, Key extends string> = S extends Record<Key, infer T extends TSchema> ? Static<T> : undefined

/** What an operation that reads its body itself takes. */
export type OwnBody = 'json' | 'json_or_form' | 'csv'

export type Authenticate<Caller> = (
  request: IncomingRequest,
) => Authenticated<Caller> | Promise<Authenticated<Caller>>

/**
 * Whether the headers name a caller that exists, before a large body is read for it; throws when they do not. What
 * the caller sent is proven afterwards. `request.body` is empty.
 */
export type Recognize = (
  request: IncomingRequest,
  params: Readonly<Record<string, string>>,
) => void | Promise<void>

/** What an operation takes as a body. */
export type BodyLimits = {
  /** Up to BODY_BYTES_MAX. More than SMALL_BODY_BYTES are read from known callers alone. */
  readonly bytesMax: number
  /** Values in a JSON body, containers included; JSON_VALUES_MAX unless it says otherwise. */
  readonly valuesMax?: number
}

/**
 * One operation of the API: where it is, who may call it, what it reads and answers. `authenticate` is the
 * edge's question to a domain it does not know: whoever it returns is the handler's caller.
 */
export type Operation = {
  readonly method: Method
  readonly path: string
  readonly dialect: Dialect
  readonly docs: OperationDocs
  readonly schemas: OperationSchemas
  readonly authenticate: Authenticate<unknown>
  /** SMALL_BODY_BYTES of JSON_VALUES_MAX values unless it says otherwise. */
  readonly bodyLimits?: BodyLimits
  /** Left out: `authenticate` tells known callers from others, and does not look at the body for it. */
  readonly recognize?: Recognize
  /** HEAD is answered like GET, without the body: for pages and health. */
  readonly answersHead?: true
  /** Reads the body itself, instead of the edge's JSON. */
  readonly ownBody?: OwnBody
  /** Confirms the caller itself, together with what it writes: see `OperationInput.confirm`. */
  readonly ownConfirmation?: true
  readonly handle: (input: OperationInput<never, never, never, never>) => Promise<OperationOutput>
}

/** Checks an operation's types and forgets them again, so that all operations fit in one list. */
export function operation<Caller, const S extends OperationSchemas>(definition: {
  method: Method
  path: string
  dialect: Dialect
  docs: OperationDocs
  schemas: S
  authenticate: Authenticate<Caller>
  bodyLimits?: BodyLimits
  recognize?: Recognize
  answersHead?: true
  ownBody?: OwnBody
  ownConfirmation?: true
  handle: (
    input: OperationInput<Caller, StaticOf<S, 'query'>, StaticOf<S, 'body'>, StaticOf<S, 'params'>>,
  ) => Promise<OperationOutput>
}): Operation {
  return definition as Operation
}

/** For operations that anyone may call: no caller, and the query as it was sent. */
export function anyone(request: IncomingRequest): Authenticated<undefined> {
  return { caller: undefined, query: parseQuery(request.rawQuery) }
}
