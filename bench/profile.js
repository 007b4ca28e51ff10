import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { ANSWERED_AT_ONCE, NEVER_ANSWERED, openWallets, SILENT } from './payments.js'
import { measureFloors } from './profile-floor.js'
import { readProfile } from './profile-node.js'
import { hasPerf, withPerf } from './profile-perf.js'
import {
  ACCOUNTS,
  INNER,
  openConnection,
  prepareCluster,
  readAccounts,
  readInner,
  resetInner,
  withSettings,
} from './profile-postgres.js'
import { findProcesses, listBackends, runRound, untilIdle, withProfiler } from './profile-rounds.js'
import { buildTable, printTable } from './profile-table.js'
import { launchService } from './service.js'

const WALLETS = 1_000
const PAYMENTS = 6_000
const CONNECTIONS = 128
const WARM_UPS = 2
const ROUNDS = 3

const SCENARIOS = [
  { name: 'created', payment: NEVER_ANSWERED, settings: SILENT },
  { name: 'whole life', payment: ANSWERED_AT_ONCE, settings: {}, untilFinal: true },
].map((scenario) => ({ ...scenario, connections: CONNECTIONS, payments: PAYMENTS }))

const AGENT = new URL('./profile-agent.js', import.meta.url).href

function profiled(dir) {
  const options = [process.env.NODE_OPTIONS, `--import=${AGENT}`].filter(Boolean).join(' ')
  return { NODE_OPTIONS: options, PROFILE_DIR: dir }
}

/** Measures one scenario: rounds without any instrument for the sums, then one for each instrument for the shares. */
async function measure(bench, scenario, dir, print) {
  const fileName = scenario.name.replaceAll(' ', '-')
  const note = (text) => print(`  ${scenario.name}: ${text}`)
  const quiet = createQuiet(bench, scenario)
  /** Runs a round when all earlier work is over; `around` is what watches it. */
  const round = async (around = (run) => run()) => {
    await quiet.before()
    return await around(async () => {
      const result = await runRound(bench, scenario)
      quiet.after(result)
      return result
    })
  }
  for (let warmUp = 0; warmUp < WARM_UPS; warmUp += 1) await round()
  note('warmed up')
  const plain = []
  for (let count = 0; count < ROUNDS; count += 1) {
    plain.push(await round())
    note(`round ${count + 1} of ${ROUNDS}, ${plain.at(-1).perSecond.toFixed(0)} payments a second`)
  }
  const { client, processes } = bench
  const node = await round((run) => withProfiler(processes, dir, fileName, run))
  note('profiled the processes of the service')
  const accounts = await withSettings(client, ACCOUNTS, async () => {
    await delay(500)
    const { startedMs } = await round()
    return readAccounts(client, startedMs)
  })
  note('read the accounts of the database')
  const inner = await withSettings(client, INNER, async () => {
    await round(async (run) => {
      await resetInner(client)
      await run()
    })
    return readInner(client)
  })
  note('read the statements inside its functions')
  const native = hasPerf() ? await round((run) => sampleNative(bench, dir, fileName, run)) : undefined
  const measured = {
    scenario,
    plain,
    profiledCpu: node.result.cpu,
    stages: node.workers.map(readProfile),
    accounts,
    inner,
    native,
  }
  await writeFile(join(dir, `${fileName}.json`), JSON.stringify(measured, mapsAsObjects, 2))
  return measured
}

/** Samples native code and the kernel where `perf` is there; the table does not need it. */
async function sampleNative({ processes }, dir, fileName, run) {
  const groups = {
    [`${fileName}-node`]: processes.workers,
    [`${fileName}-postgres`]: listBackends(processes),
  }
  return await withPerf(groups, dir, run)
}

function mapsAsObjects(_, value) {
  return value instanceof Map ? Object.fromEntries(value) : value
}

const TIMEOUT_MS = 60_000

/**
 * Keeps rounds apart whose provider never answers. After a minute the orders of a round time out, which is work that
 * must not fall into a later round. A round starts if it will end before that, or when all of it is over.
 */
function createQuiet(bench, { untilFinal }) {
  let oldestMs
  let newestMs
  let roundMs = 0
  return {
    async before() {
      const endsMs = Date.now() + 1.5 * roundMs
      if (!untilFinal && oldestMs !== undefined && endsMs > oldestMs + TIMEOUT_MS) {
        await delay(Math.max(0, newestMs + TIMEOUT_MS - Date.now()))
        oldestMs = undefined
      }
      await untilIdle(bench)
    },
    after({ startedMs, endedMs }) {
      oldestMs ??= startedMs
      newestMs = endedMs
      roundMs = endedMs - startedMs
    },
  }
}

async function openBench(dataDir, environment, credentials) {
  const service = await launchService(dataDir, environment)
  const client = await openConnection(service.runtime)
  return {
    service,
    client,
    credentials,
    processes: await findProcesses(service, client),
    async stop() {
      await client.end()
      await service.stop()
    },
  }
}

export default {
  name: 'profile',
  summary: `microseconds of CPU per payment, by stage, over ${WALLETS} wallets`,
  async run(print) {
    const dir = await mkdtemp(join(tmpdir(), 'warung-profile-'))
    const dataDir = await mkdtemp(join(tmpdir(), 'warung-bench-'))
    print(`  processes: ${availableParallelism()}`)
    let bench = await openBench(dataDir, {})
    try {
      const credentials = await openWallets(bench.service, WALLETS)
      await prepareCluster(bench.client)
      const measured = []
      for (const scenario of SCENARIOS) {
        await bench.stop()
        bench = await openBench(dataDir, { ...profiled(dir), ...scenario.settings }, credentials)
        measured.push(await measure(bench, scenario, dir, print))
      }
      printTable(print, measured.map(buildTable))
      for (const [name, micros] of await measureFloors(bench)) {
        print(`  floor: ${name}: ${micros.toFixed(1)} µs`)
      }
      printNative(print, measured)
      print(`  profiles, to open in the developer tools of a browser: ${dir}`)
    } finally {
      await bench.stop()
      await rm(dataDir, { recursive: true, force: true })
    }
  },
}

function printNative(print, measured) {
  for (const { native } of measured) {
    if (native === undefined) {
      print('  NATIVE CODE SKIPPED: perf is not installed or may not sample here; the table does not need it')
      return
    }
    for (const [name, lines] of Object.entries(native)) {
      print(`  native functions and the kernel, by perf: ${name}`)
      for (const line of lines) print(`    ${line}`)
    }
  }
}
