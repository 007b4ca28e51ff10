import { startBareRoute } from '../bench/bare.ts'
import { prepareLedger } from '../bench/ledger.ts'
import { load } from '../bench/measure.ts'
import type { Pgbench } from '../bench/pgbench.ts'
import { findPgbench, preparePgbench } from '../bench/pgbench.ts'
import type { Bench } from './rounds.ts'
import { measureServer } from './rounds.ts'

const REQUESTS = 20_000
const CONNECTIONS = 128
const CLIENTS = 32
const SECONDS = 5
const SCALE = 10
const ANSWER = Buffer.from(JSON.stringify({ data: { code: 0, remarks: 'Accepted', balance: 1_250_000 } }))

/** Measures what the least service and the least database cost here, in microseconds of CPU per operation. */
export async function measureFloors(bench: Bench) {
  const floors: [name: string, micros: number][] = [
    ['a signed request to a bare route, in Node', await measureBare(bench)],
  ]
  const pgbench = findPgbench()
  if (pgbench === undefined) return floors
  const { runtime } = bench.service
  const tpcb = await preparePgbench(pgbench, runtime, SCALE)
  floors.push(['a transaction of TPC-B, in PostgreSQL', await measureDatabase(bench, tpcb)])
  const ledger = await prepareLedger(pgbench, runtime, bench.credentials.length)
  floors.push(['a transfer of the bare SQL ledger, in PostgreSQL', await measureDatabase(bench, ledger)])
  return floors
}

/** The bare route runs in this process, and the load generator in its own. */
async function measureBare({ credentials: [credentials] }: Bench) {
  if (credentials === undefined) throw new Error('nobody pays')
  const bare = await startBareRoute(credentials, ANSWER)
  const orders = { ...credentials, url: bare.url, connections: CONNECTIONS, requests: REQUESTS }
  try {
    await load(orders)
    const before = process.cpuUsage()
    await load(orders)
    const { user, system } = process.cpuUsage(before)
    return (user + system) / REQUESTS
  } finally {
    await bare.stop()
  }
}

async function measureDatabase({ processes, client }: Bench, yardstick: Pgbench) {
  let transactions = 0
  const micros = await measureServer(processes, client, async () => {
    transactions = (await yardstick.measure(CLIENTS, SECONDS)) * SECONDS
  })
  return micros / transactions
}
