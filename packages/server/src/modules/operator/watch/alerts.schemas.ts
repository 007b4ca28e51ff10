import { Type } from 'typebox'
import { parameter } from '../../../http/parameters.ts'
import { enumOf, orNull } from '../../../http/schemas.ts'
import { SEVERITIES } from '../../alerts/alert/types.ts'
import { bodyOf, dataOf, Id, Instant, listOf, Reason } from '../console/schemas.ts'
import { LIST_RULES } from './alerts.service.ts'

export const Alert = Type.Object(
  {
    id: Type.String(),
    kind: Type.String(),
    subject: Type.String({ description: 'Subject: a payment’s id, a provider’s code' }),
    text: Type.String(),
    severity: enumOf(SEVERITIES),
    raised_at: Instant,
    last_seen_at: Instant,
    times: Type.String({ description: 'How often it was seen' }),
    cleared_at: orNull(Instant),
    runbook: orNull(
      Type.String(),
      'Path of its runbook on this service; null: the kind is not known any more',
    ),
  },
  { title: 'Alert' },
)

export const AlertListParameters = Type.Object({
  limit: parameter(LIST_RULES.limit, 'Alerts of the list'),
  with_cleared: parameter(LIST_RULES.withCleared, 'true: also those that were seen to'),
})
export const AlertParameters = Type.Object({ id: Id })
export const AlertListResponse = listOf(Alert)
export const AlertResponse = dataOf(Alert)
export const ClearAlertBody = bodyOf('Reason request', { reason: Reason })
