import { readFileSync } from 'node:fs'
import type { AddressInfo, Server } from 'node:net'
import { createServer } from 'node:net'
import type { Email } from 'postal-mime'
import PostalMime from 'postal-mime'
import type { SMTPServerOptions } from 'smtp-server'
import { SMTPServer } from 'smtp-server'

/** Mail that the server accepted. */
export type ReceivedMail = { readonly from: string; readonly to: string; readonly mail: Email }

export type MailServer = {
  readonly url: string
  /** Mails in the order in which they were accepted. */
  readonly received: readonly ReceivedMail[]
  readonly connections: number
  /** Number of logins, with a right or a wrong password. */
  readonly logins: number
  /** Answer to a recipient: undefined accepts it, anything else refuses it with that code and text. */
  answerTo: (recipient: string) => number | { readonly code: number; readonly text: string } | undefined
  /** Answer to a sender, in the same way. */
  answerFrom: () => number | undefined
  /** True: the server takes the mail, and then closes the connection without an answer. */
  isCutOffAfterData: boolean
  close(): Promise<void>
}

const pem = (name: string) => readFileSync(new URL(`../tls/${name}`, import.meta.url), 'utf8')

/** Returns the authority of the certificate that the server uses for TLS. */
export const testAuthority = (): string => pem('ca.pem')

/** Starts a real SMTP server. `tls`: from the first byte, or offered later by STARTTLS. */
export async function startMailServer(
  options: { tls?: 'at once' | 'offered'; user?: { name: string; password: string } } = {},
): Promise<MailServer> {
  const received: ReceivedMail[] = []
  let connections = 0
  let logins = 0
  const { user } = options
  const settings: SMTPServerOptions = {
    ...(options.tls !== undefined && { key: pem('server.key'), cert: pem('server.pem') }),
    secure: options.tls === 'at once',
    disabledCommands: [
      ...(options.tls === undefined ? ['STARTTLS'] : []),
      ...(user === undefined ? ['AUTH'] : []),
    ],
    authOptional: user === undefined,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    onConnect(_, done) {
      connections += 1
      done()
    },
    onAuth(auth, _, done) {
      logins += 1
      if (auth.username === user?.name && auth.password === user?.password) done(null, { user: user?.name })
      else done(refusal(535))
    },
    onMailFrom(_, __, done) {
      done(refusal(server.answerFrom()))
    },
    onRcptTo({ address }, _, done) {
      done(refusal(server.answerTo(address)))
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        void PostalMime.parse(Buffer.concat(chunks)).then((mail) => {
          const { mailFrom, rcptTo } = session.envelope
          received.push({
            from: mailFrom === false ? '' : mailFrom.address,
            to: rcptTo.map(({ address }) => address).join(','),
            mail,
          })
          if (server.isCutOffAfterData) for (const each of smtp.connections) each.close()
          else done()
        })
      })
    },
  }
  const smtp = new SMTPServer(settings) as SMTPServer & { connections: Set<{ close(): void }> }
  smtp.on('error', () => {})
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve))
  const { port } = smtp.server.address() as AddressInfo
  const credentials = user === undefined ? '' : `${user.name}:${encodeURIComponent(user.password)}@`
  const server: MailServer = {
    url: `${options.tls === 'at once' ? 'smtps' : 'smtp'}://${credentials}localhost:${port}`,
    received,
    get connections() {
      return connections
    },
    get logins() {
      return logins
    },
    answerTo: () => undefined,
    answerFrom: () => undefined,
    isCutOffAfterData: false,
    close: () => new Promise((resolve) => smtp.close(() => resolve())),
  }
  return server
}

function refusal(answer: ReturnType<MailServer['answerTo']>): Error | null {
  if (answer === undefined) return null
  const { code, text } = typeof answer === 'number' ? { code: answer, text: 'refused' } : answer
  return Object.assign(new Error(text), { responseCode: code })
}

export type SilentServer = { readonly url: string; readonly connections: number; close(): Promise<void> }

/** Starts a server that accepts connections and never answers. */
export async function startSilentServer(): Promise<SilentServer> {
  const sockets = new Set<{ destroy(): void }>()
  let connections = 0
  const server: Server = createServer((socket) => {
    connections += 1
    sockets.add(socket)
    socket.on('error', () => {})
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `smtp://localhost:${port}`,
    get connections() {
      return connections
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
