import { Type } from 'typebox'
import { resource } from '../../../http/codec.ts'
import { enumOf, Instant, orNull } from '../../../http/schemas.ts'
import { runbookPathOf } from './kinds.rules.ts'
import type { Alert } from './types.ts'
import { SEVERITIES } from './types.ts'

export const ALERT = resource<Alert>()('Alert', {
  id: [Type.String(), ({ id }) => String(id)],
  kind: [Type.String(), ({ kind }) => kind],
  subject: [
    Type.String({ description: 'Subject: a payment’s id, a provider’s code' }),
    ({ subject }) => subject,
  ],
  text: [Type.String(), ({ text }) => text],
  severity: [enumOf(SEVERITIES), ({ severity }) => severity],
  raised_at: [Instant, ({ raisedAt }) => raisedAt.toISOString()],
  last_seen_at: [Instant, ({ lastSeenAt }) => lastSeenAt.toISOString()],
  times: [Type.String({ description: 'How often it was seen' }), ({ times }) => String(times)],
  cleared_at: [orNull(Instant), ({ clearedAt }) => clearedAt?.toISOString() ?? null],
  runbook: [
    orNull(Type.String(), 'Path of its runbook on this service; null: the kind is not known any more'),
    ({ kind }) => runbookPathOf(kind) ?? null,
  ],
})
