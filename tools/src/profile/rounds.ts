import { existsSync, renameSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from 'pg'
import type { Clock } from '../bench/cpu.ts'
import { readProcesses, readThreads, readTitle } from '../bench/cpu.ts'
import type { Paid, Payment } from '../bench/payers.ts'
import { startPayers } from '../bench/payers.ts'
import type { Service } from '../bench/service.ts'
import type { Credentials } from '../bench/signed.ts'
import { OWN_NAMES } from './postgres.ts'
import { OF_NODE } from './stages.ts'

export type Processes = { first: number; workers: number[]; postmaster: number | undefined }

export type Bench = {
  service: Service
  client: Client
  credentials: Credentials[]
  processes: Processes
  stop(): Promise<void>
}

export type Scenario = {
  name: string
  payment: Payment
  settings: Record<string, string>
  untilFinal?: boolean
  connections: number
  payments: number
}

/** CPU of each part of the table in microseconds; `kernel` is the kernel's share of it. */
export type Parts = Map<string, { cpu: number; kernel: number }>

/** Cost of one run of the payers. */
export type Round = {
  cpu: Parts
  payersCpu: Paid['cpuMicros']
  startedMs: number
  endedMs: number
  perSecond: number
}

type Clocks = Map<number | 'ended', { part: string; user: number; system: number }>

/** Kinds of the server's processes, by the titles that they give themselves. */
const KINDS: [kind: string, titles: RegExp][] = [
  ['checkpointer', /checkpointer/],
  ['WAL writer', /walwriter/],
  ['background writer', /background writer/],
  ['I/O workers', /io worker/],
  ['autovacuum', /autovacuum/],
  ['log collector', /logger/],
  ['backends', /\[local\]|127\.0\.0\.1/],
]

/** Finds the processes of the service and of its database. */
export async function findProcesses(service: Service, client: Client): Promise<Processes> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const processes = readProcesses()
  const postmaster = processes.get(rows[0]?.pid ?? 0)?.parent
  const workers = [...processes]
    .filter(([pid, { parent }]) => parent === service.pid && pid !== postmaster)
    .map(([pid]) => pid)
  return { first: service.pid, workers, postmaster }
}

/** Reads the CPU of every thread and process that takes part, each with the part of the table that it belongs to. */
async function readCpu({ first, workers, postmaster }: Processes, client: Client): Promise<Clocks> {
  const { rows } = await client.query<{ pid: number }>(
    'select pid from pg_stat_activity where application_name = any($1::text[])',
    [OWN_NAMES],
  )
  const own = new Set(rows.map(({ pid }) => pid))
  const processes = readProcesses()
  const clocks: Clocks = new Map()
  const note = (key: number | 'ended', part: string, { user, system }: Pick<Clock, 'user' | 'system'>) =>
    clocks.set(key, { part, user, system })
  const firstClock = processes.get(first)
  if (firstClock !== undefined) note(first, 'first process', firstClock)
  for (const worker of workers) {
    for (const [thread, stat] of readThreads(worker)) {
      note(thread, thread === worker ? 'main threads' : 'helper threads', stat)
    }
  }
  for (const [pid, stat] of processes) {
    if (pid === postmaster) {
      note(pid, 'postmaster', stat)
      note('ended', ENDED, { user: stat.ended, system: 0 })
    } else if (stat.parent === postmaster) {
      const title = readTitle(pid)
      const kind = KINDS.find(([, pattern]) => pattern.test(title))?.[0] ?? 'postmaster'
      note(pid, own.has(pid) ? OF_BENCH : kind, stat)
    }
  }
  return clocks
}

const OF_BENCH = 'bench'
const ENDED = 'ended meanwhile: autovacuum, connections'
const OF_SERVER = new Set([OF_BENCH, 'postmaster', ...KINDS.map(([kind]) => kind)])

/** Returns the CPU of each part between two readings; `kernel` is the kernel's share of it. */
function difference(after: Clocks, before: Clocks): Parts {
  const parts: Parts = new Map()
  const count = (part: string, user: number, system: number) => {
    const sum = parts.get(part) ?? { cpu: 0, kernel: 0 }
    parts.set(part, { cpu: sum.cpu + user + system, kernel: sum.kernel + system })
  }
  for (const [key, { part, user, system }] of after) {
    const was = before.get(key) ?? { user: 0, system: 0 }
    count(part, user - was.user, system - was.system)
  }
  // The postmaster counts a process as a whole when it has ended: its time before this round is taken out.
  for (const [key, { part, user, system }] of before) {
    if (!after.has(key) && OF_SERVER.has(part)) count(ENDED, -user - system, 0)
  }
  parts.delete(OF_BENCH)
  return parts
}

/** Returns the CPU that the database's processes take while `work` runs. */
export async function measureServer(processes: Processes, client: Client, work: () => Promise<void>) {
  const before = await readCpu(processes, client)
  await work()
  const parts = difference(await readCpu(processes, client), before)
  return [...parts].reduce((sum, [part, { cpu }]) => (OF_NODE.has(part) ? sum : sum + cpu), 0)
}

const IDLE_WINDOW_MS = 2_000
/** Share of a core that the jobs of a quiet service stay below. */
const IDLE_SHARE = 0.1
const IDLE_WINDOWS_MAX = 60

/** Waits until nothing is left of earlier work, such as orders that have timed out; for two minutes at most. */
export async function untilIdle({ processes, client }: Bench) {
  let share = 1
  for (let window = 0; window < IDLE_WINDOWS_MAX && share > IDLE_SHARE; window += 1) {
    const before = await readCpu(processes, client)
    await delay(IDLE_WINDOW_MS)
    const parts = difference(await readCpu(processes, client), before)
    const micros = [...parts.values()].reduce((sum, { cpu }) => sum + cpu, 0)
    share = micros / (IDLE_WINDOW_MS * 1_000)
  }
}

/** Runs the payers once and waits until all that follows from their payments is done. Returns the CPU it took. */
export async function runRound(bench: Bench, scenario: Scenario): Promise<Round> {
  const { service, client, credentials, processes } = bench
  await client.query('delete from payment_work')
  const before = await readCpu(processes, client)
  const startedMs = Date.now()
  const result = await startPayers({
    url: `${service.baseUrl}/v2/topup`,
    credentials,
    connections: scenario.connections,
    requests: scenario.payments,
    payment: scenario.payment,
  })
  if (result.failed > 0) throw new Error(`${result.failed} payments failed, such as: ${result.example}`)
  await untilDone(client, scenario)
  const cpu = difference(await readCpu(processes, client), before)
  return { cpu, payersCpu: result.cpuMicros, startedMs, endedMs: Date.now(), perSecond: result.perSecond }
}

const UNDONE = {
  work: 'select from payment_work',
  facts: 'select from event_facts',
  chain: `select from wallets w join chain_heads h on h.reseller_id = w.reseller_id where w.sequence > h.sequence`,
}

async function untilDone(client: Client, { untilFinal }: Scenario) {
  const { work, ...behind } = UNDONE
  for (const statement of Object.values(untilFinal ? UNDONE : behind)) {
    while ((await client.query(`${statement} limit 1`)).rows.length > 0) await delay(50)
  }
}

/** A round with V8's profiles of the workers. */
export type Profiled = { result: Round; workers: string[] }

/** Profiles every process of the service while `work` runs. The profiles are named after the scenario. */
export async function withProfiler(
  { first, workers }: Processes,
  dir: string,
  name: string,
  work: () => Promise<Round>,
): Promise<Profiled> {
  const pids = [first, ...workers]
  const signal = async (state: 'started' | 'stopped') => {
    for (const pid of pids) process.kill(pid, 'SIGWINCH')
    for (const marker of pids.map((pid) => join(dir, `${pid}.${state}`))) {
      while (!existsSync(marker)) await delay(20)
      unlinkSync(marker)
    }
  }
  await signal('started')
  const result = await work()
  await signal('stopped')
  const paths = pids.map((pid) => {
    const role = pid === first ? 'first' : `worker-${workers.indexOf(pid) + 1}`
    const path = join(dir, `${name}-${role}.cpuprofile`)
    renameSync(join(dir, `${pid}.cpuprofile`), path)
    return path
  })
  return { result, workers: paths.slice(1) }
}
