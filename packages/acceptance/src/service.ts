import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { inject } from 'vitest'
import type { Answer } from './http.ts'
import { credentialsOf, send } from './http.ts'
import { closeOpened, openBatch, openInside } from './inside.ts'
import type { Batch, CommandResult, Ended, Launched, LaunchOptions } from './process.ts'
import { clearPostmaster, endLaunched, launch, runWarungd as run, startBatch } from './process.ts'
import { IS_OWN_RUNTIME } from './runtime.ts'
import type { Credentials } from './signing.ts'

/** Running service as an outsider sees it: addresses, credentials and what it printed. */
export type Service = {
  baseUrl: string
  demo: Demo
  /** Key of the first demo reseller. */
  credentials: Credentials
  dataDir: string
  environment: NodeJS.ProcessEnv
  /** Returns everything printed so far. */
  output(): string
  /** Returns the parsed request log. */
  log(): Record<string, unknown>[]
  get(path: string, headers?: Record<string, string>): Promise<Answer>
  /** Runs the operator's command beside the service; returns the parsed JSON that it printed. */
  warungd<T = Record<string, unknown>>(...args: string[]): Promise<T>
  /** Runs the operator's command with any result. */
  tryWarungd(...args: string[]): Promise<CommandResult>
  /** Ends it as SIGTERM does; resolves with the exit code. */
  stop(): Promise<number | null>
}

/** Service that is a process, for tests whose point is the process. */
export type ServiceProcess = Service & {
  pid: number
  signal(name: NodeJS.Signals): void
  ended: Promise<Ended>
  kill9(): Promise<void>
}

export type Demo = {
  base_url: string
  dashboard_url: string
  environment: string
  operator: { email: string; password: string }
  resellers: DemoReseller[]
  shop?: DemoReseller & { kiosk?: { api_key: string; signing_secret: string } }
}

export type DemoReseller = {
  account: string
  name: string
  api_key: string
  signing_secret: string
  username: string
  password: string
}

const START_DEADLINE_MS = 150_000

export type TestDatabase = { url: string; query: pg.Client['query']; drop(): Promise<void> }

/** Creates a new database for one test file, cloned from the run's migrated template, or without any schema. */
export async function createDatabase(options: { schema?: 'migrated' | 'none' } = {}): Promise<TestDatabase> {
  const { template, ...server } = inject('cluster')
  const name = `warung_acceptance_${randomBytes(6).toString('hex')}`
  const from = options.schema === 'none' ? '' : `template ${template} strategy file_copy`
  await onServer((client) => client.query(`create database ${name} ${from}`))
  const client = new pg.Client({ ...server, database: name })
  await client.connect()
  // A test may stop the server while this connection is open.
  client.on('error', () => {})
  return {
    url: urlOf(server, name),
    query: client.query.bind(client),
    async drop() {
      await client.end()
      await onServer((admin) => admin.query(`drop database if exists ${name} with (force)`))
    },
  }
}

async function onServer(work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const { template: _, ...server } = inject('cluster')
  const client = new pg.Client({ ...server, database: 'postgres' })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}

function urlOf(server: { host: string; port: number; user: string; password: string }, name: string): string {
  const secret = encodeURIComponent(server.password)
  return server.host.startsWith('/')
    ? `postgres://${server.user}:${secret}@localhost:${server.port}/${name}?host=${encodeURIComponent(server.host)}`
    : `postgres://${server.user}:${secret}@${server.host}:${server.port}/${name}`
}

/** Connects to the database of a service that others use too. The caller ends the connection. */
export async function connectDatabase({ environment }: Pick<Service, 'environment'>): Promise<pg.Client> {
  const client = new pg.Client(environment.DATABASE_URL)
  await client.connect()
  return client
}

export type ServiceOptions = {
  /** External database; without one the service runs its embedded server. */
  database?: TestDatabase
  /** Master key, which nodes of one database share. */
  masterKey?: string
  dataDir?: string
  environment?: Record<string, string>
  launch?: LaunchOptions
}

const directories: string[] = []

/** Starts the real process and waits until it is ready. */
export async function startService(options: ServiceOptions = {}): Promise<ServiceProcess> {
  const dataDir = options.dataDir ?? (await makeDirectory())
  const environment = environmentOf(options, dataDir)
  const started = launch(environment, options.launch)
  const isKept = options.launch?.isKept === true
  if (isKept) keptBatches.add(batchKeyOf(environment))
  const baseUrl = await untilReady(started)
  return {
    ...(await serviceAt(baseUrl, environment, { dataDir, output: started.output })),
    pid: started.pid,
    signal: started.signal,
    ended: started.ended,
    async kill9() {
      started.signal('SIGKILL')
      if (isKept) await endBatch(batchKeyOf(environment))
      await started.ended
    },
    async stop() {
      started.signal('SIGTERM')
      return (await started.ended).code
    },
  }
}

/**
 * Opens the real service in the process of the tests, on a port of its own: for a file that needs another database or
 * setting, and no process. On another runtime than that of the tests it is a process all the same.
 */
export async function openService(options: Omit<ServiceOptions, 'launch'> = {}): Promise<Service> {
  if (!IS_OWN_RUNTIME) return startService(options)
  const dataDir = options.dataDir ?? (await makeDirectory())
  const environment = environmentOf(options, dataDir)
  const { output, close } = await openInside(environment)
  return {
    ...(await serviceAt(listeningAt(output()) ?? '', environment, { dataDir, output })),
    async stop() {
      await close()
      return 0
    },
  }
}

async function serviceAt(
  baseUrl: string,
  environment: NodeJS.ProcessEnv,
  { dataDir, output }: Pick<Service, 'dataDir' | 'output'>,
): Promise<Omit<Service, 'stop'>> {
  const demo = await readDemo(dataDir)
  return {
    baseUrl,
    demo,
    credentials: credentialsOf(firstReseller(demo)),
    dataDir,
    environment,
    output,
    log: () => jsonLines(output()),
    get: (path, headers = {}) => send({ baseUrl, path, headers }),
    warungd: (...args) => warungd(environment, args),
    tryWarungd: (...args) => batchFor(environment).run(args),
  }
}

/** Ends everything that is still running and removes its directories, in afterAll. */
export async function stopServices(): Promise<void> {
  const made = directories.splice(0)
  try {
    await endBatches()
    await closeOpened()
    await endLaunched()
  } finally {
    await Promise.all(made.map((path) => clearPostmaster(path)))
    await Promise.all(made.map((path) => removeDirectory(path)))
  }
}

/** Removes a directory. A server that was just told to end may still write; the next attempt removes its new files. */
async function removeDirectory(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
}

export async function makeDirectory(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'warung-acceptance-'))
  directories.push(path)
  return path
}

export async function readDemo(dataDir: string): Promise<Demo> {
  return JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8')) as Demo
}

export function newMasterKey(): string {
  return randomBytes(32).toString('base64')
}

export function environmentOf(options: ServiceOptions, dataDir: string): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(WARUNG_|DATABASE_(READ_)?URL$|VITEST)/.test(name),
  )
  return {
    ...Object.fromEntries(inherited),
    WARUNG_PORT: '0',
    WARUNG_METRICS_PORT: '0',
    // No balancer has to notice that a service stops, and a test that left an answer unread waits no longer.
    WARUNG_DRAIN_SECONDS: '0',
    WARUNG_DRAIN_ANSWERS_SECONDS: '30',
    // The demo's catalog takes seconds to seed; tests about it request it. The tests' own address is a proxy, so that
    // they can act for clients anywhere: an address has few attempts to sign in.
    ...(options.environment?.WARUNG_ENV !== 'production' && {
      WARUNG_DEMO: 'accounts',
      WARUNG_TRUST_PROXY: '127.0.0.1',
    }),
    WARUNG_DATA_DIR: dataDir,
    ...(process.env.WARUNG_TEST_WIRE !== undefined && { WARUNG_WIRE: process.env.WARUNG_TEST_WIRE }),
    ...(options.database !== undefined && {
      DATABASE_URL: options.database.url,
      WARUNG_MASTER_KEY: options.masterKey ?? newMasterKey(),
    }),
    ...options.environment,
  }
}

/** Runs `warungd` to its end, with any result. */
export function runWarungd(
  environment: NodeJS.ProcessEnv,
  args: readonly string[],
  input = '',
): Promise<CommandResult> {
  return run(environment, args, input)
}

/** Batches by environment: a service and its successors share one. */
const batches = new Map<string, Batch>()
/** Keys of the batches that outlive a test file, as their services do. */
const keptBatches = new Set<string>()

function batchKeyOf({ WARUNG_FAILPOINT: _, ...environment }: NodeJS.ProcessEnv): string {
  return JSON.stringify(Object.entries(environment).sort())
}

function batchFor({ WARUNG_FAILPOINT: _, ...environment }: NodeJS.ProcessEnv): Batch {
  const key = batchKeyOf(environment)
  const batch = batches.get(key) ?? (IS_OWN_RUNTIME ? openBatch(environment) : startBatch(environment))
  batches.set(key, batch)
  return batch
}

async function endBatches(): Promise<void> {
  for (const key of batches.keys()) if (!keptBatches.has(key)) await endBatch(key)
}

async function endBatch(key: string): Promise<void> {
  const batch = batches.get(key)
  batches.delete(key)
  await batch?.end()
}

/** Runs the command beside others of the same environment; returns the parsed JSON that it printed. */
export async function warungd<T>(environment: NodeJS.ProcessEnv, args: readonly string[]): Promise<T> {
  const { code, stdout, stderr } = await batchFor(environment).run([...args, '--json'])
  if (code !== 0) throw new Error(`warungd ${args.join(' ')} ended with ${code}: ${stdout}${stderr}`)
  return JSON.parse(stdout) as T
}

const PAUSE_MIN_MS = 20
const PAUSE_MAX_MS = 250

/** Returns the pause of a poll: the longer it has waited, the less often it asks. Asking is work for the service. */
function pauseAfter(passedMs: number): number {
  return Math.min(PAUSE_MIN_MS + passedMs / 10, PAUSE_MAX_MS)
}

/** Longest wait for a condition. A busy machine may need minutes for the work of seconds; a test has three. */
const WAIT_MS = 150_000

/** Polls a condition: a test waits for a condition, never for a time to pass. */
export async function until<T>(
  what: string,
  attempt: () => Promise<T | undefined | false>,
  deadlineMs = WAIT_MS,
): Promise<T> {
  const startedAt = Date.now()
  for (let passedMs = 0; passedMs < deadlineMs; passedMs = Date.now() - startedAt) {
    const value = await attempt()
    if (value !== undefined && value !== false) return value
    await new Promise((resolve) => setTimeout(resolve, pauseAfter(passedMs)))
  }
  throw new Error(`gave up waiting until ${what}`)
}

/** Returns the address on which the service listens, when it is ready. */
export async function untilReady(started: Launched): Promise<string> {
  return until(
    'the service is ready',
    async () => {
      if (started.hasEnded()) {
        const { code, signal } = await started.ended
        throw new Error(`the service ended with ${code ?? signal}:\n${started.output()}`)
      }
      if (!/^\s*api\s+https?:/m.test(started.output())) return undefined
      const baseUrl = listeningAt(started.output())
      if (baseUrl === undefined) return undefined
      // A service that dies at a failpoint hangs up; the next look finds that it ended.
      const answer = await send({ baseUrl, path: '/readyz' }).catch(() => undefined)
      return answer?.status === 200 && baseUrl
    },
    START_DEADLINE_MS,
  )
}

/** Returns the service's own address. The address for clients may be a proxy's, which does not run in tests. */
function listeningAt(output: string): string | undefined {
  return /Server listening at (http:[^"\s]+)/.exec(output)?.[1]
}

function jsonLines(text: string): Record<string, unknown>[] {
  return (
    text
      .split('\n')
      // The last line may be incomplete.
      .filter((line) => line.startsWith('{') && line.endsWith('}'))
      .map((line) => JSON.parse(line) as Record<string, unknown>)
  )
}

function firstReseller(demo: Demo): DemoReseller {
  const [first] = demo.resellers
  if (first === undefined) throw new Error('demo.json names no reseller')
  return first
}
