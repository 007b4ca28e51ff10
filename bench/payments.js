import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createApiKey } from '../packages/server/dist/modules/accounts/keys.service.js'
import { createReseller } from '../packages/server/dist/modules/accounts/service.js'
import { deposit } from '../packages/server/dist/modules/wallet/balance/service.js'
import { readProcesses } from './cpu.js'
import { prepareLedger } from './ledger.js'
import { median } from './measure.js'
import { findPgbench, preparePgbench } from './pgbench.js'
import { launchService } from './service.js'

const WALLETS = 1_000
/** Wallets that are opened at the same time. */
const OPENED_AT_ONCE = 8
const CONNECTIONS = 128
/** Numbers of connections of which the best one counts, as the best number of clients counts for pgbench. */
const CONNECTIONS_TRIED = [64, 128, 256]
const PAYMENTS = 20_000
const ROUNDS = 3
const SCALES = [50, 1]
const PGBENCH_CLIENTS = [8, 32, 48]
const PGBENCH_SECONDS = 4
const RINGGIT = 10_000n
/** Line that payers print when their requests are signed. */
const READY = 'READY\n'

/** Payment to a number whose provider never answers: it is taken, and nothing else happens to it. */
export const NEVER_ANSWERED = { product: 'NOVA', account: '60123453003', amount: 10 }
export const ANSWERED_AT_ONCE = { product: 'NOVA', account: '60123456789', amount: 10 }

/** Settings that give the provider a minute, so that nothing is resolved while payments are counted. */
export const SILENT = { WARUNG_SIMULATOR_TIMEOUT_SECONDS: '60', WARUNG_LEASE_SECONDS: '600' }

/** Candidates, each with the wanted figure and the figure of the prototype that it should beat. */
const CANDIDATES = [
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

export async function openWallets(service, count) {
  const { database, vault } = service.runtime
  const accounts = { database, vault, environment: 'staging' }
  const openWallet = async (index) => {
    const reseller = await createReseller(accounts, {
      name: `Bench ${index}`,
      email: 'bench@warung.example',
      priceLevel: 'STANDARD',
    })
    const key = await createApiKey(accounts, reseller.id, { label: 'bench', scopes: ['read', 'pay'] })
    await database.transaction((tx) =>
      deposit(tx, { resellerId: reseller.id, amount: 10_000_000n * RINGGIT, remarks: 'bench' }),
    )
    return { apiKey: key.key, signingSecret: key.signingSecret }
  }
  const credentials = []
  while (credentials.length < count) {
    const some = Array.from({ length: Math.min(OPENED_AT_ONCE, count - credentials.length) }, (_, index) =>
      openWallet(credentials.length + index),
    )
    credentials.push(...(await Promise.all(some)))
  }
  await untilKnown(service.baseUrl, credentials.at(-1))
  return credentials
}

/**
 * Waits until every process knows the accounts. Each process learns of new accounts by itself, and of the newest
 * account last.
 */
async function untilKnown(baseUrl, { apiKey }) {
  const headers = { 'X-Api-Key': apiKey }
  for (let known = 0; known < 20; ) {
    const { error } = await (await fetch(`${baseUrl}/v2/balance`, { headers })).json()
    if (error === 'invalid_api_key') await new Promise((resolve) => setTimeout(resolve, 100))
    else known += 1
  }
}

/** Runs the payers once. With `untilFinal` the time ends when no payment is in progress. */
export async function measurePayments(
  service,
  credentials,
  { payment, wallets, untilFinal, count = PAYMENTS, connections = CONNECTIONS },
) {
  const { database } = service.runtime
  await database.query('delete from payment_work')
  const cpuBefore = cpuSeconds(service.pid)
  const result = await startPayers({
    url: `${service.baseUrl}/v2/topup`,
    credentials: credentials.slice(0, wallets),
    connections,
    requests: count,
    payment,
  })
  if (result.failed > 0) throw new Error(`${result.failed} payments failed, such as: ${result.example}`)
  if (untilFinal) {
    for (;;) {
      const { rows } = await database.query('select 1 from payment_work limit 1')
      if (rows.length === 0) break
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    result.perSecond = count / ((Date.now() - result.startedAt) / 1_000)
  }
  return { ...result, connections, cpuPer1000: ((cpuSeconds(service.pid) - cpuBefore) / count) * 1_000 }
}

/** Measures a candidate with each number of connections, and returns the best result. */
async function bestPayments(service, credentials, candidate) {
  const results = []
  for (const connections of CONNECTIONS_TRIED) {
    results.push(await measurePayments(service, credentials, { ...candidate, connections }))
  }
  return results.reduce((best, each) => (each.perSecond > best.perSecond ? each : best))
}

/**
 * Starts payers in their own process and returns their result. They sign their requests first, and begin when `mayBegin`
 * resolves.
 */
export function startPayers(orders, mayBegin = async () => {}, signal = undefined) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [fileURLToPath(new URL('./pay-load.js', import.meta.url))], {
      stdio: ['pipe', 'pipe', 'inherit'],
      signal,
    })
    let text = ''
    child.stdout.on('data', (chunk) => {
      text += chunk
      if (!text.startsWith(READY)) return
      text = text.slice(READY.length)
      mayBegin().then(() => child.stdin.end(), reject)
    })
    child.on('error', reject)
    child.on('close', (code) =>
      code === 0 ? resolve(JSON.parse(text)) : reject(new Error(`payers ended with ${code}`)),
    )
    child.stdin.write(`${JSON.stringify(orders)}\n`)
  })
}

/** Starts several groups of payers, which begin together when all of them have signed their requests. */
export function startTogether(...groups) {
  let missing = groups.length
  let open
  const opened = new Promise((resolve) => {
    open = resolve
  })
  const mayBegin = () => {
    missing -= 1
    if (missing === 0) open()
    return opened
  }
  // A group that fails ends the others, which would wait for it for ever.
  const failing = new AbortController()
  return Promise.all(groups.map((orders) => startPayers(orders, mayBegin, failing.signal))).catch((error) => {
    failing.abort()
    throw error
  })
}

/** Returns the CPU time of the service's and its database's processes, if /proc has it. The payers are not counted. */
function cpuSeconds(servicePid) {
  const processes = readProcesses()
  if (processes.size === 0) return Number.NaN
  let micros = 0
  for (const [pid, { parent, user, system }] of processes) {
    // The service starts the workers and the postmaster, and the postmaster the database's other processes.
    const ancestors = [pid, parent, processes.get(parent)?.parent]
    if (ancestors.includes(servicePid)) micros += user + system
  }
  return micros / 1e6
}

async function bestOf(yardstick) {
  const rates = []
  for (const clients of PGBENCH_CLIENTS) rates.push(await yardstick.measure(clients, PGBENCH_SECONDS))
  return Math.max(...rates)
}

/** Names the bare SQL ledger that a candidate is measured beside. */
const ledgerOf = ({ wallets }) => `ledger ${wallets}`

/** Prepares a database for each scale of TPC-B and for each ledger. Prints a warning and returns an empty map if there is no pgbench. */
async function prepareYardsticks(print, runtime) {
  const pgbench = findPgbench()
  const yardsticks = new Map()
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
async function measureAll(print, yardsticks, candidates, measure) {
  const rounds = []
  for (let round = 0; round <= ROUNDS; round += 1) {
    const rates = new Map()
    for (const [key, yardstick] of yardsticks) {
      const isNeeded = (candidate) => candidate.scale === key || ledgerOf(candidate) === key
      if (candidates.some(isNeeded)) rates.set(key, await bestOf(yardstick))
    }
    const results = []
    for (const candidate of candidates) results.push(await measure(candidate))
    // The first round warms up code and caches.
    if (round > 0) rounds.push({ rates, results })
  }
  for (const [index, candidate] of candidates.entries()) {
    report(
      print,
      candidate,
      rounds.map(({ results }) => results[index]),
      rounds.map(({ rates }) => rates.get(candidate.scale)),
      rounds.map(({ rates }) => rates.get(ledgerOf(candidate))),
    )
  }
}

export default {
  name: 'payments',
  summary:
    `signed payments, durable, best of ${CONNECTIONS_TRIED.join(' / ')} connections, ` +
    `beside pgbench (TPC-B, prepared, best of ${PGBENCH_CLIENTS.join(' / ')} clients) on the same server`,
  async run(print) {
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
}

function report(print, candidate, results, yardstick, ledger) {
  const figure = (key, digits) => median(results.map((result) => result[key])).toFixed(digits)
  print(
    `  ${candidate.name.padEnd(34)} ${figure('perSecond', 0).padStart(7)}/s   p50 ${figure('p50Ms', 1)} ms   p99 ${figure('p99Ms', 1)} ms   ${figure('cpuPer1000', 3)} CPU s per 1,000`,
  )
  print(
    `    connections of the best result in each round: ${results.map((result) => result.connections).join(', ')}`,
  )
  if (yardstick[0] === undefined) return
  const compare = (rates) => {
    const ratio = median(results.map((result, round) => result.perSecond / rates[round]))
    return [ratio.toFixed(2), median(rates).toFixed(0)]
  }
  const [ratio, rate] = compare(yardstick)
  print(
    `    ${ratio} × pgbench scale ${candidate.scale}, ${rate}/s (wanted: at least ${candidate.wanted}; the prototype had ${candidate.prototype.toFixed(1)})`,
  )
  const [ledgerRatio, ledgerRate] = compare(ledger)
  print(`    ${ledgerRatio} × a bare SQL ledger with ${candidate.wallets} wallets, ${ledgerRate}/s`)
}
