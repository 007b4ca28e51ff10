import type { Sender } from '../lib/mail-addresses.ts'
import { parseSender } from '../lib/mail-addresses.ts'
import { maskUrl } from './database-url.ts'
import type { SettingProblem } from './reader.ts'

export type MailConfig = {
  /** Mail server; undefined when staging keeps mails in its mailbox and production keeps them waiting. */
  readonly smtpUrl: string | undefined
  readonly sender: Sender
}

/** Default sender. It is no real address: mails kept in the mailbox are never sent. */
const SENDER_AT_FIRST: Sender = { name: 'Warung', address: 'warung@localhost' }

export function readMail(
  env: Readonly<Record<string, string | undefined>>,
  problems: SettingProblem[],
): MailConfig {
  const { WARUNG_SMTP_URL: url = '', WARUNG_MAIL_FROM: from = '' } = env
  const sender = parseSender(from)
  if (from !== '' && sender === undefined) {
    problems.push(['WARUNG_MAIL_FROM', 'must be an address, or a name with it: Warung <mail@example.com>'])
  }
  if (url !== '' && !isSmtpUrl(url)) {
    problems.push(['WARUNG_SMTP_URL', 'must look like smtps://user:password@host:465 or smtp://host:587'])
  }
  if (url !== '' && from === '') {
    problems.push(['WARUNG_MAIL_FROM', 'WARUNG_SMTP_URL needs the address that mails come from'])
  }
  return { smtpUrl: url === '' ? undefined : url, sender: sender ?? SENDER_AT_FIRST }
}

function isSmtpUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, pathname, search, hash, username, password } = new URL(text)
  const isBare = hostname !== '' && /^\/?$/.test(pathname) && search === '' && hash === ''
  return /^smtps?:$/.test(protocol) && isBare && isDecodable(username) && isDecodable(password)
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
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
