import { Type } from 'typebox'
import { documentedAs, parameter } from '../../../http/parameters.ts'
import { enumOf, orNull } from '../../../http/schemas.ts'
import { ID } from '../../../lib/input/ids.ts'
import { CANONICAL_PARTS, MISTAKE_CODES } from '../../auth/signing/canonical-comparison.rules.ts'
import { DAYS, dataOf, Instant, PAGE, pageOf } from '../access/schemas.ts'
import { CANONICAL_MAX, CHECK_STATES, REQUEST_RULES } from './request-log.rules.ts'

export const RequestLogParameters = Type.Object({
  ...DAYS,
  failed: parameter(REQUEST_RULES.failed, 'true: only what was refused or went wrong'),
  error: parameter(REQUEST_RULES.error, 'Only this error, such as invalid_signature'),
  ...PAGE,
})

const logged = {
  id: Type.String(),
  at: Instant,
  request_id: Type.String({ description: 'X-Request-Id of the answer' }),
  method: Type.String(),
  route: Type.String({ description: 'The pattern of the address, without what was sent in it' }),
  status: Type.Integer({ description: 'HTTP status of the answer' }),
  duration_ms: Type.Number(),
  address: Type.String(),
  key_id: orNull(Type.String()),
  user_id: orNull(Type.String()),
  error: orNull(Type.String(), 'The error, or the remarks of a payment that was rejected'),
  message: orNull(Type.String(), 'As the caller was told'),
  cause: orNull(
    Type.String(),
    'Usual mistake behind an authentication that failed or a payment that was rejected',
  ),
  remedy: orNull(Type.String()),
  skipped: Type.Integer({ description: 'How many before it were not kept: busy accounts are sampled' }),
  refid: orNull(Type.String(), 'Reference in a request to pay'),
  payment_id: orNull(Type.String(), 'The payment that the answer was about'),
  code: orNull(Type.Integer(), 'statusCode of a payment that was rejected'),
}

export const RequestLogResponse = pageOf(Type.Object(logged, { title: 'Logged request' }))

export const LoggedRequestParams = Type.Object({
  id: documentedAs(ID, Type.String({ description: 'The id of a request in the log' })),
})

export const LoggedRequestResponse = dataOf(
  Type.Object(
    {
      ...logged,
      checks: Type.Array(
        Type.Object({
          number: Type.Integer({ description: 'Its place in the order of checks, from 1' }),
          code: Type.String({ description: 'The error that it ends in' }),
          text: Type.String(),
          state: enumOf(CHECK_STATES),
        }),
        { description: 'All checks of a caller, in their order' },
      ),
      canonical_string: orNull(
        Type.Object({
          text: Type.String({ description: 'The text that was signed' }),
          cut: Type.Boolean({ description: `true: longer than ${CANONICAL_MAX} characters` }),
        }),
        'As the service built it; null: the signature was not what was wrong',
      ),
    },
    { title: 'Logged request details' },
  ),
)

export const ComparisonBody = Type.Object({
  yours: Type.String({
    maxLength: CANONICAL_MAX,
    description: 'The text as your program signed it, printed right before it is signed',
  }),
})

export const ComparisonResponse = dataOf(
  Type.Object(
    {
      equal: Type.Boolean(),
      difference: orNull(
        Type.Object({
          part: enumOf(CANONICAL_PARTS),
          line: Type.Integer({ description: 'In your text, from 1' }),
          column: Type.Integer({ description: 'In its line, from 1' }),
          ours: Type.String({ description: 'The part as the service has it' }),
          yours: orNull(Type.String(), 'null: your text does not have the six parts'),
        }),
        'First place where the texts differ; null: nowhere',
      ),
      mistake: orNull(
        Type.Object({ code: enumOf(MISTAKE_CODES), text: Type.String() }),
        'The usual mistake behind it; null: none of the known ones',
      ),
    },
    { title: 'Canonical comparison' },
  ),
)
