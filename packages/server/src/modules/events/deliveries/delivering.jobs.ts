import type { Alarm } from '../../../lib/alarm.ts'
import { createAlarm } from '../../../lib/alarm.ts'
import { repeat } from '../../../lib/repeat.ts'
import type { DeliveryFigures } from './delivery-metrics.service.ts'
import type { Dispatcher, DispatcherOptions } from './dispatcher.service.ts'
import { createDispatcher } from './dispatcher.service.ts'
import type { Backlog } from './lanes.sql.ts'
import { listBacklog } from './lanes.sql.ts'
import { startListening } from './listener.service.ts'

export type Deliverer = {
  /** Looks for due deliveries in all lanes. */
  wake(): void
  /**
   * To be called after a commit of this process that queued deliveries. The notification of the commit names their lanes;
   * a node that does not hear notifications looks in all lanes.
   */
  noteQueued(): void
  readonly figures: DeliveryFigures
  /** Begins nothing more, waits a little for requests under way, and gives the lanes back. */
  stop(): Promise<void>
}

export type DelivererOptions = Omit<DispatcherOptions, 'leaseMs' | 'underwayMax' | 'onRequest'> & {
  readonly leaseMs?: number
  readonly underwayMax?: number
  /** Time that a stop waits for requests under way. */
  readonly stopPatienceMs?: number
}

const LEASE_MS = 15_000
const UNDERWAY_MAX = 1_000
/** Finds retries that have become due, and deliveries whose notification was lost. */
const POLL_MS = 500
const TICK_MS = 250
const BACKLOG_MS = 15_000
/** Deliveries that become due within this time are read together. */
const GATHER_MS = 3
const GATHER_BUSY_MS = 200
const STOP_PATIENCE_MS = 3_000

/**
 * Sends due deliveries to their receivers, in four steps: claim lanes by lease → read what is due in them → send it →
 * record the results. A delivery that was read and not recorded is sent again by the next holder of its lane.
 */
export function startDelivering(options: DelivererOptions): Deliverer {
  const { database, onProblem, leaseMs = LEASE_MS, underwayMax = UNDERWAY_MAX } = options
  const { stopPatienceMs = STOP_PATIENCE_MS } = options
  const alarm = createAlarm()
  const dispatcher = createDispatcher({ ...options, leaseMs, underwayMax, onRequest: alarm.ring })
  const loop = startLoop(dispatcher, alarm, options)
  let backlog: readonly Backlog[] = []

  const ticking = repeat(TICK_MS, dispatcher.tick, onProblem)
  const renewing = repeat(leaseMs / 3, dispatcher.renew, onProblem)
  const counting = repeat(
    BACKLOG_MS,
    async () => {
      backlog = await listBacklog(database)
    },
    onProblem,
  )
  const listener = startListening({
    database,
    onQueued: loop.wake,
    onQueuedIn: loop.wakeFor,
    onChanged(laneKey) {
      if (dispatcher.invalidate(laneKey)) alarm.ring()
    },
    onProblem,
  })

  return {
    wake: loop.wake,
    noteQueued() {
      if (!listener.isHearing()) loop.wake()
    },
    figures: {
      lanesHeld: () => dispatcher.lanesHeld,
      underway: () => dispatcher.underway,
      backlog: () => backlog,
      counts: dispatcher.counts,
    },
    async stop() {
      await Promise.all([loop.stop(), ticking.stop(), counting.stop()])
      const lanes = await dispatcher.finish(stopPatienceMs)
      await renewing.stop()
      await dispatcher.release(lanes).catch(onProblem)
      await listener.stop()
    },
  }
}

type Loop = {
  wake(): void
  /** Reads these lanes, and claims them if this node does not hold them. */
  wakeFor(laneKeys: readonly string[]): void
  stop(): Promise<void>
}

/**
 * Claims and reads when it is woken, when a lane asks for more, and at each poll. Sending and recording follow. Most wakes
 * name their lanes: the cost of a wake must not grow with the number of lanes that the node holds.
 */
function startLoop(
  dispatcher: Dispatcher,
  alarm: Alarm,
  { isBusy, onProblem }: Pick<DelivererOptions, 'isBusy' | 'onProblem'>,
): Loop {
  let isStopped = false
  let isWoken = true
  let shouldClaim = true
  let readAllAtMs = Number.NEGATIVE_INFINITY

  async function run(): Promise<void> {
    while (!isStopped) {
      await claimAndRead().catch(onProblem)
      await alarm.pause(isBusy() ? GATHER_BUSY_MS : GATHER_MS)
      // A node that is always woken for some lanes polls the others too.
      const untilPollMs = readAllAtMs + POLL_MS - performance.now()
      if (untilPollMs <= 0) isWoken = true
      if (isWoken || shouldClaim || dispatcher.hasRequests || isStopped) continue
      if (!(await alarm.sleep(untilPollMs))) isWoken = true
    }
  }

  /** Claims lanes and reads the lanes that it already holds at the same time. The next run reads the new ones. */
  async function claimAndRead(): Promise<void> {
    const all = isWoken
    const claimed = all || shouldClaim ? claim().catch(onProblem) : undefined
    isWoken = false
    shouldClaim = false
    if (all) readAllAtMs = performance.now()
    if (!isStopped) await dispatcher.read(all)
    await claimed
  }

  async function claim(): Promise<void> {
    if (await dispatcher.claim()) shouldClaim = true
  }

  const running = run()
  return {
    wake() {
      isWoken = true
      alarm.ring()
    },
    wakeFor(laneKeys) {
      for (const laneKey of laneKeys) if (!dispatcher.request(laneKey)) shouldClaim = true
      alarm.ring()
    },
    async stop() {
      isStopped = true
      alarm.end()
      await running
    },
  }
}
