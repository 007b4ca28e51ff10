import type { Socket } from 'node:net'
import { connect } from 'node:net'
import { rootCertificates } from 'node:tls'
import { createTransport } from 'nodemailer'
import type { Environment } from '../../../config.ts'
import { bareHost } from '../../../lib/addresses.ts'
import type { Sender } from '../../../lib/mail-addresses.ts'
import { oneLine } from '../../../lib/mail-addresses.ts'
import type { Names } from '../../../outbound/names.ts'
import { lookupBy } from '../../../outbound/names.ts'
import { htmlOf } from './letters.view.ts'
import { isThisMachine } from './mail.rules.ts'
import type { MailTransport, SendResult } from './mail.types.ts'

export type SmtpSettings = {
  /** smtp:// or smtps://, with credentials where the server wants them. */
  readonly url: string
  readonly sender: Sender
  /** Certificate authority that is trusted in addition to the public ones. */
  readonly ca: string | undefined
  /** Finds the server's addresses. Default: the system's resolver. */
  readonly names?: Names
}

const CONNECT_TIMEOUT_MS = 10_000
const GREETING_TIMEOUT_MS = 10_000
const SILENCE_TIMEOUT_MS = 20_000

type Letter = Parameters<MailTransport['send']>[0]

/** Transport that sends nothing: the mails are kept in the list, to be read there. */
const mailbox: MailTransport = { send: async () => ({ kind: 'sent' }) }

/**
 * Chooses the transport. Staging keeps mails in its mailbox unless it has a server; production without a server cannot
 * send.
 */
export function chooseTransport(settings: {
  readonly environment: Environment
  readonly smtpUrl: string | undefined
  readonly sender: Sender
  readonly ca: string | undefined
  readonly names?: Names
}): MailTransport | undefined {
  const { environment, smtpUrl } = settings
  if (smtpUrl !== undefined) return createSmtp({ ...settings, url: smtpUrl })
  return environment === 'staging' ? mailbox : undefined
}

/** Opens one connection per mail: mails are few, and no mail meets the state that another left on a connection. */
export function createSmtp(settings: SmtpSettings): MailTransport {
  return {
    async send(letter, signal) {
      if (signal.aborted) return TIMED_OUT
      const sockets: Socket[] = []
      // The library cannot cancel a mail. Destroying the socket does it.
      const brokenOff = new Promise<SendResult>((resolve) => {
        signal.addEventListener('abort', () => resolve(TIMED_OUT), { once: true })
      })
      try {
        return await Promise.race([deliver(settings, letter, sockets), brokenOff])
      } finally {
        for (const socket of sockets) socket.destroy()
      }
    },
  }
}

const TIMED_OUT: SendResult = { kind: 'unreachable', reason: 'the mail server took too long' }

async function deliver(settings: SmtpSettings, letter: Letter, sockets: Socket[]): Promise<SendResult> {
  const { sender } = settings
  const transport = createTransport({
    ...connectionOf(settings),
    getSocket: (_, done) => openSocket(settings, sockets, done),
  })
  try {
    await transport.sendMail({
      from: { name: sender.name, address: sender.address },
      to: { name: '', address: letter.recipient },
      envelope: { from: sender.address, to: [letter.recipient] },
      subject: oneLine(letter.subject, 200),
      text: letter.body,
      html: htmlOf(letter.body),
      messageId: `<${letter.key}@${sender.address.slice(sender.address.lastIndexOf('@') + 1)}>`,
      date: letter.createdAt,
      headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
      disableFileAccess: true,
      disableUrlAccess: true,
    })
    return { kind: 'sent' }
  } catch (error) {
    return judge(error)
  } finally {
    transport.close()
  }
}

function addressOf({ url }: SmtpSettings) {
  const { protocol, hostname, port } = new URL(url)
  const secure = protocol === 'smtps:'
  return {
    secure,
    host: bareHost(hostname),
    port: port === '' ? (secure ? 465 : 587) : Number(port),
  }
}

function connectionOf(settings: SmtpSettings) {
  const { username, password } = new URL(settings.url)
  const address = addressOf(settings)
  const auth = { user: decodeURIComponent(username), pass: decodeURIComponent(password) }
  return {
    ...address,
    ...(username !== '' && { auth }),
    // A password is never sent over a connection that others can read, whatever the server offers.
    requireTLS: username !== '' && !address.secure && !isThisMachine(address.host),
    tls: settings.ca === undefined ? {} : { ca: [...rootCertificates, settings.ca] },
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: GREETING_TIMEOUT_MS,
    socketTimeout: SILENCE_TIMEOUT_MS,
  }
}

function openSocket(
  settings: SmtpSettings,
  sockets: Socket[],
  done: (error: Error | null, socketOptions?: { connection: Socket }) => void,
): void {
  const { host, port } = addressOf(settings)
  const lookup = settings.names && lookupBy(settings.names)
  const socket = connect({ host, port, timeout: CONNECT_TIMEOUT_MS, ...(lookup && { lookup }) })
  sockets.push(socket)
  const fail = (error: Error) => {
    socket.destroy()
    done(Object.assign(error, { code: 'ECONNECTION' }))
  }
  const onTimeout = () => fail(new Error('connecting took too long'))
  socket.once('error', fail)
  socket.once('timeout', onTimeout)
  socket.once('connect', () => {
    socket.off('error', fail)
    socket.off('timeout', onTimeout)
    // An error that the library no longer listens for must not end the process.
    socket.on('error', () => {})
    done(null, { connection: socket })
  })
}

type SmtpError = {
  code?: unknown
  command?: unknown
  responseCode?: unknown
  response?: unknown
  message?: unknown
}

const ABOUT_THE_MAIL = new Set(['EENVELOPE', 'EMESSAGE'])
/** Codes that mean, at any command: the server wants authentication, or does not accept ours. */
const ABOUT_US = new Set([530, 535, 538])
/** Codes of security or policy: relaying is denied, our address is blocked, a password is wanted. */
const POLICY = /^\d{3}[ -]5\.7\.\d/

/** Classifies an error: the server refuses this address or this text, or it takes no mail of ours at all. */
function judge(error: unknown): SendResult {
  const { code, command, responseCode, response, message } = (error ?? {}) as SmtpError
  const status = typeof responseCode === 'number' ? responseCode : 0
  if (code === 'EAUTH') {
    return { kind: 'unreachable', reason: `the mail server refused the credentials (${status})` }
  }
  const reason = oneLine(String(response ?? message ?? 'unknown trouble'), 200)
  // An error at MAIL FROM is about the sender, who is the same in every mail.
  const isAboutTheMail =
    ABOUT_THE_MAIL.has(String(code)) &&
    command !== 'MAIL FROM' &&
    status > 0 &&
    !ABOUT_US.has(status) &&
    !POLICY.test(String(response ?? ''))
  if (!isAboutTheMail) return { kind: 'unreachable', reason }
  return { kind: status >= 500 ? 'refused' : 'postponed', reason }
}
