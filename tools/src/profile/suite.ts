import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Print, Suite } from '../bench/measure.ts'
import { ANSWERED_AT_ONCE, NEVER_ANSWERED, openWallets, SILENT } from '../bench/payers.ts'
import { launchService } from '../bench/service.ts'
import type { Credentials } from '../bench/signed.ts'
import { measureFloors } from './floor.ts'
import { readProfile } from './node.ts'
import {
  ACCOUNTS,
  INNER,
  openConnection,
  prepareCluster,
  readAccounts,
  readInner,
  resetInner,
  withSettings,
} from './postgres.ts'
import type { Bench, Round, Scenario } from './rounds.ts'
import { findProcesses, runRound, untilIdle, withProfiler } from './rounds.ts'
import type { Measured } from './table.ts'
import { buildTable, printTable } from './table.ts'

const WALLETS = 1_000
const PAYMENTS = 6_000
const CONNECTIONS = 128
const WARM_UPS = 2
const ROUNDS = 3

const SCENARIOS: Scenario[] = [
  { name: 'created', payment: NEVER_ANSWERED, settings: SILENT },
  { name: 'whole life', payment: ANSWERED_AT_ONCE, settings: {}, untilFinal: true },
].map((scenario) => ({ ...scenario, connections: CONNECTIONS, payments: PAYMENTS }))

const AGENT = new URL('./agent.js', import.meta.url).href

function profiled(dir: string) {
  const options = [process.env.NODE_OPTIONS ?? '', `--import=${AGENT}`].join(' ').trim()
  return { NODE_OPTIONS: options, PROFILE_DIR: dir }
}

/** Measures one scenario: rounds without any instrument for the sums, then one for each instrument for the shares. */
async function measure(bench: Bench, scenario: Scenario, dir: string, print: Print): Promise<Measured> {
  const fileName = scenario.name.replaceAll(' ', '-')
  const note = (text: string) => print(`  ${scenario.name}: ${text}`)
  const quiet = createQuiet(bench, scenario)
  /** Runs a round when all earlier work is over; `around` is what watches it. */
  const watched = async <T>(around: (run: () => Promise<Round>) => Promise<T>): Promise<T> => {
    await quiet.before()
    return await around(async () => {
      const result = await runRound(bench, scenario)
      quiet.after(result)
      return result
    })
  }
  const round = () => watched((run) => run())
  for (let warmUp = 0; warmUp < WARM_UPS; warmUp += 1) await round()
  note('warmed up')
  const plain: Round[] = []
  for (let count = 0; count < ROUNDS; count += 1) {
    const result = await round()
    plain.push(result)
    note(`round ${count + 1} of ${ROUNDS}, ${result.perSecond.toFixed(0)} payments a second`)
  }
  const { client, processes } = bench
  const node = await watched((run) => withProfiler(processes, dir, fileName, run))
  note('profiled the processes of the service')
  const accounts = await withSettings(client, ACCOUNTS, async () => {
    await delay(500)
    const { startedMs } = await round()
    return readAccounts(client, startedMs)
  })
  note('read the accounts of the database')
  const inner = await withSettings(client, INNER, async () => {
    await watched(async (run) => {
      await resetInner(client)
      await run()
    })
    return readInner(client)
  })
  note('read the statements inside its functions')
  const measured = {
    scenario,
    plain,
    profiledCpu: node.result.cpu,
    stages: node.workers.map(readProfile),
    accounts,
    inner,
  }
  await writeFile(join(dir, `${fileName}.json`), JSON.stringify(measured, mapsAsObjects, 2))
  return measured
}

function mapsAsObjects(_: string, value: unknown) {
  return value instanceof Map ? Object.fromEntries(value) : value
}

const TIMEOUT_MS = 60_000

/**
 * Keeps rounds apart whose provider never answers. After a minute the orders of a round time out, which is work that
 * must not fall into a later round. A round starts if it will end before that, or when all of it is over.
 */
function createQuiet(bench: Bench, { untilFinal }: Scenario) {
  let oldestMs: number | undefined
  let newestMs = 0
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
    after({ startedMs, endedMs }: Round) {
      oldestMs ??= startedMs
      newestMs = endedMs
      roundMs = endedMs - startedMs
    },
  }
}

async function openBench(
  dataDir: string,
  environment: Record<string, string>,
  credentials: Credentials[] = [],
): Promise<Bench> {
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
      const measured: Measured[] = []
      for (const scenario of SCENARIOS) {
        await bench.stop()
        bench = await openBench(dataDir, { ...profiled(dir), ...scenario.settings }, credentials)
        measured.push(await measure(bench, scenario, dir, print))
      }
      printTable(print, measured.map(buildTable))
      for (const [name, micros] of await measureFloors(bench)) {
        print(`  floor: ${name}: ${micros.toFixed(1)} µs`)
      }
      print(`  profiles, to open in the developer tools of a browser: ${dir}`)
    } finally {
      await bench.stop()
      await rm(dataDir, { recursive: true, force: true })
    }
  },
} satisfies Suite
