import { Type } from 'typebox'
import { parameter } from '../../../http/parameters.ts'
import { DAYS, Instant, orNull, PAGE, pageOf } from '../access/schemas.ts'
import { REQUEST_RULES } from './request-log.rules.ts'

export const RequestLogParameters = Type.Object({
  ...DAYS,
  failed: parameter(REQUEST_RULES.failed, 'true: only what was refused or went wrong'),
  error: parameter(REQUEST_RULES.error, 'Only this error, such as invalid_signature'),
  ...PAGE,
})

export const RequestLogResponse = pageOf(
  Type.Object(
    {
      id: Type.String(),
      at: Instant,
      request_id: Type.String({ description: 'X-Request-Id of the answer' }),
      method: Type.String(),
      route: Type.String({ description: 'The pattern of the address, without what was sent in it' }),
      status: Type.Integer(),
      duration_ms: Type.Number(),
      address: Type.String(),
      key_id: orNull(Type.String()),
      user_id: orNull(Type.String()),
      error: orNull(Type.String()),
      message: orNull(Type.String({ description: 'As the caller was told' })),
      cause: orNull(Type.String({ description: 'Of an authentication that failed: what usually is wrong' })),
      remedy: orNull(Type.String()),
      skipped: Type.Integer({ description: 'How many before it were not kept: busy accounts are sampled' }),
    },
    { title: 'Logged request' },
  ),
)
