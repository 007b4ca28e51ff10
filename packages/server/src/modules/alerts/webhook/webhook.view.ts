import type { Environment } from '../../../config.ts'
import type { AddressOf } from '../../../lib/own-addresses.ts'
import { ruleOf, runbookPathOf } from '../core/kinds.rules.ts'
import type { Alert } from '../core/types.ts'

/** Id of the message, equal in every attempt, so that receivers can drop repeated ones. */
export function alertMessageId({ id }: Pick<Alert, 'id'>): string {
  return `alert_${id}`
}

/** Body of the POST, as docs/alerts.md describes it. */
export function alertMessage(
  alert: Alert,
  { environment, addressOf }: { readonly environment: Environment; readonly addressOf: AddressOf },
): string {
  const rule = ruleOf(alert.kind)
  const runbook = runbookPathOf(alert.kind)
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
      runbook: runbook === undefined ? null : addressOf(runbook),
      raised_at: alert.raisedAt.toISOString(),
      times: Number(alert.times),
      environment,
    },
  })
}
