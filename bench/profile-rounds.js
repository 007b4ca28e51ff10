import { existsSync, renameSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { readProcesses, readThreads, readTitle } from './cpu.js'
import { startPayers } from './payments.js'
import { OWN_NAMES } from './profile-postgres.js'
import { OF_NODE } from './profile-stages.js'

/** Kinds of the server's processes, by the titles that they give themselves. */
const KINDS = [
  ['checkpointer', /checkpointer/],
  ['WAL writer', /walwriter/],
  ['background writer', /background writer/],
  ['I/O workers', /io worker/],
  ['autovacuum', /autovacuum/],
  ['log collector', /logger/],
  ['backends', /\[local\]|127\.0\.0\.1/],
]

/** Finds the processes of the service and of its database. */
export async function findProcesses(service, client) {
  const { rows } = await client.query('select pg_backend_pid() as pid')
  const processes = readProcesses()
  const postmaster = processes.get(rows[0].pid)?.parent
  const workers = [...processes]
    .filter(([pid, { parent }]) => parent === service.pid && pid !== postmaster)
    .map(([pid]) => pid)
  return { first: service.pid, workers, postmaster }
}

/** Lists the server's processes for connections. */
export function listBackends({ postmaster }) {
  const [, pattern] = KINDS.at(-1)
  return [...readProcesses()]
    .filter(([pid, { parent }]) => parent === postmaster && pattern.test(readTitle(pid)))
    .map(([pid]) => pid)
}

/** Reads the CPU of every thread and process that takes part, each with the part of the table that it belongs to. */
async function readCpu({ first, workers, postmaster }, client) {
  const { rows } = await client.query(
    'select pid from pg_stat_activity where application_name = any($1::text[])',
    [OWN_NAMES],
  )
  const own = new Set(rows.map(({ pid }) => pid))
  const processes = readProcesses()
  const clocks = new Map()
  const note = (key, part, { user, system }) => clocks.set(key, { part, user, system })
  if (processes.has(first)) note(first, 'first process', processes.get(first))
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
function difference(after, before) {
  const parts = new Map()
  const count = (part, user, system) => {
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
export async function measureServer(processes, client, work) {
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
export async function untilIdle({ processes, client }) {
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
export async function runRound(bench, scenario) {
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

async function untilDone(client, { untilFinal }) {
  const { work, ...behind } = UNDONE
  for (const statement of Object.values(untilFinal ? UNDONE : behind)) {
    while ((await client.query(`${statement} limit 1`)).rowCount > 0) await delay(50)
  }
}

/** Profiles every process of the service while `work` runs. The profiles are named after the scenario. */
export async function withProfiler({ first, workers }, dir, name, work) {
  const pids = [first, ...workers]
  const signal = async (state) => {
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
  return { result, first: paths[0], workers: paths.slice(1) }
}
