import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findRuntimes } from './find-runtimes.js'
import { median, sideBySide } from './measure.js'
import { openWallets, SILENT, startPayers } from './payments.js'
import { launchService } from './service.js'

const WALLETS = 100
const CONNECTIONS = 64
const ROUNDS = 5
/** Payments before the measured ones of every start: a new process has yet to compile its code. */
const WARM_UP = 4_000
const PAYMENTS = 8_000
const NEVER_ANSWERED = { product: 'NOVA', account: '60123453003', amount: 10 }
const SETTINGS = { ...SILENT, WARUNG_PROCESSES: '1' }
const TICK_MICROSECONDS = 10_000

async function measure(print, dataDir, credentials, { name, program, args }) {
  const service = await launchService(dataDir, SETTINGS, [program, ...args])
  try {
    await service.runtime.database.query('delete from payment_work')
    await pay(service, credentials, WARM_UP)
    const before = cpuMicroseconds(service.pid)
    const { perSecond } = await pay(service, credentials, PAYMENTS)
    const after = cpuMicroseconds(service.pid)
    const serviceCpu = (after.service - before.service) / PAYMENTS
    print(
      `    ${name.padEnd(9)} ${perSecond.toFixed(0).padStart(6)}/s, ${serviceCpu.toFixed(0)} µs of the service's CPU`,
    )
    return { perSecond, serviceCpu, postgresCpu: (after.postgres - before.postgres) / PAYMENTS }
  } finally {
    await service.stop()
  }
}

async function pay(service, credentials, requests) {
  const result = await startPayers({
    url: `${service.baseUrl}/v2/topup`,
    credentials,
    connections: CONNECTIONS,
    requests,
    payment: NEVER_ANSWERED,
  })
  if (result.failed > 0) throw new Error(`${result.failed} payments failed, such as: ${result.example}`)
  return result
}

/** Returns the CPU time of a process and its descendants, PostgreSQL's apart. NaN where there is no /proc. */
function cpuMicroseconds(pid) {
  const processes = listProcesses()
  if (processes.length === 0) return { service: Number.NaN, postgres: Number.NaN }
  const sums = { service: 0, postgres: 0 }
  const add = (each) => {
    sums[each.name === 'postgres' ? 'postgres' : 'service'] += each.ticks * TICK_MICROSECONDS
    for (const child of processes) if (child.parent === each.pid) add(child)
  }
  for (const each of processes) if (each.pid === pid) add(each)
  return sums
}

function listProcesses() {
  try {
    return readdirSync('/proc')
      .filter((entry) => /^\d+$/.test(entry))
      .flatMap(readProcess)
  } catch {
    return []
  }
}

function readProcess(entry) {
  try {
    const stat = readFileSync(`/proc/${entry}/stat`, 'utf8')
    const nameEnd = stat.lastIndexOf(')')
    const fields = stat.slice(nameEnd + 2).split(' ')
    const ticks = Number(fields[11]) + Number(fields[12])
    return [
      {
        pid: Number(entry),
        name: stat.slice(stat.indexOf('(') + 1, nameEnd),
        parent: Number(fields[1]),
        ticks,
      },
    ]
  } catch {
    // The process has ended.
    return []
  }
}

/** Compares commands that run the service; each is measured in turn on one database, in a process of its own. */
export async function compare(print, runtimes) {
  const dataDir = await mkdtemp(join(tmpdir(), 'warung-bench-'))
  try {
    const [first] = runtimes
    const service = await launchService(dataDir, SETTINGS, [first.program, ...first.args])
    const credentials = await openWallets(service, WALLETS).finally(() => service.stop())
    const candidates = runtimes.map((runtime) => [
      runtime.name,
      () => measure(print, dataDir, credentials, runtime),
    ])
    const results = await sideBySide(Object.fromEntries(candidates), { rounds: ROUNDS })
    for (const runtime of runtimes) report(print, runtime, results[runtime.name], results[first.name])
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

function report(print, { name, version }, results, baseline) {
  const figure = (key) => median(results.map((result) => result[key])).toFixed(0)
  const ratio = (key) => median(results.map((result, round) => result[key] / baseline[round][key])).toFixed(2)
  print(
    `  ${name.padEnd(9)} ${version.padEnd(9)} ${figure('perSecond').padStart(6)}/s (${ratio('perSecond')} ×)` +
      `   CPU per payment: service ${figure('serviceCpu')} µs (${ratio('serviceCpu')} ×), PostgreSQL ${figure('postgresCpu')} µs`,
  )
}

export default {
  name: 'runtimes',
  summary: `created payments, one process of the service on each runtime in turn, ${ROUNDS} rounds; ratios to the first`,
  async run(print) {
    const runtimes = findRuntimes()
    for (const { name, program, install } of runtimes) {
      if (program === undefined)
        print(`  ${name.toUpperCase()} IS NOT MEASURED: it is not installed\n    ${install}`)
    }
    await compare(
      print,
      runtimes.filter(({ program }) => program !== undefined),
    )
  },
}
