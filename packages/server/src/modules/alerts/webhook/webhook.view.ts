import type { Environment } from '../../../config.ts'
import { ruleOf } from '../alert/kinds.rules.ts'
import type { Alert } from '../alert/types.ts'

/** Id of the message, equal in every attempt, so that receivers can drop repeated ones. */
export function alertMessageId({ id }: Pick<Alert, 'id'>): string {
  return `alert_${id}`
}

/** Body of the POST, as docs/alerts.md describes it. */
export function alertMessage(alert: Alert, environment: Environment): string {
  const rule = ruleOf(alert.kind)
  return JSON.stringify({
    type: 'alert.raised',
    timestamp: alert.raisedAt.toISOString(),
    data: {
      id: String(alert.id),
      kind: alert.kind,
      severity: alert.severity,
      subject: alert.subject,
      text: alert.text,
      meaning: rule?.meaning ?? null,
      remedy: rule?.remedy ?? null,
      raised_at: alert.raisedAt.toISOString(),
      times: Number(alert.times),
      environment,
    },
  })
}
