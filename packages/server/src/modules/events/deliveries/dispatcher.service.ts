import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '../../../db/database.ts'
import type { LeaseClock } from '../../../db/lease-clock.ts'
import type { Vault } from '../../../db/vault.ts'
import type { Outbound } from '../../../outbound/types.ts'
import type { EventReader } from '../types.ts'
import type { ReadyDelivery, Result } from './deliveries.types.ts'
import { createDueReader } from './due.service.ts'
import type { Lane } from './lane.rules.ts'
import { settle } from './lane.rules.ts'
import type { HeldLanes } from './lanes.service.ts'
import { createHeldLanes } from './lanes.service.ts'
import type { Prefetch } from './prefetch.service.ts'
import { createPrefetch } from './prefetch.service.ts'
import type { Counted, Recorder } from './recorder.service.ts'
import { createRecorder } from './recorder.service.ts'
import { createScheduler } from './scheduler.service.ts'
import type { OnAttempted, Sender, Sent } from './sender.service.ts'
import { createSender } from './sender.service.ts'

/** The four steps of a delivery on this node: claim its lane → read it → send it → record the result. */
export type Dispatcher = {
  /**
   * Leases lanes in which something is due, and asks for their deliveries. False: there are none, or the node has enough
   * under way.
   */
  claim(): Promise<boolean>
  /** Reads due deliveries of lanes that ask for them, and sends them. `all`: reads every lane that is held. */
  read(all: boolean): Promise<void>
  readonly hasRequests: boolean
  /** Asks for the deliveries of a lane in which some were queued; false: this node does not hold it. */
  request(laneKey: string): boolean
  /** Reads a lane again whose endpoint was changed; false: this node does not hold it. */
  invalidate(laneKey: string): boolean
  /** Notices quiet receivers, lanes whose lease is over, and lanes that have long been idle. */
  tick(): Promise<void>
  renew(): Promise<void>
  /**
   * Begins nothing more, waits for requests under way, cuts off those that take too long, and records all results.
   * Returns the lanes that were held at the beginning: they are to be released, also those that were dropped since.
   */
  finish(patienceMs: number): Promise<readonly Lane[]>
  /** Gives lanes back, so that other nodes need not wait for the end of their leases. */
  release(lanes: readonly Lane[]): Promise<void>
  readonly lanesHeld: number
  readonly underway: number
  counts(): Iterable<Counted>
}

export type DispatcherOptions = {
  readonly database: Database
  readonly vault: Vault
  readonly outbound: Outbound
  readonly reader: EventReader
  /** Limit of one attempt, from connecting to the whole answer. */
  readonly timeoutMs: number
  /** The database's clock. */
  readonly nowMs: () => number
  /** Called after each attempt, for metrics and traces. */
  readonly onAttempted?: OnAttempted | undefined
  readonly isBusy: () => boolean
  /** Called when facts were appended to the feed, because deliveries were given up. */
  readonly onFacts: () => void
  readonly onProblem: (error: unknown) => void
  readonly leaseMs: number
  readonly leaseClock: LeaseClock
  /** Most requests under way at a time, to all receivers together. */
  readonly underwayMax: number
  /** Called when a lane asks to be read. */
  readonly onRequest: () => void
}

/** Claims only a few lanes at a time, so that nodes that wake together share the work. */
const CLAIM_MAX = 8
/** An idle lane is kept for this long, because claiming it again costs more than keeping it. */
const LINGER_MS = 2_000

type Node = {
  readonly lanes: HeldLanes
  readonly prefetch: Prefetch
  readonly sender: Sender
  readonly recorder: Recorder
  readonly onProblem: (error: unknown) => void
}

export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { underwayMax, isBusy, onProblem, onRequest } = options
  const sender = createSender(options)
  const recorder = createRecorder(options)
  const lanes = createHeldLanes({ ...options, onDropped: (lane, queued) => prefetch.forget(lane, queued) })
  const { totals } = lanes
  const scheduler = createScheduler({
    totals,
    underwayMax,
    isBusy,
    send: (ready) => send(node, ready),
    onEnded: (lane, ready, sent) => void record(node, lane, ready, sent).catch(onProblem),
    onLow(lane) {
      prefetch.request(lane)
      onRequest()
    },
    onProblem,
  })
  const prefetch = createPrefetch({ due: createDueReader(options), lanes, scheduler, recorder, onRequest })
  const node: Node = { lanes, prefetch, sender, recorder, onProblem }

  return {
    async claim() {
      if (totals.underway >= underwayMax) return false
      const claimed = await lanes.claim(CLAIM_MAX)
      for (const lane of claimed) prefetch.request(lane)
      return claimed.length > 0
    },
    read: (all) => prefetch.run(all),
    get hasRequests() {
      return prefetch.hasRequests
    },
    request(laneKey) {
      const lane = lanes.find(laneKey)
      if (lane !== undefined) prefetch.request(lane)
      return lane !== undefined
    },
    invalidate(laneKey) {
      const lane = lanes.find(laneKey)
      if (lane !== undefined) prefetch.invalidate(lane)
      return lane !== undefined
    },
    async tick() {
      scheduler.tick(lanes.all())
      const nowMs = performance.now()
      lanes.expire(nowMs)
      await lanes.release([...lanes.all()].filter((lane) => isIdle(lane, nowMs)))
    },
    renew: () => lanes.renew(),
    finish: (patienceMs) => finish(node, patienceMs),
    release: (given) => lanes.release(given),
    get lanesHeld() {
      return lanes.count
    },
    get underway() {
      return totals.underway
    },
    counts: recorder.counts,
  }
}

function isIdle({ idleSinceMs = Number.POSITIVE_INFINITY }: Lane, nowMs: number): boolean {
  return nowMs > idleSinceMs + LINGER_MS
}

/** Makes one attempt, or none for a delivery that ends without a request. Never rejects. */
async function send({ sender, onProblem }: Node, ready: ReadyDelivery): Promise<Sent | undefined> {
  switch (ready.kind) {
    case 'settled':
      return { result: ready.result, bearing: undefined }
    case 'send':
      try {
        return await sender.send(ready)
      } catch (error) {
        onProblem(error)
        return undefined
      }
  }
}

/** Records the result of an attempt that has ended in its lane. */
async function record(node: Node, lane: Lane, ready: ReadyDelivery, sent: Sent | undefined): Promise<void> {
  if (sent === undefined || !(await isRecorded(node, lane, sent.result))) {
    // The lease of the lane runs out, and the next holder sends the delivery again. If this node kept the lane, it would
    // send the delivery again at once, and perhaps for ever.
    node.lanes.drop(lane)
  }
  settle(lane)
  node.prefetch.settle(ready.delivery.id)
}

async function isRecorded({ recorder, onProblem }: Node, lane: Lane, result: Result): Promise<boolean> {
  try {
    await recorder.submit(result)
    return true
  } catch (error) {
    if (lane.isHeld) onProblem(error)
    return false
  }
}

async function finish(node: Node, patienceMs: number): Promise<readonly Lane[]> {
  const { lanes, prefetch, sender, recorder } = node
  const held = [...lanes.all()]
  for (const lane of held) prefetch.discard(lane)
  await underwayEnds(lanes, patienceMs)
  sender.cutOff()
  await underwayEnds(lanes, patienceMs)
  await recorder.drain()
  return held
}

async function underwayEnds({ totals }: HeldLanes, patienceMs: number): Promise<void> {
  const giveUpAtMs = performance.now() + patienceMs
  while (totals.underway > 0 && performance.now() < giveUpAtMs) await delay(5)
}
