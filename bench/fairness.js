import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { measureLatency, startReceiver } from './events.js'
import { median } from './measure.js'
import { ANSWERED_AT_ONCE, openWallets, startPayers } from './payments.js'
import { launchService } from './service.js'

const NEIGHBOURS = 10
const NEIGHBOURS_PER_SECOND = 20
/** Rate of the loud reseller: a hundred times that of one neighbour. */
const LOUD_PER_SECOND = (NEIGHBOURS_PER_SECOND / NEIGHBOURS) * 100
const SECONDS = 10
const ROUNDS = 5
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

/** Pays at a steady rate and returns the latencies. */
async function pay(service, credentials, perSecond, connections) {
  const result = await startPayers({
    url: `${service.baseUrl}/v2/topup`,
    credentials,
    connections,
    requests: perSecond * SECONDS,
    perSecond,
    payment: ANSWERED_AT_ONCE,
  })
  if (result.failed > 0) throw new Error(`${result.failed} payments failed, such as: ${result.example}`)
  return result
}

const payNeighbours = (service, neighbours) => pay(service, neighbours, NEIGHBOURS_PER_SECOND, NEIGHBOURS)
const payLoud = (service, loud) => pay(service, [loud], LOUD_PER_SECOND, 32)

/**
 * Measures the neighbours alone, beside the loud reseller, and beside the same load from many resellers. The last shows
 * how much of the difference is load, which any service has, and how much is the one wallet that it all belongs to.
 */
async function compareNeighbours(print, service, loud, neighbours) {
  const spread = await openWallets(service, 100)
  const rounds = []
  for (let round = 0; round <= ROUNDS; round += 1) {
    const alone = await payNeighbours(service, neighbours)
    const [beside] = await Promise.all([payNeighbours(service, neighbours), payLoud(service, loud)])
    const [amongMany] = await Promise.all([
      payNeighbours(service, neighbours),
      pay(service, spread, LOUD_PER_SECOND, 32),
    ])
    // The first round warms up code and caches.
    if (round === 0) continue
    rounds.push({ alone: alone.p99Ms, beside: beside.p99Ms, amongMany: amongMany.p99Ms })
    print(
      `  round ${round} of ${ROUNDS}: neighbours' p99 ${figures(rounds.at(-1))} (alone, beside one, beside many)`,
    )
  }
  const ratio = (name, to) => median(rounds.map((each) => each[name] / each[to])).toFixed(2)
  print(
    `  neighbours' p99 beside one reseller at 100 × their rate: ${ratio('beside', 'alone')} × (wanted: under ${WANTED.ratio})`,
  )
  print(`  the same load from 100 resellers: ${ratio('amongMany', 'alone')} ×`)
}

const figures = ({ alone, beside, amongMany }) =>
  `${alone.toFixed(1)} ms, ${beside.toFixed(1)} ms, ${amongMany.toFixed(1)} ms`

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
      payLoud(service, loud),
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
