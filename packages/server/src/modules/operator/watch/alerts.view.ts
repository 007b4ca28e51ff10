import { runbookPathOf } from '../../alerts/alert/kinds.rules.ts'
import type { Alert } from '../../alerts/alert/types.ts'

export function alertView(alert: Alert) {
  return {
    id: String(alert.id),
    kind: alert.kind,
    subject: alert.subject,
    text: alert.text,
    severity: alert.severity,
    raised_at: alert.raisedAt.toISOString(),
    last_seen_at: alert.lastSeenAt.toISOString(),
    times: String(alert.times),
    cleared_at: alert.clearedAt?.toISOString() ?? null,
    runbook: runbookPathOf(alert.kind) ?? null,
  }
}
