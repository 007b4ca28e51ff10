import { Type } from 'typebox'
import { SEVERITIES } from '../../alerts/alert/types.ts'
import { bodyOf, dataOf, enumOf, Instant, listOf, orNull, Reason } from '../console/schemas.ts'

const Alert = Type.Object(
  {
    id: Type.String(),
    kind: Type.String(),
    subject: Type.String({ description: 'What it is about: a payment’s id, a provider’s code' }),
    text: Type.String(),
    severity: enumOf(SEVERITIES),
    raised_at: Instant,
    last_seen_at: Instant,
    times: Type.String({ description: 'How often it was seen' }),
    cleared_at: orNull(Instant),
  },
  { title: 'Alert' },
)

export const AlertListParameters = Type.Object({
  limit: Type.Optional(Type.String({ description: '1 to 1000, 100 when left out' })),
  with_cleared: Type.Optional(Type.String({ description: 'true: also those that were seen to' })),
})
export const AlertParameters = Type.Object({ id: Type.String() })
export const AlertListResponse = listOf(Alert)
export const AlertResponse = dataOf(Alert)
export const ClearAlertBody = bodyOf('Reason request', { reason: Reason })
