import { createHash, randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { inject } from 'vitest'
import { TRUST_TEST_PROXY } from './clients.ts'
import type { Catalog as GenericCatalog, Product as GenericProduct } from './generic-client.ts'
import type { Answer } from './http.ts'
import { credentialsOf, signed } from './http.ts'
import { REACHES_RECEIVER } from './receiver/receiver.ts'
import type { DemoReseller, Service, ServiceOptions, ServiceProcess } from './service.ts'
import { openService, startService, stopServices, until } from './service.ts'
import type { Credentials } from './signing.ts'

// Helpers of the catalog tests: a service with the demo's catalog, and its two resellers.

export const OLDER = '2024-01-01'
export const NEWEST = '2026-09-16'
const NEWEST_IS_DEFAULT_FROM = Date.parse('2027-01-11T00:00:00Z')

/** Returns the release that callers get today if they name none. */
export function defaultRelease(): string {
  return Date.now() < NEWEST_IS_DEFAULT_FROM ? OLDER : NEWEST
}

export type Money = { amount: string; currency: string }

export type Product = GenericProduct & {
  name: string
  processing_time: string
  is_active: boolean
  denomination_currency: string | null
  denomination_unit_price: number
  pricing: {
    unit_price: string
    discount: { type: 'percentage' | 'fixed'; value: string }
    price_adjustment: { type: 'percentage' | 'fixed'; value: number } | null
    has_loss_risk: boolean
  }
  min_amount: Money | null
  max_amount: Money | null
}

export type Catalog = Omit<GenericCatalog, 'products'> & {
  tree: { groups: Group[] }
  products: Record<string, Product>
}

export type Group = { id: string; name: string; icon_url: string; categories: Category[] }
export type Category = { id: string; name: string; product_codes: string[] }

export type Item = {
  code: string
  label: string
  denomination?: number
  validity?: string
  features?: string[]
  description?: string
  price?: Money
  cost?: Money
  rrp?: Money
  has_loss_risk?: boolean
  account_number?: string
  min_amount?: Money
  max_amount?: Money
}

export type Options = {
  product_code: string
  field_id: string
  items: Item[]
  meta: { current_page: number; last_page: number; per_page: number; total: number }
}

/** Reseller at one node. */
export type Reader = DemoReseller & {
  credentials: Credentials
  get(path: string, headers?: Record<string, string>): Promise<Answer>
  catalog(query?: string, headers?: Record<string, string>): Promise<Catalog>
  options(query: string, headers?: Record<string, string>): Promise<Options>
}

export type DemoNode<S extends Service = Service> = {
  service: S
  /** Reseller that buys at STANDARD, has access to FD, and changed nothing. */
  first: Reader
  /** Reseller that buys at BORNEO and has customisations. */
  second: Reader
}

export type Demo<S extends Service = Service> = DemoNode<S> & {
  /** Starts another node on the same database. */
  startAnother(): Promise<DemoNode<S>>
  end(): Promise<void>
}

/** Starts a demo whose nodes are processes. Every node gets this `environment`, and is launched in this way. */
export function startDemo(
  environment: Record<string, string> = {},
  options: Pick<ServiceOptions, 'launch'> = {},
): Promise<Demo<ServiceProcess>> {
  return makeDemo(environment, (given) => startService({ ...options, ...given }))
}

/** Opens a demo in the process of the tests. Every node gets this `environment`. */
export function openDemo(environment: Record<string, string> = {}): Promise<Demo> {
  return makeDemo(environment, openService)
}

type Start<S> = (options: Pick<ServiceOptions, 'environment'>) => Promise<S>

async function makeDemo<S extends Service>(
  environment: Record<string, string>,
  start: Start<S>,
): Promise<Demo<S>> {
  const name = `warung_demo_${randomBytes(6).toString('hex')}`
  await cloneDemo(name)
  const startNode = () => makeNode(name, environment, start)
  return {
    ...(await startNode()),
    startAnother: startNode,
    async end() {
      await stopServices()
      await onServer((admin) => admin.query(`drop database if exists ${name} with (force)`))
    },
  }
}

async function cloneDemo(name: string): Promise<void> {
  await onServer(async (admin) => {
    await admin.query(`create database ${name} template ${await seededTemplate(admin)} strategy file_copy`)
  })
}

/**
 * Shares one demo between all files of a worker that only read or use resellers and people of their own, because
 * starting a service costs more than most of them. A file that changes something that another file may see, or that
 * counts what others may add to, starts its own demo.
 */
export function shareDemo(): Promise<Demo<ServiceProcess>> {
  const { sharedDemo } = globalThis as { sharedDemo?: Promise<Demo<ServiceProcess>> | undefined }
  const shared = sharedDemo ?? startShared()
  Object.assign(globalThis, { sharedDemo: shared })
  return shared
}

async function startShared(): Promise<Demo<ServiceProcess>> {
  const { template } = inject('cluster')
  // The run's set-up drops all databases whose name begins with the template's name.
  const name = `${template}_shared_${randomBytes(6).toString('hex')}`
  await cloneDemo(name)
  const dataDir = await mkdtemp(join(tmpdir(), 'warung-shared-'))
  process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }))
  const settings = { ...TRUST_TEST_PROXY, ...REACHES_RECEIVER }
  const node = await makeNode(name, settings, (given) =>
    startService({ ...given, dataDir, launch: { isKept: true } }),
  )
  const startAnother = () => Promise.reject(new Error('what is shared stays as it is'))
  return { ...node, startAnother, end: async () => {} }
}

async function makeNode<S extends Service>(
  databaseName: string,
  environment: Record<string, string>,
  start: Start<S>,
): Promise<DemoNode<S>> {
  const service = await start({ environment: { ...environmentFor(databaseName), ...environment } })
  const [first, second] = service.demo.resellers
  if (first === undefined || second === undefined) throw new Error('the demo has two resellers')
  const node = { service, first: readerAt(service, first), second: readerAt(service, second) }
  // A node that did not seed the demo gets its own credentials.
  await until('the credentials are known', async () => (await node.second.get('/v2/balance')).status === 200)
  return node
}

function readerAt(service: Service, reseller: DemoReseller): Reader {
  const credentials = credentialsOf(reseller)
  const get: Reader['get'] = (path, headers = {}) => signed(service.baseUrl, credentials, { path, headers })
  const read = async <T>(path: string, headers: Record<string, string>): Promise<T> => {
    const answer = await get(path, headers)
    if (answer.status !== 200) throw new Error(`GET ${path} answered ${answer.status}: ${answer.text}`)
    return answer.json<T>()
  }
  const newest = { 'X-API-Version': NEWEST }
  return {
    ...reseller,
    credentials,
    get,
    catalog: (query = '', headers = newest) => read(`/v2/catalog${query && `?${query}`}`, headers),
    options: (query, headers = newest) => read(`/v2/options?${query}`, headers),
  }
}

// ── One seeded database for the whole run ──

/**
 * Returns the template with the demo's catalog. Seeding takes seconds: the first file of a run that needs it does it
 * while the others wait, and all of them clone the result. The lock ends with the connection.
 */
async function seededTemplate(admin: pg.Client): Promise<string> {
  const { template } = inject('cluster')
  const seeded = `${template}_demo`
  await admin.query('select pg_advisory_lock(hashtext($1))', [seeded])
  const found = await admin.query('select from pg_database where datname = $1', [seeded])
  if (found.rowCount === 1) return seeded
  const draft = `${seeded}_draft`
  await admin.query(`drop database if exists ${draft} with (force)`)
  await admin.query(`create database ${draft} template ${template}`)
  const service = await openService({ environment: environmentFor(draft) })
  const code = await service.stop()
  if (code !== 0) throw new Error(`the seeding service ended with ${code}:\n${service.output()}`)
  await admin.query(`alter database ${draft} rename to ${seeded}`)
  return seeded
}

/** Makes a node's environment. A clone of the template needs the key with which its secrets are sealed. */
function environmentFor(databaseName: string): Record<string, string> {
  const { template, host, port, user, password } = inject('cluster')
  const login = `${user}:${encodeURIComponent(password)}`
  return {
    DATABASE_URL: host.startsWith('/')
      ? `postgres://${login}@localhost:${port}/${databaseName}?host=${encodeURIComponent(host)}`
      : `postgres://${login}@${host}:${port}/${databaseName}`,
    WARUNG_MASTER_KEY: createHash('sha256').update(template).digest('base64'),
    WARUNG_DEMO: 'all',
  }
}

async function onServer<T>(work: (admin: pg.Client) => Promise<T>): Promise<T> {
  const { template: _, ...server } = inject('cluster')
  const admin = new pg.Client({ ...server, database: 'postgres' })
  await admin.connect()
  try {
    return await work(admin)
  } finally {
    await admin.end()
  }
}
