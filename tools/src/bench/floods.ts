import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createReseller } from '../../../packages/server/dist/modules/accounts/service.js'
import { deposit } from '../../../packages/server/dist/modules/wallet/balance/service.js'
import type { FloodOrders, Met } from './flood-load.ts'
import type { Probed, StartProbes } from './flood-probes.ts'
import { openProbes } from './flood-probes.ts'
import type { Print } from './measure.ts'
import { ANSWERED_AT_ONCE, openKey, openWallets, startPayers } from './payers.ts'
import type { Service } from './service.ts'
import { launchService } from './service.ts'
import type { Credentials } from './signed.ts'

const PAYERS = 10
const PAYING_CONNECTIONS = 64
const ATTACKER_RINGGIT = 10_000_000n * 10_000n

/** Floods with the number of their connections. Those that send do so at `--rate` requests a second in all. */
const FLOODS = {
  connections: 2_400,
  'half bodies': 320,
  'slow readers': 320,
  'deep JSON': 32,
  patterns: 32,
  'dead names': 32,
  'forged signatures': 64,
  'sign-ins': 320,
  'blank lines': 1,
}

/** Floods that send as fast as they can, whatever the rate of the others is. */
const AT_FULL_SPEED = new Set(['sign-ins', 'blank lines'])

/** Addresses of this machine from which the attacker comes. Payers have another one, as strangers do. */
const ADDRESSES = Array.from({ length: 8 }, (_, index) => `127.0.2.${index + 1}`)
/** Wrong sign-ins come from more of them: an address has few attempts a second. */
const SIGN_IN_ADDRESSES = Array.from({ length: 16 }, (_, index) => `127.0.2.${index + 1}`)

/** Small bounds, so that eight addresses can reach them, and a stall that ends within a run. */
const SETTINGS = {
  WARUNG_PROCESSES: '1',
  WARUNG_CONNECTIONS_MAX: '2000',
  WARUNG_CONNECTIONS_PER_ADDRESS: '200',
  WARUNG_WRITE_STALL_SECONDS: '3',
  // Every address here is limited as strangers are.
  WARUNG_RATE_EXEMPT: '192.0.2.0/24',
}

type Bench = {
  service: Service
  metricsPort: number
  options: ReturnType<typeof readOptions>
  payers: Credentials[]
  attacker: Credentials
  probe: StartProbes
}
type Paying = { p50Ms: number; p99Ms: number; failed: number }
type Figures = { connections: { refused: number; evicted: number; stalled: number }; pauseMs: number }

/** Measures what each flood costs the payments beside it (Linux): `npm run bench -- edge --floods`. */
export async function measureFloods(print: Print) {
  const options = readOptions()
  const dataDir = await mkdtemp(join(tmpdir(), 'warung-bench-'))
  const names = await startSilentNameServer()
  const metricsPort = await findFreePort()
  const service = await launchService(dataDir, {
    ...SETTINGS,
    WARUNG_METRICS_PORT: String(metricsPort),
    WARUNG_DNS_SERVERS: names.address,
  })
  try {
    const payers = await openWallets(service, PAYERS)
    const [first] = payers
    if (first === undefined) return
    const bench = {
      ...{ service, metricsPort, options, payers },
      attacker: await openAttacker(service),
      probe: await openProbes(service, first),
    }
    await measureEach(print, bench)
  } finally {
    names.close()
    await service.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

function readOptions() {
  const number = { type: 'string' } as const
  const { values } = parseArgs({
    args: process.argv.slice(2),
    options: {
      floods: { type: 'boolean' },
      seconds: number,
      'per-second': number,
      rate: number,
      only: number,
    },
    allowPositionals: true,
  })
  return {
    seconds: Number(values.seconds ?? 20),
    perSecond: Number(values['per-second'] ?? 50),
    rate: Number(values.rate ?? 400),
    only: values.only,
  }
}

async function measureEach(print: Print, bench: Bench) {
  const { seconds, perSecond, rate } = bench.options
  // The first run warms up code and caches.
  await pay(bench)
  print(
    `  ${perSecond} payments a second for ${seconds} s, alone and beside each flood (${rate} requests a second)`,
  )
  print('')
  print(
    '  | flood | p50 alone | p50 beside | p99 alone | p99 beside | payments lost | longest pause | the flood met |',
  )
  print('  |---|---|---|---|---|---|---|---|')
  let lost = 0
  const besides: string[] = []
  for (const [kind, connections] of Object.entries(FLOODS)) {
    if (bench.options.only !== undefined && bench.options.only !== kind) continue
    const alone = await payProbed(bench)
    const before = await readFigures(bench)
    const flood = startFlood(bench, kind, connections)
    await untilSent(flood)
    const beside = await payProbed(bench)
    const met = await flood.stop()
    lost += beside.failed
    const after = await readFigures(bench)
    const cells = [
      kind,
      figures(alone, beside),
      beside.failed,
      `${after.pauseMs} ms`,
      describe(met, before, after),
    ]
    print(`  | ${cells.join(' | ')} |`)
    besides.push(describeProbes(kind, alone, beside))
  }
  print('')
  for (const text of besides) print(text)
  print('')
  print(`  payments lost beside all floods: ${lost} (wanted: 0)`)
}

/** Pays at a steady rate. Payers whose connection breaks count as lost. */
async function pay({ service, payers, options }: Bench): Promise<Paying> {
  const requests = options.perSecond * options.seconds
  try {
    return await startPayers({
      url: `${service.baseUrl}/v2/topup`,
      credentials: payers,
      connections: PAYING_CONNECTIONS,
      requests,
      perSecond: options.perSecond,
      fromSchedule: true,
      payment: ANSWERED_AT_ONCE,
    })
  } catch {
    return { p50Ms: Number.NaN, p99Ms: Number.NaN, failed: requests }
  }
}

/** Pays while a known browser signs in now and then and a reseller reads its balance. */
async function payProbed(bench: Bench): Promise<Paying & { probes: Probed }> {
  const stop = bench.probe()
  const paid = await pay(bench)
  return { ...paid, probes: await stop() }
}

function describeProbes(kind: string, alone: { probes: Probed }, beside: { probes: Probed }) {
  const ratio = (beside.probes.balanceMs / alone.probes.balanceMs).toFixed(1)
  const { balanceMs, balancesFailed, signIns, slowestSignInMs } = beside.probes
  return (
    `  ${kind}: balance p50 ${alone.probes.balanceMs.toFixed(1)} ms alone, ${balanceMs.toFixed(1)} ms beside (${ratio}), ` +
    `${balancesFailed} failed; a known browser signed in ${signIns} times, the slowest took ${Math.round(slowestSignInMs)} ms`
  )
}

const figures = (alone: Paying, beside: Paying) =>
  [alone.p50Ms, beside.p50Ms, alone.p99Ms, beside.p99Ms].map((ms) => `${ms.toFixed(1)} ms`).join(' | ')

function describe({ sent, answers }: Met, before: Figures, after: Figures) {
  const answered = Object.entries(answers).map(([status, count]) => `${count} × ${status}`)
  const cut = (['refused', 'evicted', 'stalled'] as const).flatMap((name) => {
    const count = after.connections[name] - before.connections[name]
    return count > 0 ? [`${count} connections ${name}`] : []
  })
  return [`${sent} sent`, ...answered, ...cut].join(', ')
}

// ── The attacker ──

const LOAD = fileURLToPath(new URL('./flood-load.js', import.meta.url))

function startFlood({ service, attacker, options }: Bench, kind: string, connections: number) {
  const orders: FloodOrders = {
    ...{ url: service.baseUrl, kind, connections },
    perSecond: AT_FULL_SPEED.has(kind) ? null : options.rate,
    addresses: kind === 'sign-ins' ? SIGN_IN_ADDRESSES : ADDRESSES,
    ...attacker,
  }
  const child = spawn(process.execPath, [LOAD, JSON.stringify(orders)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let text = ''
  child.stdout.on('data', (chunk) => {
    text += chunk
  })
  return {
    child,
    async stop() {
      child.stdin.end()
      await once(child, 'close')
      return JSON.parse(text) as Met
    },
  }
}

/** Gives the flood a second to rise. */
async function untilSent({ child }: { child: ChildProcess }) {
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  if (child.exitCode !== null) throw new Error(`the attacker ended with ${child.exitCode}`)
}

/** Opens an account for the attacker, who is a reseller too: most floods need a key. */
async function openAttacker(service: Service) {
  const { database, vault } = service.runtime
  const accounts = { database, vault, environment: 'staging' as const }
  const contact = { name: 'Attacker', email: 'bench@warung.example', priceLevel: 'STANDARD' }
  const { id } = await createReseller(accounts, contact)
  const credentials = await openKey(accounts, id, ['read', 'pay', 'configure'])
  await database.transaction((tx) =>
    deposit(tx, { resellerId: id, amount: ATTACKER_RINGGIT, remarks: 'bench' }),
  )
  return credentials
}

// ── Edges ──

/** Starts a name server that never answers. */
async function startSilentNameServer() {
  const socket = createSocket('udp4')
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return { address: `127.0.0.1:${socket.address().port}`, close: () => socket.close() }
}

async function findFreePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/**
 * Reads how many connections the service has ended by itself since its start, and how long its event loop stood still at
 * most since the last reading.
 */
async function readFigures({ metricsPort }: Bench): Promise<Figures> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  const read = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN)
  const count = (name: string) => read(`warung_connections_${name}`)
  return {
    connections: { refused: count('refused'), evicted: count('evicted'), stalled: count('stalled') },
    pauseMs: Math.round(read('nodejs_eventloop_lag_max_seconds') * 1_000),
  }
}
