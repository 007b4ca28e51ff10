import type { Sender } from '../lib/mail-addresses.ts'
import { maskUrl } from './database-url.ts'
import type { ReadSetting, SettingProblem } from './reader.ts'

export type MailConfig = {
  /** Mail server; undefined when staging keeps mails in its mailbox and production keeps them waiting. */
  readonly smtpUrl: string | undefined
  readonly sender: Sender
}

/** Default sender. It is no real address: mails kept in the mailbox are never sent. */
const SENDER_AT_FIRST: Sender = { name: 'Warung', address: 'warung@localhost' }

export function readMail(read: ReadSetting, problems: SettingProblem[]): MailConfig {
  const smtpUrl = read('WARUNG_SMTP_URL')
  const known = problems.length
  const sender = read('WARUNG_MAIL_FROM')
  if (smtpUrl !== undefined && sender === undefined && problems.length === known) {
    problems.push(['WARUNG_MAIL_FROM', 'WARUNG_SMTP_URL needs the address that mails come from'])
  }
  return { smtpUrl, sender: sender ?? SENDER_AT_FIRST }
}

/** Describes host and user, never the password. */
export function describeMail(
  { smtpUrl, sender }: MailConfig,
  environment: 'staging' | 'production',
): { mail: string; mail_from: string } {
  return {
    mail: smtpUrl === undefined ? unsent(environment) : maskUrl(smtpUrl),
    mail_from: sender.name === '' ? sender.address : `${sender.name} <${sender.address}>`,
  }
}

/**
 * Tells whether kept mails can be read on a page. They cannot once clients reach the service by a public address: a
 * reader of a reset mail can take over the account it is for. `warungd mail show` reads them then.
 */
export function hasMailbox(config: {
  readonly environment: 'staging' | 'production'
  readonly publicUrl: string | undefined
  readonly dashboardUrl: string | undefined
  readonly mail: MailConfig
}): boolean {
  const isPublic = config.publicUrl !== undefined || config.dashboardUrl !== undefined
  return config.environment === 'staging' && config.mail.smtpUrl === undefined && !isPublic
}

function unsent(environment: 'staging' | 'production'): string {
  return environment === 'staging' ? 'kept, sent to nobody' : '(none: mails wait)'
}
