import { Type } from 'typebox'
import { documentedAs, parameter } from '../../../http/parameters.ts'
import { FLAG, optional } from '../../../lib/input/parameters.ts'
import { NOTICE_FIELDS } from '../../network/notices.service.ts'
import { NOTICE_TARGETS } from '../../network/types.ts'
import { bodyOf, dataOf, enumOf, Id, Instant, listOf, orNull, Reason } from '../console/schemas.ts'

const Notice = Type.Object(
  {
    id: Type.String(),
    state: enumOf(['scheduled', 'in_force', 'over']),
    target: enumOf(NOTICE_TARGETS),
    code: Type.String(),
    message: Type.String(),
    stops_payments: Type.Boolean({ description: 'New payments are refused meanwhile' }),
    starts_at: Instant,
    ends_at: orNull(Instant),
    ended_at: orNull(Instant),
    created_by: Type.String(),
    created_at: Instant,
  },
  { title: 'Network notice' },
)

export const NoticeListParameters = Type.Object({
  all: parameter(optional(FLAG, false), 'true: also those that are over'),
})
export const NoticeListResponse = listOf(Notice)
export const NoticeParameters = Type.Object({ id: Id })
export const NoticeResponse = dataOf(Notice)

export const NewNoticeBody = bodyOf('New notice request', {
  target: enumOf(NOTICE_TARGETS),
  code: documentedAs(
    NOTICE_FIELDS.code,
    Type.String({ description: 'Code of the product, the category or the provider' }),
  ),
  message: documentedAs(NOTICE_FIELDS.message, Type.String({ description: 'The message' })),
  starts_at: Type.Optional(
    documentedAs(NOTICE_FIELDS.starts, Type.String({ description: 'With its zone; left out: now' })),
  ),
  ends_at: Type.Optional(
    documentedAs(
      NOTICE_FIELDS.ends,
      Type.String({ description: 'With its zone; left out: until somebody ends it' }),
    ),
  ),
  stops_payments: Type.Optional(Type.Boolean()),
  reason: Reason,
})

export const EndNoticeBody = bodyOf('Reason request', { reason: Reason })
