import pg from 'pg'
import type { Demo } from '../catalog.ts'
import { startDemo } from '../catalog.ts'
import type { Node, TestReseller } from '../edge.ts'
import { createReseller, untilKnown } from '../edge.ts'
import { signed } from '../http.ts'
import { makeClockMovable } from '../nodes/movable-clock.ts'
import { deposit } from '../payments.ts'
import type { Receiver } from '../receiver/receiver.ts'
import { REACHES_RECEIVER, startReceiver } from '../receiver/receiver.ts'
import { until } from '../service.ts'
import type { Reseller } from './clients.ts'
import type { Guards } from './guards.ts'
import { guard } from './guards.ts'
import type { FaultyNode } from './nodes.ts'
import { createNode, startPersistently } from './nodes.ts'
import type { WorldEvent } from './records.ts'
import { BALANCE_TYPES } from './records.ts'
import type { FaultySupplier } from './suppliers.ts'
import { routeTo, startSupplier } from './suppliers.ts'
import type { TcpProxy } from './tcp-proxy.ts'
import { startTcpProxy } from './tcp-proxy.ts'

export const LEASE_SECONDS = 4

const SETTINGS = {
  ...REACHES_RECEIVER,
  WARUNG_OUTBOUND_ALLOW: '127.0.0.0/8',
  WARUNG_LEASE_SECONDS: String(LEASE_SECONDS),
  WARUNG_SIMULATOR_TIMEOUT_SECONDS: '1',
  WARUNG_DELIVERY_TIMEOUT_SECONDS: '2',
  WARUNG_RATE_EXEMPT: '127.0.0.1',
  // One operator alone decides about most payments of a run; voids of the dearer ones need a second person.
  WARUNG_RESOLVE_ALONE_MAX: '20',
} as const

/** Settings of the nodes alone. The world is opened without haste, on a machine that may be busy. */
const NODE_SETTINGS = { WARUNG_DEMO: 'none', WARUNG_DATABASE_STATEMENT_SECONDS: '3' } as const

export type World = {
  readonly nodes: readonly FaultyNode[]
  readonly suppliers: readonly FaultySupplier[]
  readonly receiver: Receiver
  readonly receiverLink: TcpProxy
  readonly resellers: readonly Reseller[]
  readonly guards: readonly Guards[]
  /** All paths at the receiver. */
  readonly paths: readonly string[]
  readonly deaths: WorldEvent[]
  /** Milliseconds since the world was open. */
  nowMs(): number
  readonly demo: Demo
  /**
   * Runs the operator's command, beside the nodes and on an unbroken link to the database. Undefined: it failed, or it
   * is not known what it did.
   */
  command<T>(...args: string[]): Promise<T | undefined>
  /** Runs a statement on an unbroken link. It is tried again while the database is away. */
  query<Row extends pg.QueryResultRow>(text: string, values?: readonly unknown[]): Promise<Row[]>
  /** Ends every session of the database at once: with a crash and a recovery of the server if it is ours alone. */
  restartDatabase(): Promise<void>
  /** Sets the database's clock forward. */
  moveDatabaseClock(seconds: number): Promise<void>
  close(): Promise<void>
}

export type WorldOptions = {
  readonly nodes: number
  readonly resellers: number
  readonly ownsDatabase: boolean
  /** Program of the nodes; by default the one that all tests run. */
  readonly program?: string | undefined
  /** Statements that change the database before a node starts: functions of a broken build. */
  readonly statements?: readonly string[]
}

export async function openWorld(options: WorldOptions): Promise<World> {
  const demo = await startDemo(SETTINGS)
  const url = String(demo.service.environment.DATABASE_URL)
  const query = queryAt(url)
  const receiver = await startReceiver()
  const receiverLink = await startTcpProxy({ host: '127.0.0.1', port: portOf(receiver.urls.plain) })
  const startedMs = performance.now()
  const nowMs = () => Math.round(performance.now() - startedMs)
  const deaths: WorldEvent[] = []
  const onDeath = (text: string) => void deaths.push({ atMs: nowMs(), untilMs: nowMs(), text })
  const nodes = await createNodes(demo, options, onDeath)
  const suppliers = await connectSuppliers(demo, nodes)
  const receiverUrl = `http://127.0.0.1:${receiverLink.port}`
  const opened = await openAccounts(demo.service, receiver, receiverUrl, options.resellers)
  const { paths } = opened
  const { resellers, guards } = await guardAll(demo.service, opened.resellers)
  for (const statement of options.statements ?? []) await query(statement)
  if (options.ownsDatabase) await makeClockMovable(query)
  await demo.service.kill9()
  await Promise.all(nodes.map((node) => startPersistently(node)))
  await untilReached(nodes, resellers)
  return {
    nodes,
    suppliers,
    receiver,
    receiverLink,
    resellers,
    guards,
    paths,
    deaths,
    nowMs,
    demo,
    command: <T>(...args: string[]) => inTime(demo.service.warungd<T>(...args)),
    query,
    restartDatabase: () => (options.ownsDatabase ? crashServer(url) : endSessions(query)),
    async moveDatabaseClock(seconds) {
      await query('update moved_clock set by_seconds = by_seconds + $1', [seconds])
    },
    async close() {
      await Promise.all(nodes.map((node) => node.close()))
      await receiverLink.close()
      for (const { link } of suppliers) await link.close()
      await demo.end()
    },
  }
}

function portOf(url: string): number {
  return Number(new URL(url).port)
}

/** Makes the nodes without starting them. They have the settings of the demo, and find its data in the database. */
async function createNodes(
  { service }: Demo,
  { nodes: count, program }: WorldOptions,
  onDeath: (text: string) => void,
): Promise<FaultyNode[]> {
  const kept = Object.entries(service.environment).filter(
    ([name]) => /^(WARUNG_|DATABASE_URL$)/.test(name) && name !== 'WARUNG_DATA_DIR',
  )
  const environment = { ...(Object.fromEntries(kept) as Record<string, string>), ...NODE_SETTINGS }
  const nodes: FaultyNode[] = []
  for (let index = 0; index < count; index += 1) {
    nodes.push(await createNode({ index, environment, program, onDeath }))
  }
  return nodes
}

async function connectSuppliers(
  { service }: Demo,
  nodes: readonly FaultyNode[],
): Promise<readonly FaultySupplier[]> {
  const callbackUrlOf = (index: number) => (nodes[index % nodes.length] as FaultyNode).url
  const north = await startSupplier(service, { code: 'north', callbackUrl: callbackUrlOf(0), repeats: true })
  const south = await startSupplier(service, { code: 'south', callbackUrl: callbackUrlOf(1), repeats: false })
  await routeTo(service, 'KITA', ['north', 'south'])
  await routeTo(service, 'NOVA', ['south'])
  await routeTo(service, 'VOLT', ['north'])
  return [north, south]
}

/** Streams that the receiver gets, and its path of each for an account. */
export function pathOf(stream: 'callback' | 'balance', account: string): string {
  return `/${stream}/${account}`
}

const RICH = '1000000'
const POOR = '40'

/**
 * Makes the resellers, whose callbacks and balance webhooks go to the receiver under this address. The last one is poor: its payments are
 * rejected until an operator puts money into its wallet.
 */
export async function openAccounts(
  service: Node,
  receiver: Receiver,
  receiverUrl: string,
  count: number,
): Promise<{ resellers: Reseller[]; paths: string[] }> {
  const resellers: Reseller[] = []
  const paths: string[] = []
  for (let index = 0; index < count; index += 1) {
    const isPoor = index === count - 1
    const made = await createReseller(service)
    paths.push(...(await receiveEvents(service, receiver, receiverUrl, made)))
    // The receivers learn of the first deposit, too.
    await deposit(service, made.account, isPoor ? POOR : RICH)
    resellers.push({ ...made, isPoor })
  }
  return { resellers, paths }
}

/** Guards all resellers, which then pay with keys of their own. */
async function guardAll(service: Node, opened: readonly Reseller[]) {
  const guarded: { reseller: Reseller; guards: Guards }[] = []
  for (const [index, each] of opened.entries()) {
    const { reseller, guards } = await guard(service, each, index, each.isPoor)
    guarded.push({ reseller: { ...reseller, isPoor: each.isPoor, asksQuotes: true }, guards })
  }
  return {
    resellers: guarded.map(({ reseller }) => reseller),
    guards: guarded.map(({ guards }) => guards),
  }
}

/** Has the callbacks and the balance webhooks of an account sent to the receiver. Returns their paths. */
async function receiveEvents(
  { baseUrl }: Pick<Node, 'baseUrl'>,
  receiver: Receiver,
  receiverUrl: string,
  reseller: TestReseller,
): Promise<string[]> {
  const urlOf = (path: string) => `${receiverUrl}${path}`
  const call = async (method: string, path: string, json?: unknown) => {
    const answer = await signed(baseUrl, reseller, { method, path, ...(json !== undefined && { json }) })
    if (answer.status > 201) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
    return answer.json<{ webhook_secret: string }>()
  }
  const callbacks = pathOf('callback', reseller.account)
  const balance = pathOf('balance', reseller.account)
  await call('POST', `/v2/callback-url?url=${encodeURIComponent(urlOf(callbacks))}&method=POST`)
  const called = await call('POST', '/v2/callback-url/secret/rotate')
  const hooked = await call('PUT', '/v2/balance-webhook', { url: urlOf(balance) })
  await call('PUT', '/v2/balance-webhook/types', { types: BALANCE_TYPES })
  await receiver.verifyWith(callbacks, called.webhook_secret)
  await receiver.verifyWith(balance, hooked.webhook_secret)
  return [callbacks, balance]
}

/** Waits until every node knows every account and sends its orders to the suppliers. */
export async function untilReached(
  nodes: readonly Pick<FaultyNode, 'url'>[],
  resellers: readonly Reseller[],
): Promise<void> {
  for (const node of nodes) {
    for (const reseller of resellers) {
      const service = { baseUrl: node.url, warungd: () => Promise.reject(new Error('no command is needed')) }
      await untilKnown(service, reseller)
    }
  }
}

const COMMAND_MS = 20_000

/** Waits for a command, for a bounded time and with any result. */
function inTime<T>(work: Promise<T>): Promise<T | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(undefined), COMMAND_MS)
    work.then(resolve, () => resolve(undefined)).finally(() => clearTimeout(timer))
  })
}

export type Query = World['query']

/** Makes the function that runs statements at this address, and tries them again while the database is away. */
export function queryAt(url: string): Query {
  return <Row extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []) =>
    persistently(url, (client) => client.query<Row>(text, [...values])).then(({ rows }) => rows)
}

async function endSessions(query: Query): Promise<void> {
  await query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`,
  )
}

/** Kills one session with SIGKILL: the server ends all others at once, and recovers from its log. */
async function crashServer(url: string): Promise<void> {
  const client = await connect(url)
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  process.kill(Number(rows[0]?.pid), 'SIGKILL')
  await client.end().catch(() => {})
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  // The server may end while the connection is open.
  client.on('error', () => {})
  await client.connect()
  return client
}

/** Errors of a database that is away; another error is a mistake of the statement. */
const AWAY = /^(57P|08|53)/

function persistently<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  return until('the database answers', async () => {
    let client: pg.Client | undefined
    try {
      client = await connect(url)
      return await work(client)
    } catch (error) {
      const { severity, code } = error as { severity?: string; code?: string }
      if (severity === 'ERROR' && !AWAY.test(code ?? '')) throw error
      return undefined
    } finally {
      await client?.end().catch(() => {})
    }
  })
}
