import type { TSchema } from 'typebox'
import { Type } from 'typebox'

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

/** Returns the schemas of errors that an operation may answer with, for its documentation. */
export function errorResponses(...statuses: number[]): Record<number, TSchema> {
  return describedErrors(statuses, ([schema]) => schema)
}

/** Returns such schemas for an operation in the dialect `coded`. */
export function codedResponses(...statuses: number[]): Record<number, TSchema> {
  return describedErrors(statuses, () => CodedErrors)
}

type Known = readonly [schema: TSchema, description: string]

function describedErrors(statuses: readonly number[], schemaOf: (known: Known) => TSchema) {
  const responses: Record<number, TSchema> = {}
  for (const status of statuses) {
    const known = BY_STATUS[status]
    if (known === undefined) throw new Error(`no documented error for status ${status}`)
    responses[status] = { ...schemaOf(known), description: known[1] }
  }
  return responses
}
