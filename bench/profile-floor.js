import { startBareRoute } from './bare.js'
import { prepareLedger } from './ledger.js'
import { load } from './measure.js'
import { findPgbench, preparePgbench } from './pgbench.js'
import { measureServer } from './profile-rounds.js'

const REQUESTS = 20_000
const CONNECTIONS = 128
const CLIENTS = 32
const SECONDS = 5
const SCALE = 10
const ANSWER = Buffer.from(JSON.stringify({ data: { code: 0, remarks: 'Accepted', balance: 1_250_000 } }))

/** Measures what the least service and the least database cost here, in microseconds of CPU per operation. */
export async function measureFloors(bench) {
  const floors = [['a signed request to a bare route, in Node', await measureBare(bench.credentials[0])]]
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
async function measureBare(credentials) {
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

async function measureDatabase({ processes, client }, yardstick) {
  let transactions = 0
  const micros = await measureServer(processes, client, async () => {
    transactions = (await yardstick.measure(CLIENTS, SECONDS)) * SECONDS
  })
  return micros / transactions
}
