import { readFile } from 'node:fs/promises'
import { PORT } from '../lib/addresses.ts'
import { WEB_URL } from '../lib/input/urls.ts'
import { MONEY } from '../lib/money.ts'
import type { SimulatorServerSettings } from '../modules/providers/simulator/server.service.ts'
import type { SimulatorAuth } from '../modules/providers/simulator/types.ts'
import type { Call, Command } from './command.ts'
import { UsageError } from './command.ts'
import { readOption } from './options.ts'

const DEFAULT_PORT = 3_100
const DEFAULT_HOST = '127.0.0.1'

export const simulatorCommand: Command = {
  name: 'simulator',
  summary: "run the providers' simulator as a server of its own, for tests of providers' faults",
  details:
    'It takes orders at /orders, and learns at /faults how to treat the next ones: POST {"kind": "drop_after", ' +
    '"count": 1} makes it act and break the connection. A service uses it with WARUNG_SIMULATOR_URL, or as a ' +
    'supplier that an operator connects. Its books, faults and settlement file are open to anyone who reaches it.',
  options: {
    port: { value: 'PORT', help: `where it listens; 0 picks a free one (default ${DEFAULT_PORT})` },
    host: { value: 'ADDRESS', help: `on which address (default ${DEFAULT_HOST})` },
    books: { value: 'FILE', help: 'keep its books there; without it, it forgets them when it ends' },
    float: { value: 'RINGGIT', help: "the client's money there; orders beyond it are refused" },
    'callback-url': { value: 'URL', help: 'send final outcomes to this address' },
    secrets: {
      value: 'FILE',
      help: 'JSON with "callback" (signs callbacks) and "auth" (how callers prove who they are)',
    },
    'tls-key': { value: 'FILE', help: 'speak https with this private key, in PEM' },
    'tls-cert': { value: 'FILE', help: 'and this certificate' },
  },
  run: (call) => runSimulator(call),
}

type Options = Pick<Call, 'find' | 'has'>

/** Runs until `asked` resolves, which is at a signal by default. Returns the exit code. */
export async function runSimulator(
  call: Options,
  given?: { out(text: string): void; asked: Promise<unknown> },
): Promise<number> {
  const settings = await settingsOf(call)
  const io = given ?? processIo()
  // The server is loaded here alone, because no other command needs it.
  const { startSimulatorServer } = await import('../modules/providers/simulator/server.service.ts')
  const server = await startSimulatorServer(settings)
  io.out(
    call.has('json') ? `${JSON.stringify({ url: server.url })}\n` : `The simulator is at ${server.url}\n`,
  )
  await io.asked
  await server.close()
  return 0
}

async function settingsOf(call: Options): Promise<SimulatorServerSettings> {
  const port = portOf(call.find('port'))
  const float = floatOf(call.find('float'))
  const secrets = await readSecrets(call.find('secrets'))
  return {
    port,
    host: call.find('host') ?? DEFAULT_HOST,
    booksFile: call.find('books'),
    float,
    auth: secrets.auth,
    callbacks: { url: urlOf(call.find('callback-url')), secret: secrets.callback },
    tls: await readTls(call.find('tls-key'), call.find('tls-cert')),
  }
}

function floatOf(text: string | undefined): bigint | undefined {
  if (text === undefined) return undefined
  return readOption('float', MONEY, text)
}

function urlOf(text: string | undefined): string | undefined {
  return text === undefined ? undefined : readOption('callback-url', WEB_URL, text)
}

async function readTls(key: string | undefined, cert: string | undefined) {
  if (key === undefined && cert === undefined) return undefined
  if (key === undefined || cert === undefined) throw new UsageError('--tls-key and --tls-cert go together')
  return { key: await readFile(key, 'utf8'), cert: await readFile(cert, 'utf8') }
}

type Secrets = { callback?: string; auth?: SimulatorAuth }

const AUTH_FIELDS: Readonly<Record<SimulatorAuth['kind'], readonly string[]>> = {
  none: [],
  basic: ['username', 'password'],
  bearer: ['token'],
  hmac: ['secret'],
  oauth2: ['clientId', 'clientSecret'],
}

async function readSecrets(file: string | undefined): Promise<Secrets> {
  if (file === undefined) return {}
  const secrets = parseSecrets(await readFile(file, 'utf8'))
  if (secrets === undefined) {
    throw new UsageError(`--secrets: ${file} is not {"callback": "…", "auth": {"kind": "basic", …}}`)
  }
  return secrets
}

function parseSecrets(text: string): Secrets | undefined {
  let secrets: Secrets | null
  try {
    secrets = JSON.parse(text) as Secrets | null
  } catch {
    return undefined
  }
  if (typeof secrets !== 'object' || secrets === null) return undefined
  const { callback, auth } = secrets
  if (callback !== undefined && typeof callback !== 'string') return undefined
  return auth === undefined || isAuth(auth) ? secrets : undefined
}

function isAuth(auth: SimulatorAuth): boolean {
  const fields = Object.hasOwn(AUTH_FIELDS, auth?.kind) ? AUTH_FIELDS[auth.kind] : undefined
  const values: Readonly<Record<string, unknown>> = auth
  return fields?.every((field) => typeof values[field] === 'string') === true
}

function portOf(text: string | undefined): number {
  return text === undefined ? DEFAULT_PORT : readOption('port', PORT, text)
}

/** Resolves `asked` at a signal that ends the process. */
export function processIo() {
  const asked = new Promise<void>((resolve) => {
    process.once('SIGINT', () => resolve())
    process.once('SIGTERM', () => resolve())
    process.once('SIGHUP', () => resolve())
  })
  return { out: (text: string) => void process.stdout.write(text), asked }
}
