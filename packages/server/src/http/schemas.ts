import type { TProperties, TSchema } from 'typebox'
import { Type } from 'typebox'
import { Check } from 'typebox/value'
import type { Operation } from './operation.ts'
import { anyone } from './operation.ts'
import { PARAMETER_LENGTH_MAX } from './router.ts'

/** Describes one of these words. */
export function enumOf<const Word extends string>(words: readonly Word[], description?: string) {
  return Type.Unsafe<Word>(
    Type.Union(
      words.map((word) => Type.Literal(word)),
      described(description),
    ),
  )
}

export function orNull<S extends TSchema>(schema: S, description?: string) {
  return Type.Union([schema, Type.Null()], described(description))
}

function described(description: string | undefined) {
  return description === undefined ? {} : { description }
}

const Fields = Type.Record(Type.String(), Type.Array(Type.String()), {
  description: 'Mistakes by field; empty when no field is at fault',
})

/** Body of validation failures, unknown objects and every error that is not about the caller's identity. */
export const MessageErrors = Type.Object({ message: Type.String(), errors: Fields }, { title: 'Problem' })

/** Body of every error in the dialect `coded`. */
export const CodedErrors = Type.Object(
  { error: Type.String({ description: 'Stable code' }), message: Type.String(), errors: Fields },
  { title: 'Coded problem' },
)

export const Unauthorized = Type.Object(
  {
    error: Type.String({ description: 'Stable code, such as invalid_signature' }),
    message: Type.String(),
    metadata: Type.Object({ status_code: Type.Literal(401) }),
    debug: Type.Optional(
      Type.Object(
        {
          canonical_string: Type.String({ description: 'As the server built it' }),
          body_hash: Type.String({ description: 'As the server built it' }),
          hint: Type.Optional(Type.String({ description: 'The mistake, where it is a usual one' })),
        },
        { description: 'Staging only, on invalid_signature' },
      ),
    ),
  },
  { title: 'Unauthorized' },
)

/** Body of a refusal by the token operations, which has both shapes that the contract shows. */
export const TokenUnauthorized = Type.Object(
  {
    error: Type.String({ description: 'Stable code, such as invalid_credentials' }),
    message: Type.String(),
    metadata: Type.Object({ status_code: Type.Literal(401) }),
    errors: Type.Object({}, { description: 'Always empty' }),
  },
  { title: 'Token refusal', description: 'User name, password or refresh token is not valid' },
)

export const Forbidden = Type.Object(
  { error: Type.String({ description: 'Stable code, such as ip_blocked' }), message: Type.String() },
  { title: 'Forbidden' },
)

const BY_STATUS: Readonly<Record<number, Known>> = {
  400: [MessageErrors, 'The request cannot be read, or a field is missing or wrong'],
  401: [Unauthorized, 'Authentication failed'],
  403: [Forbidden, 'Not allowed: blocked or foreign address, missing scope'],
  404: [MessageErrors, 'Unknown'],
  409: [MessageErrors, 'In conflict with what is there'],
  413: [MessageErrors, 'The body is larger than this operation takes'],
  415: [MessageErrors, 'The content type is not supported'],
  422: [MessageErrors, 'Something that it asks for would be rejected'],
  429: [MessageErrors, 'Too many; see Retry-After'],
  503: [MessageErrors, 'Temporarily unavailable, nothing was done; see Retry-After'],
  504: [MessageErrors, 'No answer within 29 seconds; the outcome is not known'],
}

type Known = readonly [schema: TSchema, description: string]

/**
 * Returns the schemas of the errors that an operation may answer with, for its documentation. They follow from its
 * caller, path, query and body. The edge itself refuses blocked addresses, and queries, names and bodies that it cannot
 * read. What anyone may change is limited, and what anyone may read lies in memory.
 */
export function errorsOf(operation: Operation): Record<number, TSchema> {
  const { authenticate, method, path, schemas, also = [], never = [] } = operation
  const unproven = method === 'GET' ? [] : [429, 503, 504]
  const statuses = new Set([
    403,
    ...(authenticate === anyone ? unproven : [401, 503, 504]),
    ...(path.includes('/:') ? [404] : []),
    ...(schemas.query !== undefined || refusesNames(schemas.params) ? [400] : []),
    ...(schemas.body !== undefined && method !== 'GET' ? [400, 413, 415] : []),
    ...also,
  ])
  for (const status of never) statuses.delete(status)
  return Object.fromEntries([...statuses].map((status) => [status, errorSchema(operation, status)]))
}

function errorSchema({ dialect }: Operation, status: number): TSchema {
  if (dialect === 'token' && status === 401) return TokenUnauthorized
  const known = BY_STATUS[status]
  if (known === undefined) throw new Error(`no documented error for status ${status}`)
  const [schema, description] = known
  return { ...(dialect === 'coded' ? CodedErrors : schema), description }
}

/** Tells whether the edge refuses names of a path for their form. Most schemas leave that to their operation's 404. */
function refusesNames(params: TSchema | undefined): boolean {
  if (params === undefined) return false
  const names = Object.keys((params as TSchema & { properties: object }).properties)
  return !Check(params, Object.fromEntries(names.map((name) => [name, LONG_NAME])))
}

const LONG_NAME = 'x'.repeat(PARAMETER_LENGTH_MAX + 1)

// Shapes that the operations of every API share.

/** Body without unknown members: a misspelt one would change nothing, and the caller would not notice. */
export function bodyOf<P extends TProperties>(title: string, properties: P) {
  return Type.Object(properties, { title, additionalProperties: false })
}

export const Instant = Type.String({ description: 'ISO 8601, UTC' })
