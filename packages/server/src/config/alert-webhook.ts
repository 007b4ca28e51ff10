import type { SettingProblem } from './reader.ts'

/** Receiver of alerts, beside mails; undefined when there is none. */
export type AlertWebhookConfig = { readonly url: string; readonly secret: string }

const PREFIX = 'whsec_'
const SECRET_BYTES_MIN = 24
const SECRET_BYTES_MAX = 64

export function readAlertWebhook(
  env: Readonly<Record<string, string | undefined>>,
  environment: 'staging' | 'production',
  problems: SettingProblem[],
): AlertWebhookConfig | undefined {
  const { WARUNG_ALERT_WEBHOOK: url = '', WARUNG_ALERT_WEBHOOK_SECRET: secret = '' } = env
  if (url === '') {
    if (secret !== '') problems.push(['WARUNG_ALERT_WEBHOOK_SECRET', 'needs WARUNG_ALERT_WEBHOOK'])
    return undefined
  }
  if (!isReceiver(url, environment)) {
    problems.push([
      'WARUNG_ALERT_WEBHOOK',
      'must be an https address without user, password or fragment (http in staging alone)',
    ])
  }
  if (!isSecret(secret)) {
    problems.push([
      'WARUNG_ALERT_WEBHOOK_SECRET',
      `must be ${PREFIX} and Base64 of ${SECRET_BYTES_MIN} to ${SECRET_BYTES_MAX} random bytes, ` +
        'which sign what is sent to WARUNG_ALERT_WEBHOOK',
    ])
  }
  return { url, secret }
}

function isReceiver(text: string, environment: 'staging' | 'production'): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password, hash } = new URL(text)
  const isSafe = protocol === 'https:' || (protocol === 'http:' && environment === 'staging')
  return isSafe && username === '' && password === '' && hash === ''
}

function isSecret(text: string): boolean {
  const encoded = text.slice(PREFIX.length)
  const bytes = Buffer.from(encoded, 'base64')
  const isWhole = bytes.toString('base64').replace(/=+$/, '') === encoded.replace(/=+$/, '')
  return (
    text.startsWith(PREFIX) && isWhole && bytes.length >= SECRET_BYTES_MIN && bytes.length <= SECRET_BYTES_MAX
  )
}

/** Describes the host alone: the path of such an address is often its password. */
export function describeAlertWebhook(webhook: AlertWebhookConfig | undefined): string {
  return webhook === undefined ? '(none)' : `${new URL(webhook.url).origin}, signed`
}
