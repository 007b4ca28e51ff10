import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '../../../db/database.ts'
import type { LeaseClock } from '../../../db/lease-clock.ts'
import type { Vault } from '../../../db/vault.ts'
import { createAlarm } from '../../../lib/alarm.ts'
import { repeat } from '../../../lib/repeat.ts'
import type { Outbound } from '../../../outbound/types.ts'
import type { EventReader } from '../types.ts'
import type { Bearing } from './attempt.rules.ts'
import type { Result } from './deliveries.sql.ts'
import type { DeliveryFigures } from './delivery-metrics.service.ts'
import { startHearing } from './hearing.service.ts'
import type { Lane } from './lanes.service.ts'
import { createHeldLanes } from './lanes.service.ts'
import type { Backlog } from './lanes.sql.ts'
import { listBacklog } from './lanes.sql.ts'
import { createLooking } from './looking.service.ts'
import { createPlaces } from './places.service.ts'
import { createRecorder } from './recording.service.ts'
import { createSender } from './sending.service.ts'
import type { Turn } from './turns.service.ts'
import { createTurnReader } from './turns.service.ts'

export type Deliverer = {
  /** There is something new: to be called after a commit that queued some. */
  wake(): void
  readonly figures: DeliveryFigures
  /** Begins nothing more, lets what is under way end for a little, and gives the lanes back. */
  stop(): Promise<void>
}

export type DelivererOptions = {
  readonly database: Database
  readonly vault: Vault
  readonly outbound: Outbound
  readonly reader: EventReader
  /** For one attempt, all of it. */
  readonly timeoutMs: number
  /** The database's clock. */
  readonly nowMs: () => number
  readonly isBusy: () => boolean
  /** Something was appended to the feed: deliveries that were given up. */
  readonly onFacts: () => void
  readonly onProblem: (error: unknown) => void
  readonly leaseMs?: number
  readonly leaseClock: LeaseClock
  /** Requests under way at a time, to all receivers together. */
  readonly underwayMax?: number
  /** For what is under way when it stops. */
  readonly stopPatienceMs?: number
}

const LEASE_MS = 15_000
const UNDERWAY_MAX = 1_000
/** For retries that come due, and what was queued when nobody listened. */
const POLL_MS = 500
const TICK_MS = 250
const BACKLOG_MS = 15_000
/** What becomes due within it is read together. */
const GATHER_MS = 3
const GATHER_BUSY_MS = 200
/** So few at a time that nodes which wake together share what there is. */
const CLAIM_MAX = 8
/** A lane that has nothing to do is kept for so long: taking it again costs more. */
const LINGER_MS = 2_000
const STOP_PATIENCE_MS = 3_000

/**
 * Sends what is due to its receivers. A node leases lanes, reads what is due in them, sends it and writes down what came
 * of it; whatever it took and did not write down is sent again by whoever has the lane next.
 */
export function startDelivering(options: DelivererOptions): Deliverer {
  const { database, isBusy, onProblem, leaseMs = LEASE_MS, leaseClock, underwayMax = UNDERWAY_MAX } = options
  const alarm = createAlarm()
  let backlog: readonly Backlog[] = []
  let isStopped = false
  let isWoken = true

  const turns = createTurnReader(options)
  const sender = createSender(options)
  const recorder = createRecorder(options)
  const lanes = createHeldLanes({ database, leaseMs, leaseClock, onDropped: (lane) => looking.forget(lane) })
  const places = createPlaces({
    underwayMax,
    isBusy,
    begin,
    onLow(lane) {
      looking.want(lane)
      alarm.ring()
    },
  })
  const looking = createLooking({ turns, lanes, places })

  function wake(): void {
    isWoken = true
    alarm.ring()
  }

  /** Where its deliveries go, or how they are signed, is not what it was. */
  function readAgain(laneKey: string): void {
    const lane = lanes.find(laneKey)
    if (lane === undefined) return
    looking.readAgain(lane)
    alarm.ring()
  }

  /** One attempt, or none where the delivery ends without. */
  async function begin(lane: Lane, turn: Turn): Promise<Bearing | undefined> {
    lane.unrecorded += 1
    if (turn.kind === 'settled') {
      void record(lane, turn.result)
      return undefined
    }
    const sent = await sender.send(turn).catch(onProblem)
    if (sent) void record(lane, sent.result)
    else leave(lane, turn.delivery.id)
    return sent?.bearing
  }

  async function record(lane: Lane, result: Result): Promise<void> {
    try {
      await recorder.submit(result)
      lane.unrecorded -= 1
      looking.settle(result.delivery.id)
    } catch (error) {
      if (lane.isHeld) onProblem(error)
      leave(lane, result.delivery.id)
    }
  }

  /** Whoever has the lane when its lease has run out sends it again, rather than this node at once and for ever. */
  function leave(lane: Lane, id: string): void {
    lane.unrecorded -= 1
    lanes.drop(lane)
    looking.settle(id)
  }

  async function run(): Promise<void> {
    while (!isStopped) {
      await look().catch(onProblem)
      await alarm.pause(isBusy() ? GATHER_BUSY_MS : GATHER_MS)
      if (isWoken || looking.hasWanting || isStopped) continue
      if (!(await alarm.sleep(POLL_MS))) isWoken = true
    }
  }

  /** Lanes are taken beside the look at those one has; what is due in new ones is found by the next look. */
  async function look(): Promise<void> {
    const all = isWoken
    isWoken = false
    const claimed = all ? claim().catch(onProblem) : undefined
    if (!isStopped) await looking.look(all)
    await claimed
  }

  async function claim(): Promise<void> {
    if (places.underway < underwayMax && (await lanes.claim(CLAIM_MAX)) > 0) isWoken = true
  }

  async function tick(): Promise<void> {
    places.tick(lanes.all())
    const nowMs = performance.now()
    const over = [...lanes.all()].filter((lane) => nowMs > lane.leaseEndsMs)
    for (const lane of over) lanes.drop(lane)
    await lanes.release([...lanes.all()].filter(({ idleSinceMs = nowMs }) => nowMs > idleSinceMs + LINGER_MS))
  }

  async function countBacklog(): Promise<void> {
    backlog = await listBacklog(database)
  }

  async function underwayEnds(): Promise<void> {
    const giveUpAtMs = performance.now() + (options.stopPatienceMs ?? STOP_PATIENCE_MS)
    while (places.underway > 0 && performance.now() < giveUpAtMs) await delay(5)
  }

  async function stop(): Promise<void> {
    isStopped = true
    alarm.end()
    await Promise.all([running, ticking.stop(), counting.stop()])
    const mine = [...lanes.all()]
    for (const lane of mine) looking.forget(lane)
    await underwayEnds()
    sender.cutOff()
    await underwayEnds()
    await recorder.drain()
    await renewing.stop()
    await lanes.release(mine).catch(onProblem)
    await hearing.stop()
  }

  const running = run()
  const ticking = repeat(TICK_MS, tick, onProblem)
  const renewing = repeat(leaseMs / 3, () => lanes.renew(), onProblem)
  const counting = repeat(BACKLOG_MS, countBacklog, onProblem)
  const hearing = startHearing({ database, onQueued: wake, onChanged: readAgain, onProblem })

  return {
    wake,
    figures: {
      lanesHeld: () => lanes.count,
      underway: () => places.underway,
      backlog: () => backlog,
      counts: recorder.counts,
    },
    stop,
  }
}
