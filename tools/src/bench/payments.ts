import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Runtime } from '../../../packages/server/dist/runtime.js'
import { measureFairness } from './fairness.ts'
import { measureGuards } from './guards.ts'
import { prepareLedger } from './ledger.ts'
import type { Print, Suite } from './measure.ts'
import { median } from './measure.ts'
import type { Payment, PaymentsResult } from './payers.ts'
import { ANSWERED_AT_ONCE, measurePayments, NEVER_ANSWERED, openWallets, SILENT } from './payers.ts'
import type { Pgbench } from './pgbench.ts'
import { findPgbench, preparePgbench } from './pgbench.ts'
import type { Service } from './service.ts'
import { launchService } from './service.ts'
import type { Credentials } from './signed.ts'

const WALLETS = 1_000
/** Numbers of connections of which the best one counts, as the best number of clients counts for pgbench. */
const CONNECTIONS_TRIED = [64, 128, 256]
const ROUNDS = 3
const SCALES = [50, 1]
const PGBENCH_CLIENTS = [8, 32, 48]
const PGBENCH_SECONDS = 4

type Candidate = {
  name: string
  payment: Payment
  wallets: number
  scale: number
  wanted: number
  prototype: number
  untilFinal?: boolean
}

type Yardsticks = Map<number | string, Pgbench>

/** Candidates, each with the wanted figure and the figure of the prototype that it should beat. */
const CANDIDATES: Candidate[] = [
  {
    name: 'created, 1,000 wallets',
    payment: NEVER_ANSWERED,
    wallets: WALLETS,
    scale: 50,
    wanted: 1.6,
    prototype: 1.5,
  },
  {
    name: 'created, one hot wallet',
    payment: NEVER_ANSWERED,
    wallets: 1,
    scale: 1,
    wanted: 2.5,
    prototype: 2.3,
  },
  {
    name: 'whole life, 1,000 wallets',
    payment: ANSWERED_AT_ONCE,
    wallets: WALLETS,
    scale: 50,
    wanted: 1.25,
    prototype: 1.0,
    untilFinal: true,
  },
]

/** Measures a candidate with each number of connections, and returns the best result. */
async function bestPayments(service: Service, credentials: Credentials[], candidate: Candidate) {
  const results: PaymentsResult[] = []
  for (const connections of CONNECTIONS_TRIED) {
    results.push(await measurePayments(service, credentials, { ...candidate, connections }))
  }
  return results.reduce((best, each) => (each.perSecond > best.perSecond ? each : best))
}

async function bestOf(yardstick: Pgbench) {
  const rates: number[] = []
  for (const clients of PGBENCH_CLIENTS) rates.push(await yardstick.measure(clients, PGBENCH_SECONDS))
  return Math.max(...rates)
}

/** Names the bare SQL ledger that a candidate is measured beside. */
const ledgerOf = ({ wallets }: { wallets: number }) => `ledger ${wallets}`

/** Prepares a database for each scale of TPC-B and for each ledger. Prints a warning and returns an empty map if there is no pgbench. */
async function prepareYardsticks(print: Print, runtime: Runtime) {
  const pgbench = findPgbench()
  const yardsticks: Yardsticks = new Map()
  if (pgbench === undefined) {
    print('  PGBENCH SKIPPED: it is not on the PATH; there are rates, but no ratios')
    return yardsticks
  }
  for (const scale of SCALES) yardsticks.set(scale, await preparePgbench(pgbench, runtime, scale))
  for (const wallets of [WALLETS, 1]) {
    yardsticks.set(ledgerOf({ wallets }), await prepareLedger(pgbench, runtime, wallets))
  }
  return yardsticks
}

/** Measures the candidates and their yardsticks in turns, so that a busy neighbour affects both. */
async function measureAll(
  print: Print,
  yardsticks: Yardsticks,
  candidates: Candidate[],
  measure: (candidate: Candidate) => Promise<PaymentsResult>,
) {
  const rounds: { rates: Map<number | string, number>; results: PaymentsResult[] }[] = []
  for (let round = 0; round <= ROUNDS; round += 1) {
    const rates = new Map<number | string, number>()
    for (const [key, yardstick] of yardsticks) {
      const isNeeded = (candidate: Candidate) => candidate.scale === key || ledgerOf(candidate) === key
      if (candidates.some(isNeeded)) rates.set(key, await bestOf(yardstick))
    }
    const results: PaymentsResult[] = []
    for (const candidate of candidates) results.push(await measure(candidate))
    // The first round warms up code and caches.
    if (round > 0) rounds.push({ rates, results })
  }
  for (const [index, candidate] of candidates.entries()) {
    report(
      print,
      candidate,
      rounds.flatMap(({ results }) => results[index] ?? []),
      rounds.flatMap(({ rates }) => rates.get(candidate.scale) ?? []),
      rounds.flatMap(({ rates }) => rates.get(ledgerOf(candidate)) ?? []),
    )
  }
}

export default {
  name: 'payments',
  summary:
    `signed payments, durable, best of ${CONNECTIONS_TRIED.join(' / ')} connections, ` +
    `beside pgbench (TPC-B, prepared, best of ${PGBENCH_CLIENTS.join(' / ')} clients) on the same server`,
  async run(print) {
    if (process.argv.includes('--fairness')) return measureFairness(print)
    if (process.argv.includes('--guards')) return measureGuards(print)
    const dataDir = await mkdtemp(join(tmpdir(), 'warung-bench-'))
    print(`  processes: ${availableParallelism()}`)
    // The first service never answers, so that payments are taken and nothing else happens. The second one fulfils.
    let service = await launchService(dataDir, SILENT)
    try {
      const credentials = await openWallets(service, WALLETS)
      const yardsticks = await prepareYardsticks(print, service.runtime)
      const created = CANDIDATES.filter(({ untilFinal }) => !untilFinal)
      await measureAll(print, yardsticks, created, (candidate) =>
        bestPayments(service, credentials, candidate),
      )
      await service.stop()
      service = await launchService(dataDir)
      for (const yardstick of yardsticks.values()) yardstick.moveTo(service.runtime)
      const whole = CANDIDATES.filter(({ untilFinal }) => untilFinal)
      await measureAll(print, yardsticks, whole, (candidate) => bestPayments(service, credentials, candidate))
    } finally {
      await service.stop()
      await rm(dataDir, { recursive: true, force: true })
    }
  },
} satisfies Suite

function report(
  print: Print,
  candidate: Candidate,
  results: PaymentsResult[],
  yardstick: number[],
  ledger: number[],
) {
  const figure = (key: 'perSecond' | 'p50Ms' | 'p99Ms' | 'cpuPer1000', digits: number) =>
    median(results.map((result) => result[key])).toFixed(digits)
  print(
    `  ${candidate.name.padEnd(34)} ${figure('perSecond', 0).padStart(7)}/s   p50 ${figure('p50Ms', 1)} ms   p99 ${figure('p99Ms', 1)} ms   ${figure('cpuPer1000', 3)} CPU s per 1,000`,
  )
  print(
    `    connections of the best result in each round: ${results.map((result) => result.connections).join(', ')}`,
  )
  if (yardstick.length === 0) return
  const compare = (rates: number[]) => {
    const ratio = median(results.map((result, round) => result.perSecond / (rates[round] ?? Number.NaN)))
    return [ratio.toFixed(2), median(rates).toFixed(0)] as const
  }
  const [ratio, rate] = compare(yardstick)
  print(
    `    ${ratio} × pgbench scale ${candidate.scale}, ${rate}/s (wanted: at least ${candidate.wanted}; the prototype had ${candidate.prototype.toFixed(1)})`,
  )
  const [ledgerRatio, ledgerRate] = compare(ledger)
  print(`    ${ledgerRatio} × a bare SQL ledger with ${candidate.wallets} wallets, ${ledgerRate}/s`)
}
