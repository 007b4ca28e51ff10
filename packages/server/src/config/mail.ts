import type { Sender } from '../lib/mail-addresses.ts'
import { parseSender } from '../lib/mail-addresses.ts'

export type MailConfig = {
  /** undefined: staging keeps mails in its mailbox, production keeps them waiting. */
  readonly smtpUrl: string | undefined
  readonly sender: Sender
}

/** No real address: what is kept in the mailbox comes from nobody. */
const SENDER_AT_FIRST: Sender = { name: 'Warung', address: 'warung@localhost' }

export function readMail(env: Readonly<Record<string, string | undefined>>, problems: string[]): MailConfig {
  const { WARUNG_SMTP_URL: url = '', WARUNG_MAIL_FROM: from = '' } = env
  const sender = parseSender(from)
  if (from !== '' && sender === undefined) {
    problems.push('WARUNG_MAIL_FROM: must be an address, or a name with it: Warung <mail@example.com>')
  }
  if (url !== '' && !isSmtpUrl(url)) {
    problems.push('WARUNG_SMTP_URL: must look like smtps://user:password@host:465 or smtp://host:587')
  }
  if (url !== '' && from === '') {
    problems.push('WARUNG_MAIL_FROM: WARUNG_SMTP_URL needs the address that mails come from')
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

/** Host and user, never the password. */
export function describeMail(
  { smtpUrl, sender }: MailConfig,
  environment: 'staging' | 'production',
): { mail: string; mail_from: string } {
  return {
    mail: smtpUrl === undefined ? unsent(environment) : maskPassword(smtpUrl),
    mail_from: sender.name === '' ? sender.address : `${sender.name} <${sender.address}>`,
  }
}

/** Mails are kept to be looked at, and sent to nobody. */
export function hasMailbox(config: {
  readonly environment: 'staging' | 'production'
  readonly mail: MailConfig
}): boolean {
  return config.environment === 'staging' && config.mail.smtpUrl === undefined
}

function unsent(environment: 'staging' | 'production'): string {
  return environment === 'staging' ? 'kept in the mailbox' : '(none: mails wait)'
}

function maskPassword(text: string): string {
  const url = new URL(text)
  if (url.password !== '') url.password = '****'
  return url.toString()
}
