import type { Environment } from '../../../config.ts'
import type { Database } from '../../../db/database.ts'
import type { LeaseClock } from '../../../db/lease-clock.ts'
import { claimLeased } from '../../../db/leases.ts'
import type { WorkedThrough } from '../../../lib/batches.ts'
import { workThrough } from '../../../lib/batches.ts'
import { oneLine } from '../../../lib/mail-addresses.ts'
import type { AddressOf } from '../../../lib/own-addresses.ts'
import type { Outbound } from '../../../outbound/types.ts'
import { ruleOf, runbookPathOf } from '../core/kinds.rules.ts'
import type { Alerts } from '../core/service.ts'
import type { Alert } from '../core/types.ts'
import { retryAfterMs } from '../mail/mail.rules.ts'
import type { ClaimedAlert } from './webhook.sql.ts'
import { claimAlerts, markPosted, postponePost, releasePost } from './webhook.sql.ts'

/** Signs one message like the other webhooks: its id, the time of the attempt, its body. */
export type MessageSigner = (
  id: string,
  timestampSeconds: number,
  payload: string,
) => Readonly<Record<string, string>>

export type AlertWebhook = {
  readonly database: Database
  readonly environment: Environment
  /** Turns the path of a runbook into its address. */
  readonly addressOf: AddressOf
  readonly outbound: Pick<Outbound, 'send'>
  readonly url: string
  readonly sign: MessageSigner
  readonly alerts: Pick<Alerts, 'raise' | 'clear'>
  /** Time for which a node has claimed an alert. The attempt ends well before. */
  readonly leaseMs: number
  readonly leaseClock: LeaseClock
}

/** Number of alerts sent at the same time. The same number is claimed, so that none waits while its lease runs. */
const CONCURRENT = 4
const ATTEMPT_MS_MAX = 10_000
/** Part of the lease for the attempt. The rest is for recording its result. */
const ATTEMPT_PART = 0.75
const ANSWER_BYTES_MAX = 4_096
const REASON_LENGTH_MAX = 300
const SUBJECT = 'WARUNG_ALERT_WEBHOOK'

/**
 * Sends the alerts that are due. It ends when none is due, when it is stopped, or when the receiver does not accept
 * one.
 */
export function postDueAlerts(webhook: AlertWebhook, stop: AbortSignal): Promise<WorkedThrough<'failing'>> {
  const { database } = webhook
  return workThrough({
    isStopped: () => stop.aborted,
    claim: async () => (await claimLeased(webhook, CONCURRENT, (terms) => claimAlerts(database, terms))).work,
    work: (alert) => postClaimed(webhook, alert, stop),
    conclude: async (problems) => {
      if (stop.aborted) return 'done'
      return reportReceiver(
        webhook,
        problems.find((each) => each !== undefined),
      )
    },
  })
}

/** Raises an alert when the receiver does not accept alerts, and clears it when it does. */
async function reportReceiver(
  { alerts }: AlertWebhook,
  problem: string | undefined,
): Promise<WorkedThrough<'failing'>> {
  if (problem === undefined) {
    await alerts.clear('alert_webhook_failing', SUBJECT)
    return 'done'
  }
  const text = `Alerts cannot be sent to the webhook: ${oneLine(problem, REASON_LENGTH_MAX)}`
  await alerts.raise({ kind: 'alert_webhook_failing', subject: SUBJECT, text })
  return 'failing'
}

/** Sends a claimed alert. undefined: the receiver accepted it; otherwise the reason. */
async function postClaimed(
  webhook: AlertWebhook,
  alert: ClaimedAlert,
  stop: AbortSignal,
): Promise<string | undefined> {
  const { database } = webhook
  const problem = await post(webhook, alert, stop)
  if (problem === undefined) await markPosted(database, alert)
  else if (stop.aborted) await releasePost(database, alert)
  else await postponePost(database, alert, retryAfterMs(alert.attempts))
  return problem
}

async function post(
  webhook: AlertWebhook,
  alert: ClaimedAlert,
  stop: AbortSignal,
): Promise<string | undefined> {
  const { outbound, url, sign, leaseMs } = webhook
  const body = alertMessage(alert, webhook)
  const deadline = AbortSignal.timeout(Math.min(ATTEMPT_MS_MAX, Math.floor(leaseMs * ATTEMPT_PART)))
  const result = await outbound.send({
    method: 'POST',
    url,
    headers: {
      'content-type': 'application/json',
      ...sign(alertMessageId(alert), Math.floor(Date.now() / 1_000), body),
    },
    body,
    answerBytesMax: ANSWER_BYTES_MAX,
    cutsAnswer: true,
    connectionsMax: CONCURRENT,
    signal: AbortSignal.any([deadline, stop]),
  })
  if (result.kind === 'failed') return result.reason
  return result.status >= 200 && result.status < 300 ? undefined : `HTTP ${result.status}`
}

/** Id of the message, equal in every attempt, so that receivers can drop repeated ones. */
function alertMessageId({ id }: Pick<Alert, 'id'>): string {
  return `alert_${id}`
}

/** Body of the POST, as docs/alerts.md describes it. */
function alertMessage(
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
