import type { ClientNode, Load } from '../faults/clients.ts'
import { startLoad } from '../faults/clients.ts'
import type { Random } from '../faults/random.ts'
import { createRandom } from '../faults/random.ts'
import type { Exchange, WorldEvent } from '../faults/records.ts'
import type { Query } from '../faults/world.ts'
import { openAccounts, queryAt, untilReached } from '../faults/world.ts'
import { REACHES_RECEIVER, startReceiver } from '../receiver/receiver.ts'
import { stopServices } from '../service.ts'
import { startSimulator } from '../simulator.ts'
import type { ClusterBooks } from './books.ts'
import { KINDS } from './books.ts'
import type { Trial } from './trial.ts'
import { startTrial } from './trial.ts'

const CLIENTS = 8
/**
 * Times after which clients hang up. A command whose client has gone is not begun again, so some clients wait through
 * the whole failover.
 */
const PATIENCES_MS = [6_000, 6_000, 30_000]
/** Accounts of the clients. The last one is poor, so that rejections are among the answers. */
const RESELLERS = 4

/** Cluster with its provider, receiver and clients. */
export type ClusterWorld = {
  readonly trial: Trial
  /** Addresses of the clients: the HAProxy of each machine. */
  readonly fronts: readonly ClientNode[]
  readonly random: Random
  /** Milliseconds since the world was open. */
  nowMs(): number
  /** Starts the clients, unless they are at work. */
  work(): void
  readonly load: Load
  readonly exchanges: readonly Exchange[]
  /** Notes a fault; its end is noted by the function that this returns. */
  note(text: string, atMs: number): () => void
  /** Returns everything that is compared. The clients begin anew afterwards. */
  books(): ClusterBooks
  close(): Promise<void>
}

export async function openClusterWorld(seed: number): Promise<ClusterWorld> {
  const simulator = await startSimulator()
  const receiver = await startReceiver()
  const trial = await startTrial({
    ...REACHES_RECEIVER,
    WARUNG_SIMULATOR_URL: simulator.url,
    // A busy machine may need seconds to reach the provider.
    WARUNG_SIMULATOR_TIMEOUT_SECONDS: '10',
    // Half of the lease is for the provider, so a failover of more than ten seconds uses up what is left for commits.
    WARUNG_LEASE_SECONDS: '20',
    WARUNG_RATE_EXEMPT: '127.0.0.1',
  })
  const startedMs = Date.now()
  const nowMs = () => Date.now() - startedMs
  const services = Object.values(trial.services).map((url) => ({ url }))
  const node = { baseUrl: services[0]?.url ?? '', warungd: trial.warungd }
  const { resellers } = await openAccounts(node, receiver, receiver.urls.plain, RESELLERS)
  await untilReached(services, resellers)
  const query: Query = queryAt(trial.databaseUrl)
  const fronts = trial.fronts.map((url, index) => ({ index, url }))
  const random = createRandom(seed)
  const loads: Load[] = []
  let load: Load | undefined
  const faults: (WorldEvent & { untilMs: number })[] = []

  function work(): Load {
    if (load !== undefined) return load
    const runName = `c${seed}-${loads.length + 1}`
    const options = {
      nodes: fronts,
      kinds: KINDS,
      resellers,
      clients: CLIENTS,
      runName,
      nowMs,
      patiencesMs: PATIENCES_MS,
    }
    load = startLoad({ ...options, random: random.fork(runName) })
    loads.push(load)
    return load
  }
  const exchanges = () => loads.flatMap((each) => each.exchanges)

  return {
    trial,
    fronts,
    random,
    nowMs,
    work,
    get load() {
      return work()
    },
    get exchanges() {
      return exchanges()
    },
    note(text, atMs) {
      const event = { atMs, untilMs: atMs, text }
      faults.push(event)
      return () => {
        event.untilMs = nowMs()
      }
    },
    books() {
      const ending = work()
      load = undefined
      return {
        seed,
        nodes: fronts,
        suppliers: [{ code: 'simulator', simulator }],
        receiver,
        resellers,
        query,
        nowMs,
        command: trial.warungd,
        load: ending,
        get exchanges() {
          return exchanges()
        },
        faults,
        trace: ({ account, refid }) =>
          trial.print('payment', 'trace', '--reseller', account, '--refid', refid),
      }
    },
    async close() {
      load?.abandon()
      await load?.finish()
      await trial.end()
      await stopServices()
    },
  }
}
