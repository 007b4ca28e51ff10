import type { ChildProcess } from 'node:child_process'
import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { inject } from 'vitest'
import type { Answer } from './http.ts'
import { credentialsOf, send } from './http.ts'
import type { Credentials } from './signing.ts'

/** The running service as a stranger sees it: addresses, credentials, a process and its output. */
export type Service = {
  baseUrl: string
  demo: Demo
  /** The first demo reseller's key. */
  credentials: Credentials
  dataDir: string
  environment: NodeJS.ProcessEnv
  pid: number
  /** Everything printed so far. */
  output(): string
  /** The request log, parsed. */
  log(): Record<string, unknown>[]
  get(path: string, headers?: Record<string, string>): Promise<Answer>
  /** Runs the operator's command beside it; the parsed JSON it printed. */
  warungd<T = Record<string, unknown>>(...args: string[]): Promise<T>
  kill9(): Promise<void>
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>
}

export type Demo = {
  base_url: string
  dashboard_url: string
  environment: string
  operator: { email: string; password: string }
  resellers: {
    account: string
    name: string
    api_key: string
    signing_secret: string
    username: string
    password: string
  }[]
}

const WARUNGD = fileURLToPath(new URL('../../server/bin/warungd.js', import.meta.url))
const START_DEADLINE_MS = 60_000

export type TestDatabase = { url: string; query: pg.Client['query']; drop(): Promise<void> }

/** A fresh database for one test file, cloned from the run's migrated template. */
export async function createDatabase(): Promise<TestDatabase> {
  const { template, ...server } = inject('cluster')
  const name = `warung_acceptance_${randomBytes(6).toString('hex')}`
  await onServer((client) => client.query(`create database ${name} template ${template}`))
  const client = new pg.Client({ ...server, database: name })
  await client.connect()
  // The service's own server may be stopped under this connection; that is the test's business.
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

export type ServiceOptions = {
  /** An external database; without one the service runs its embedded server. */
  database?: TestDatabase
  /** Nodes of one database share it. */
  masterKey?: string
  dataDir?: string
  environment?: Record<string, string>
}

const started: Service[] = []
const directories: string[] = []

/** Starts the real process and waits until it says it is ready. */
export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const dataDir = options.dataDir ?? (await makeDirectory())
  const environment = environmentOf(options, dataDir)
  const child = spawn(process.execPath, [WARUNGD, 'serve'], {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = collect(child)
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const baseUrl = await untilReady(child, output)
  const demo = JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8')) as Demo
  const service: Service = {
    baseUrl,
    demo,
    credentials: credentialsOf(firstOf(demo)),
    dataDir,
    environment,
    pid: child.pid ?? -1,
    output,
    log: () => jsonLines(output()),
    get: (path, headers = {}) => send({ baseUrl, path, headers }),
    warungd: (...args) => warungd(environment, args),
    async kill9() {
      child.kill('SIGKILL')
      await exited
    },
    stop() {
      child.kill('SIGTERM')
      return exited
    },
  }
  started.push(service)
  return service
}

/** For afterAll: ends what is still running and removes its directories. */
export async function stopServices(): Promise<void> {
  await Promise.all(started.splice(0).map((service) => service.stop()))
  await Promise.all(directories.splice(0).map((path) => rm(path, { recursive: true, force: true })))
}

export async function makeDirectory(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'warung-acceptance-'))
  directories.push(path)
  return path
}

export function newMasterKey(): string {
  return randomBytes(32).toString('base64')
}

export function environmentOf(options: ServiceOptions, dataDir: string): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(WARUNG_|DATABASE_URL$|VITEST|NODE_OPTIONS$)/.test(name),
  )
  return {
    ...Object.fromEntries(inherited),
    WARUNG_PORT: '0',
    WARUNG_METRICS_PORT: '0',
    WARUNG_DATA_DIR: dataDir,
    ...(options.database !== undefined && {
      DATABASE_URL: options.database.url,
      WARUNG_MASTER_KEY: options.masterKey ?? newMasterKey(),
    }),
    ...options.environment,
  }
}

export type CommandResult = { code: number; stdout: string; stderr: string }

/** Runs `warungd` to its end, whatever that is. */
export function runWarungd(
  environment: NodeJS.ProcessEnv,
  args: string[],
  input = '',
): Promise<CommandResult> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [WARUNGD, ...args],
      { env: environment },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1
        resolve({ code, stdout, stderr })
      },
    )
    child.stdin?.end(input)
  })
}

async function warungd<T>(environment: NodeJS.ProcessEnv, args: string[]): Promise<T> {
  const { code, stdout, stderr } = await runWarungd(environment, [...args, '--json'])
  if (code !== 0) throw new Error(`warungd ${args.join(' ')} ended with ${code}: ${stdout}${stderr}`)
  return JSON.parse(stdout) as T
}

/** Polls a condition; a test waits for what must come true, never for a time to pass. */
export async function until<T>(
  what: string,
  attempt: () => Promise<T | undefined | false>,
  deadlineMs = 30_000,
): Promise<T> {
  const giveUpAt = Date.now() + deadlineMs
  while (Date.now() < giveUpAt) {
    const value = await attempt()
    if (value !== undefined && value !== false) return value
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error(`gave up waiting until ${what}`)
}

function collect(child: ChildProcess): () => string {
  const chunks: Buffer[] = []
  child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk))
  child.stderr?.on('data', (chunk: Buffer) => chunks.push(chunk))
  return () => Buffer.concat(chunks).toString('utf8')
}

async function untilReady(child: ChildProcess, output: () => string): Promise<string> {
  return until(
    'the service is ready',
    async () => {
      if (child.exitCode !== null) throw new Error(`the service ended with ${child.exitCode}:\n${output()}`)
      const baseUrl = /^\s*api\s+(http:\/\/\S+)$/m.exec(output())?.[1]
      if (baseUrl === undefined) return undefined
      const { status } = await send({ baseUrl, path: '/readyz' })
      return status === 200 && baseUrl
    },
    START_DEADLINE_MS,
  )
}

function jsonLines(text: string): Record<string, unknown>[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>)
}

function firstOf(demo: Demo): Demo['resellers'][number] {
  const [first] = demo.resellers
  if (first === undefined) throw new Error('demo.json names no reseller')
  return first
}
