import type { Static, TSchema } from 'typebox'
import type { ErrorStatus } from '../lib/errors.ts'
import type { QueryParameters } from '../lib/input/forms.ts'
import { parseQuery } from '../lib/input/forms.ts'
import type { Dialect } from './dialects.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Request as it arrived, before any check. */
export type IncomingRequest = {
  readonly id: string
  readonly method: string
  /** Part after `?`, exactly as sent; empty when there is none. */
  readonly rawQuery: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** Parameters of the path, not yet validated; left out: the path has none. */
  readonly params?: Readonly<Record<string, string>>
  readonly body: Buffer
  /** Client's address, with trusted proxies already resolved. */
  readonly address: string
  /** Earliest possible arrival, on performance.now's clock; now when left out. */
  readonly receivedMs?: number
  /** Time after which the answer is no longer awaited, on performance.now's clock. */
  readonly deadlineMs: number
  /** Tells whether the caller still waits: it has not hung up and has not received an answer (such as a timeout). */
  readonly isAwaited?: () => boolean
  /** Notes names for the log line of the request, such as the payment that it is about; never a secret. */
  readonly note?: (names: Readonly<Record<string, string>>) => void
}

/** Proven caller, and the part of the query that was proven to come from it. */
export type Authenticated<Caller> = {
  readonly caller: Caller
  readonly query: QueryParameters
  /** Identity of the caller, for the request's log line. */
  readonly logFields?: Readonly<Record<string, string>>
  /** Headers that replace the operation's own in every later answer, errors included. */
  readonly headers?: Readonly<Record<string, string>>
  /** Rest of the proof, which needs the database; nothing is done or answered before it holds. */
  readonly confirm?: () => Promise<void>
}

export type OperationInput<Caller, Query, Body, Params> = {
  readonly caller: Caller
  readonly query: Query
  readonly params: Params
  readonly body: Body
  readonly request: IncomingRequest
  /** Called by operations with `ownConfirmation`. They must call it, or do the same in a commit of their own. */
  readonly confirm: () => Promise<void>
}

/** Body that is sent as it is, or piece by piece. It needs its content type in the headers. */
export type Encoded = Buffer | AsyncIterable<Buffer>

/** Answer with this body: an object is sent as JSON. */
export type Answer<Body, Status extends number = 200> = {
  readonly status: Status
  readonly body: Body
  /** Headers by name; a list is sent as one line for each value. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
}

export type OperationOutput = Answer<object | null, number>

/** Answer with a file, or with nothing to a caller who has it already. */
export type FileOutput = Answer<Buffer> | Answer<Buffer | null, 304>

export type OperationDocs = {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly tag: string
  /** Path of the operation that replaces this one: the answer carries Deprecation and Link. */
  readonly successor?: string
  /** Hides the operation, which is still served, from the OpenAPI document and the reference. */
  readonly hidden?: true
}

export type OperationSchemas = {
  readonly query?: TSchema
  readonly params?: TSchema
  readonly body?: TSchema
  /** Request headers beside those of authentication; documented, not validated. */
  readonly headers?: TSchema
  /** Answers by status. Errors of the usual shape are no part of it: see `errorsOf`. */
  readonly responses: Readonly<Record<number, TSchema>>
}

type StaticOf<S, Key extends string> = S extends Record<Key, infer T extends TSchema> ? Static<T> : undefined

/** Value of a schema. Lists of an answer are only read. */
type Frozen<T> = unknown extends T ? T : { readonly [K in keyof T]: Frozen<T[K]> }

/** Value that an answer of this schema shows. */
export type Shown<S extends TSchema> = Frozen<Static<S>>

type BodyOf<S> = S extends TSchema ? Encoded | Exclude<Frozen<Static<S>>, string> : never

/** Members of an answer, at any depth, that its schema does not have. A schema without members takes any. */
type UnknownMember<Given, Shape> = unknown extends Shape
  ? never
  : Given extends Encoded | string | number | boolean | null | undefined
    ? never
    : Given extends readonly (infer Item)[]
      ? UnknownMember<Item, ItemOf<Shape>>
      : [KeyOf<Shape>] extends [never]
        ? never
        : { [K in keyof Given]-?: UnknownAt<Given[K], Shape, K> }[keyof Given]

type UnknownAt<Given, Shape, K> = [Given] extends [undefined]
  ? never
  : K extends KeyOf<Shape>
    ? UnknownMember<Given, MemberOf<Shape, K>>
    : K

type ItemOf<T> = T extends readonly (infer Item)[] ? Item : never
type KeyOf<T> = T extends unknown ? keyof T : never
type MemberOf<T, K> = T extends unknown ? (K extends keyof T ? T[K] : never) : never

/** Refuses an answer with a member that its schema does not have: the compiler names the member. */
type Exact<Output, Described> = [UnknownOf<Output, Described>] extends [never]
  ? unknown
  : { readonly unknownMember: UnknownOf<Output, Described> }

type UnknownOf<Output, Described> =
  Output extends Answer<infer Body, infer Status>
    ? UnknownMember<
        Body,
        Extract<Described, { readonly status: Status }> extends Answer<infer Shape, number> ? Shape : never
      >
    : never

/** Answers that an operation's schemas describe, by status. */
export type OutputOf<R> = { [K in keyof R & number]: Answer<BodyOf<R[K]>, K> }[keyof R & number]

/** Body type of an operation that reads its body itself. */
export type OwnBody = 'json' | 'json_or_form' | 'csv'

export type Authenticate<Caller> = (
  request: IncomingRequest,
) => Authenticated<Caller> | Promise<Authenticated<Caller>>

/**
 * Checks that the headers name an existing caller, before a large body is read for it; throws when they do not. The
 * caller's request is proven afterwards. `request.body` is empty.
 */
export type Recognize = (
  request: IncomingRequest,
  params: Readonly<Record<string, string>>,
) => void | Promise<void>

/** Limits of an operation's body. */
export type BodyLimits = {
  /** Limit up to BODY_BYTES_MAX. Bodies over SMALL_BODY_BYTES are read only from known callers. */
  readonly bytesMax: number
  /** Limit of values in a JSON body, containers included; default JSON_VALUES_MAX. */
  readonly valuesMax?: number
}

/**
 * Operation of the API: its path, its callers, what it reads and what it answers. `authenticate` lets the edge ask a
 * domain that it does not know: the caller it returns is the handler's caller.
 */
export type Operation = {
  readonly method: Method
  readonly path: string
  readonly dialect: Dialect
  readonly docs: OperationDocs
  readonly schemas: OperationSchemas
  /** Errors beside those that follow from the operation's caller, path, query and body: see `errorsOf`. */
  readonly also?: readonly ErrorStatus[]
  /** Errors that would follow, and that the operation never answers with. */
  readonly never?: readonly ErrorStatus[]
  readonly authenticate: Authenticate<unknown>
  /** Limits of the body; default SMALL_BODY_BYTES and JSON_VALUES_MAX. */
  readonly bodyLimits?: BodyLimits
  /** Recognizes callers. When left out, `authenticate` does it, and then does not look at the body for it. */
  readonly recognize?: Recognize
  /** Answers HEAD like GET, without the body: for pages and health. */
  readonly answersHead?: true
  /** Headers of every answer, errors included, until the caller's own replace them: see `Authenticated.headers`. */
  readonly headers?: Readonly<Record<string, string>>
  /** Answers the preflight of browsers, for pages of other origins. `authenticate` judges the origin. */
  readonly isCrossOrigin?: true
  /** Reads the body itself, instead of the edge's JSON. */
  readonly ownBody?: OwnBody
  /** Confirms the caller itself, together with what it writes: see `OperationInput.confirm`. */
  readonly ownConfirmation?: true
  readonly handle: (input: OperationInput<never, never, never, never>) => Promise<OperationOutput>
}

/** Checks an operation's types and then drops them, so that all operations fit in one list. */
export function operation<
  Caller,
  const S extends OperationSchemas,
  const Output extends OutputOf<S['responses']>,
>(
  definition: {
    method: Method
    path: string
    dialect?: Dialect
    docs: OperationDocs
    schemas: S
    also?: readonly ErrorStatus[]
    never?: readonly ErrorStatus[]
    authenticate: Authenticate<Caller>
    bodyLimits?: BodyLimits
    recognize?: Recognize
    answersHead?: true
    headers?: Readonly<Record<string, string>>
    isCrossOrigin?: true
    ownBody?: OwnBody
    ownConfirmation?: true
    handle: (
      input: OperationInput<Caller, StaticOf<S, 'query'>, StaticOf<S, 'body'>, StaticOf<S, 'params'>>,
    ) => Promise<Output>
  } & Exact<Output, OutputOf<S['responses']>>,
): Operation {
  return { dialect: 'common', ...definition } as Operation
}

/** Authenticates operations that anyone may call: no caller, and the query as it was sent. */
export function anyone(request: IncomingRequest): Authenticated<undefined> {
  return { caller: undefined, query: parseQuery(request.rawQuery) }
}
