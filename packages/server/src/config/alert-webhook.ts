import { ALERT_WEBHOOK, ALERT_WEBHOOK_SECRET } from './fields.ts'
import type { ReadSetting, SettingProblem } from './reader.ts'

/** Receiver of alerts, beside mails; undefined when there is none. */
export type AlertWebhookConfig = { readonly url: string; readonly secret: string }

export function readAlertWebhook(
  read: ReadSetting,
  environment: 'staging' | 'production',
  problems: SettingProblem[],
): AlertWebhookConfig | undefined {
  const known = problems.length
  const url = read('WARUNG_ALERT_WEBHOOK')
  const secret = read('WARUNG_ALERT_WEBHOOK_SECRET')
  if (problems.length > known) return undefined
  if (url !== undefined && environment === 'production' && new URL(url).protocol !== 'https:') {
    problems.push(['WARUNG_ALERT_WEBHOOK', ALERT_WEBHOOK.message])
  }
  if (url !== undefined && secret === undefined) {
    const message = `${ALERT_WEBHOOK_SECRET.message}, which sign the requests to WARUNG_ALERT_WEBHOOK`
    problems.push(['WARUNG_ALERT_WEBHOOK_SECRET', message])
  }
  if (url === undefined && secret !== undefined) {
    problems.push(['WARUNG_ALERT_WEBHOOK_SECRET', 'needs WARUNG_ALERT_WEBHOOK'])
  }
  return url === undefined || secret === undefined ? undefined : { url, secret }
}

/** Describes the host alone: the path of such an address is often its password. */
export function describeAlertWebhook(webhook: AlertWebhookConfig | undefined): string {
  return webhook === undefined ? '(none)' : `${new URL(webhook.url).origin}, signed`
}
