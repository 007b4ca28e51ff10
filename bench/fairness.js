import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { measureLatency, startReceiver } from './events.js'
import { payersFrom, prepareLedger } from './ledger.js'
import { median } from './measure.js'
import { ANSWERED_AT_ONCE, openWallets, startTogether } from './payments.js'
import { findPgbench } from './pgbench.js'
import { launchService } from './service.js'

const NEIGHBOURS = 10
const NEIGHBOURS_PER_SECOND = 20
/** Rate of the loud reseller: a hundred times that of one neighbour. */
const LOUD_PER_SECOND = (NEIGHBOURS_PER_SECOND / NEIGHBOURS) * 100
const SECONDS = 10
const ROUNDS = 6
const WARM_UP_PAYMENTS = 40_000
const WANTED = { ratio: 1.5, p99Ms: 100 }

export default {
  name: 'fairness',
  summary: `one reseller at 100 × its neighbours' rate; one receiver that hangs while other work goes on`,
  async run(print) {
    const dataDir = await mkdtemp(join(tmpdir(), 'warung-bench-'))
    const receiver = await startReceiver()
    const service = await launchService(dataDir, { WARUNG_OUTBOUND_ALLOW: '127.0.0.0/8' })
    try {
      const [loud, ...neighbours] = await openWallets(service, NEIGHBOURS + 1)
      await compareNeighbours(print, service, loud, neighbours)
      await compareCallbacks(print, service, receiver, loud, neighbours)
    } finally {
      receiver.stop()
      await service.stop()
      await rm(dataDir, { recursive: true, force: true })
    }
  },
}

function ordersFor(service, credentials, perSecond, connections) {
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
async function pay(...groups) {
  const results = await startTogether(...groups)
  const broken = results.find(({ failed }) => failed > 0)
  if (broken !== undefined) throw new Error(`${broken.failed} payments failed, such as: ${broken.example}`)
  return results[0].latenciesMs
}

const ofLoud = (service, loud) => ordersFor(service, [loud], LOUD_PER_SECOND, 32)

/**
 * Measures the neighbours alone, beside the loud reseller, and beside the same load from many resellers. The last shows
 * how much of the difference is load, which any service has, and how much is the one wallet that it all belongs to. The
 * latencies of all rounds are taken together: the p99 of one round would be that of its two slowest payments.
 */
async function compareNeighbours(print, service, loud, neighbours) {
  const spread = await openWallets(service, 100)
  const ofNeighbours = ordersFor(service, neighbours, NEIGHBOURS_PER_SECOND, NEIGHBOURS)
  const kinds = {
    alone: () => pay(ofNeighbours),
    'beside one': () => pay(ofNeighbours, ofLoud(service, loud)),
    'beside many': () => pay(ofNeighbours, ordersFor(service, spread, LOUD_PER_SECOND, 32)),
    ...(await openLedger(service)),
  }
  await warmUp(service, spread)
  const names = Object.keys(kinds)
  const all = Object.fromEntries(names.map((name) => [name, []]))
  for (let round = 0; round <= ROUNDS; round += 1) {
    const figures = []
    // The order rotates, so that what one kind leaves to be done does not always fall to the same other one.
    for (let step = 0; step < names.length; step += 1) {
      const name = names[(round + step) % names.length]
      const latencies = await kinds[name]()
      // The first round warms up code and caches.
      if (round > 0) all[name].push(...latencies)
      figures.push(`${name} ${at(latencies, 0.99).toFixed(1)} ms`)
    }
    if (round > 0) print(`  round ${round} of ${ROUNDS}: neighbours' p99 ${figures.join(', ')}`)
  }
  for (const name of names) {
    all[name].sort((a, b) => a - b)
    const [p50, p99] = [at(all[name], 0.5), at(all[name], 0.99)]
    print(`  neighbours ${name}: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms of ${all[name].length}`)
  }
  const ratio = (name, alone = 'alone') => (at(all[name], 0.99) / at(all[alone], 0.99)).toFixed(2)
  print(
    `  neighbours' p99 beside one reseller at 100 × their rate: ${ratio('beside one')} × (wanted: under ${WANTED.ratio})`,
  )
  print(`  the same load from 100 resellers: ${ratio('beside many')} ×`)
  if ('ledger beside one' in all)
    print(`  a bare SQL ledger: ${ratio('ledger beside one', 'ledger alone')} ×`)
}

/**
 * Brings the service and its database into the state of a service that has worked for a while. V8 has compiled the code of
 * payments, beside which a new process pauses more; the checkpoint gives the database old segments of its log to write
 * into, where a new database has to make each one.
 */
async function warmUp(service, credentials) {
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
async function openLedger({ runtime }) {
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
  const sorted = (latencies) => latencies.sort((a, b) => a - b)
  return {
    'ledger alone': async () => sorted(await ofNeighbours()),
    'ledger beside one': async () => sorted((await Promise.all([ofNeighbours(), ofLoud()]))[0]),
  }
}

const at = (sorted, part) => sorted[Math.floor(sorted.length * part)]

/** Measures from the commit to the first callback, one receiver hanging: on a quiet service, and while others pay. */
async function compareCallbacks(print, service, receiver, loud, neighbours) {
  const shape = { perSecond: 100, seconds: SECONDS }
  // The first run warms up code and caches.
  await measureLatency(service, receiver, neighbours, shape)
  const measured = { quiet: [], working: [] }
  for (let round = 1; round <= ROUNDS; round += 1) {
    measured.quiet.push(await measureLatency(service, receiver, neighbours, shape))
    const [working] = await Promise.all([
      measureLatency(service, receiver, neighbours, shape),
      pay(ofLoud(service, loud)),
    ])
    measured.working.push(working)
    print(`  round ${round} of ${ROUNDS}: commit to first callback`)
  }
  for (const [name, runs] of Object.entries(measured)) {
    const of = (key) => median(runs.map((run) => run[key])).toFixed(0)
    print(
      `  commit to first callback, ${name}, one of ${NEIGHBOURS} receivers hanging: p50 ${of('p50Ms')} ms, p99 ${of('p99Ms')} ms ` +
        `(wanted: p99 under ${WANTED.p99Ms} ms)`,
    )
  }
}
