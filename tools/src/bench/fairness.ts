import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { payersFrom, prepareLedger } from './ledger.ts'
import type { Print } from './measure.ts'
import type { PayOrders } from './payers.ts'
import { ANSWERED_AT_ONCE, openWallets, startTogether } from './payers.ts'
import { findPgbench } from './pgbench.ts'
import type { Service } from './service.ts'
import { launchService } from './service.ts'
import type { Credentials } from './signed.ts'

const NEIGHBOURS = 10
const NEIGHBOURS_PER_SECOND = 20
/** Rate of the loud reseller: a hundred times that of one neighbour. */
const LOUD_PER_SECOND = (NEIGHBOURS_PER_SECOND / NEIGHBOURS) * 100
const SECONDS = 10
const ROUNDS = 6
const WARM_UP_PAYMENTS = 40_000
const RATIO_WANTED = 1.5

/**
 * Measures what one reseller at a hundred times its neighbours' rate costs them: `npm run bench -- payments --fairness`.
 */
export async function measureFairness(print: Print) {
  const dataDir = await mkdtemp(join(tmpdir(), 'warung-bench-'))
  const service = await launchService(dataDir)
  try {
    const [loud, ...neighbours] = await openWallets(service, NEIGHBOURS + 1)
    if (loud !== undefined) await compareNeighbours(print, service, loud, neighbours)
  } finally {
    await service.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

function ordersFor(
  service: Service,
  credentials: Credentials[],
  perSecond: number,
  connections: number,
): PayOrders {
  return {
    url: `${service.baseUrl}/v2/topup`,
    credentials,
    connections,
    requests: perSecond * SECONDS,
    perSecond,
    payment: ANSWERED_AT_ONCE,
    withLatencies: true,
  }
}

/** Lets groups of payers pay at the same time, each at its steady rate. Returns the latencies of the first group. */
async function pay(...groups: PayOrders[]): Promise<number[]> {
  const results = await startTogether(...groups)
  const broken = results.find(({ failed }) => failed > 0)
  if (broken !== undefined) throw new Error(`${broken.failed} payments failed, such as: ${broken.example}`)
  return results[0]?.latenciesMs ?? []
}

const ofLoud = (service: Service, loud: Credentials) => ordersFor(service, [loud], LOUD_PER_SECOND, 32)

/**
 * Measures the neighbours alone, beside the loud reseller, and beside the same load from many resellers. The last shows
 * how much of the difference is load, which any service has, and how much is the one wallet that it all belongs to. The
 * latencies of all rounds are taken together: the p99 of one round would be that of its two slowest payments.
 */
async function compareNeighbours(
  print: Print,
  service: Service,
  loud: Credentials,
  neighbours: Credentials[],
) {
  const spread = await openWallets(service, 100)
  const ofNeighbours = ordersFor(service, neighbours, NEIGHBOURS_PER_SECOND, NEIGHBOURS)
  const kinds: Record<string, () => Promise<number[]>> = {
    alone: () => pay(ofNeighbours),
    'beside one': () => pay(ofNeighbours, ofLoud(service, loud)),
    'beside many': () => pay(ofNeighbours, ordersFor(service, spread, LOUD_PER_SECOND, 32)),
    ...(await openLedger(service)),
  }
  await warmUp(service, spread)
  const all = Object.entries(kinds).map(([name, measure]) => ({ name, measure, latencies: [] as number[] }))
  for (let round = 0; round <= ROUNDS; round += 1) {
    const figures: string[] = []
    // The order rotates, so that what one kind leaves to be done does not always fall to the same other one.
    const first = round % all.length
    for (const { name, measure, latencies: kept } of [...all.slice(first), ...all.slice(0, first)]) {
      const latencies = await measure()
      // The first round warms up code and caches.
      if (round > 0) kept.push(...latencies)
      figures.push(`${name} ${at(latencies, 0.99).toFixed(1)} ms`)
    }
    if (round > 0) print(`  round ${round} of ${ROUNDS}: neighbours' p99 ${figures.join(', ')}`)
  }
  for (const { name, latencies } of all) {
    latencies.sort((a, b) => a - b)
    const [p50, p99] = [at(latencies, 0.5), at(latencies, 0.99)]
    print(`  neighbours ${name}: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms of ${latencies.length}`)
  }
  const p99Of = (name: string) => at(all.find((each) => each.name === name)?.latencies ?? [], 0.99)
  const ratio = (name: string, alone = 'alone') => (p99Of(name) / p99Of(alone)).toFixed(2)
  print(
    `  neighbours' p99 beside one reseller at 100 × their rate: ${ratio('beside one')} × (wanted: under ${RATIO_WANTED})`,
  )
  print(`  the same load from 100 resellers: ${ratio('beside many')} ×`)
  if ('ledger beside one' in kinds)
    print(`  a bare SQL ledger: ${ratio('ledger beside one', 'ledger alone')} ×`)
}

/**
 * Brings the service and its database into the state of a service that has worked for a while. V8 has compiled the code of
 * payments, beside which a new process pauses more; the checkpoint gives the database old segments of its log to write
 * into, where a new database has to make each one.
 */
async function warmUp(service: Service, credentials: Credentials[]) {
  const { baseUrl, runtime } = service
  const quickly = { connections: 128, requests: WARM_UP_PAYMENTS, payment: ANSWERED_AT_ONCE }
  await pay({ url: `${baseUrl}/v2/topup`, credentials, ...quickly, withLatencies: true })
  await pay(ordersFor(service, credentials, LOUD_PER_SECOND, 32))
  await runtime.database.query('checkpoint')
}

/**
 * Prepares the same rates on a bare SQL ledger, without a service: its neighbours wait only for the database. Returns
 * nothing without pgbench.
 */
async function openLedger({ runtime }: Service): Promise<Record<string, () => Promise<number[]>>> {
  const pgbench = findPgbench()
  if (pgbench === undefined) return {}
  const ledger = await prepareLedger(pgbench, runtime, NEIGHBOURS + 1)
  const ofNeighbours = () =>
    ledger.latenciesMs(
      { clients: NEIGHBOURS, perSecond: NEIGHBOURS_PER_SECOND, seconds: SECONDS },
      payersFrom(2, NEIGHBOURS + 1),
    )
  const ofLoud = () =>
    ledger.latenciesMs(
      { clients: 32, perSecond: LOUD_PER_SECOND, seconds: SECONDS },
      payersFrom(NEIGHBOURS + 2, NEIGHBOURS + 2),
    )
  const sorted = (latencies: number[]) => latencies.sort((a, b) => a - b)
  return {
    'ledger alone': async () => sorted(await ofNeighbours()),
    'ledger beside one': async () => sorted((await Promise.all([ofNeighbours(), ofLoud()]))[0]),
  }
}

const at = (sorted: number[], part: number) => sorted[Math.floor(sorted.length * part)] ?? Number.NaN
