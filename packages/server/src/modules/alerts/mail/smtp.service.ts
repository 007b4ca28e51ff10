import type { Socket } from 'node:net'
import { connect } from 'node:net'
import { rootCertificates } from 'node:tls'
import { createTransport } from 'nodemailer'
import type { Environment } from '../../../config.ts'
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
  /** An authority that is trusted beside the public ones. */
  readonly ca: string | undefined
  /** Finds the server's addresses; left out: the system's resolver does. */
  readonly names?: Names
}

const CONNECT_TIMEOUT_MS = 10_000
const GREETING_TIMEOUT_MS = 10_000
const SILENCE_TIMEOUT_MS = 20_000

type Letter = Parameters<MailTransport['send']>[0]

/** Where mails are kept to be looked at instead of being sent: being in the list is all it takes. */
const mailbox: MailTransport = { send: async () => ({ kind: 'sent' }) }

/** Staging keeps mails in its mailbox unless it is given a server; production without one has nothing to send with. */
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

/** One connection per mail: there are few, and none can be in the state that another left behind. */
export function createSmtp(settings: SmtpSettings): MailTransport {
  return {
    async send(letter, signal) {
      if (signal.aborted) return TIMED_OUT
      const sockets: Socket[] = []
      // The library has no way to break off: whoever ends the socket does.
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
    host: hostname.replace(/^\[|\]$/g, ''),
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
    // A password goes over no line that others can read, whatever the server offers.
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
    // Whatever the library no longer listens for must not end the process.
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
/** At whichever command it says so: it wants us to prove who we are, and does not take the proof. */
const ABOUT_US = new Set([530, 535, 538])
/** Security or policy: relaying is denied, our address is blocked, a password is wanted. */
const POLICY = /^\d{3}[ -]5\.7\.\d/

/** A no to this address or this text is one thing, a server that takes no mail of ours at all is another. */
function judge(error: unknown): SendResult {
  const { code, command, responseCode, response, message } = (error ?? {}) as SmtpError
  const status = typeof responseCode === 'number' ? responseCode : 0
  if (code === 'EAUTH') {
    return { kind: 'unreachable', reason: `the mail server refused the credentials (${status})` }
  }
  const reason = oneLine(String(response ?? message ?? 'unknown trouble'), 200)
  // Whom it comes from is the same in every mail.
  const isAboutTheMail =
    ABOUT_THE_MAIL.has(String(code)) &&
    command !== 'MAIL FROM' &&
    status > 0 &&
    !ABOUT_US.has(status) &&
    !POLICY.test(String(response ?? ''))
  if (!isAboutTheMail) return { kind: 'unreachable', reason }
  return { kind: status >= 500 ? 'refused' : 'postponed', reason }
}
