import { randomUUID } from 'node:crypto'
import type { Database } from '../../../db/database.ts'
import type { LeaseClock } from '../../../db/lease-clock.ts'
import { claimLeased } from '../../../db/leases.ts'
import type { LaneKey, ReadyDelivery } from './deliveries.types.ts'
import type { Health } from './health.rules.ts'
import { firstHealth } from './health.rules.ts'
import type { Lane, LaneTotals } from './lane.rules.ts'
import { createLane, createTotals, drop, laneKeyOf, renew } from './lane.rules.ts'
import { claimLanes, releaseLanes, renewLanes } from './lanes.sql.ts'

/** The lanes that this node holds by lease. */
export type HeldLanes = {
  all(): IterableIterator<Lane>
  find(key: string): Lane | undefined
  readonly count: number
  readonly totals: LaneTotals
  /** Leases lanes in which something is due, and returns them. */
  claim(lanesMax: number): Promise<readonly Lane[]>
  /** Renews every lease, and drops the lanes that another node has taken over. */
  renew(): Promise<void>
  /** Drops lanes whose lease has ended before it was renewed. */
  expire(nowMs: number): void
  /** Gives lanes back, so that any node can claim them at once. */
  release(lanes: readonly Lane[]): Promise<void>
  /** Lets the lease of a lane run out; then any node can claim it. Does nothing when the lane is already dropped. */
  drop(lane: Lane): void
}

export type HeldLanesSettings = {
  readonly database: Database
  readonly leaseMs: number
  readonly leaseClock: LeaseClock
  /** Called with the deliveries that were still queued in a lane that is dropped. */
  readonly onDropped: (lane: Lane, queued: readonly ReadyDelivery[]) => void
}

/** Receivers whose health is remembered after their lane is dropped. */
const REMEMBERED_MAX = 10_000

export function createHeldLanes(settings: HeldLanesSettings): HeldLanes {
  const { database, leaseMs, onDropped } = settings
  const holder = randomUUID()
  const totals = createTotals()
  const held = new Map<string, Lane>()
  const remembered = createHealthMemory()

  function dropHeld(lane: Lane): void {
    if (!lane.isHeld) return
    const queued = drop(lane)
    held.delete(lane.key)
    remembered.keep(lane)
    onDropped(lane, queued)
  }

  function hold(laneKey: LaneKey, leaseEndsMs: number): Lane {
    const key = laneKeyOf(laneKey)
    // The lease of a lane that this node still holds ran out, and this node claimed it again.
    const before = held.get(key)
    if (before !== undefined) dropHeld(before)
    const health = remembered.find(key)
    const lane = createLane({ ...laneKey, totals, leaseEndsMs, health })
    held.set(key, lane)
    return lane
  }

  return {
    all: () => held.values(),
    find: (key) => held.get(key),
    get count() {
      return held.size
    },
    totals,
    async claim(lanesMax) {
      const { work, leaseEndsMs } = await claimLeased(settings, lanesMax, (terms) =>
        claimLanes(database, holder, terms),
      )
      return work.map((laneKey) => hold(laneKey, leaseEndsMs))
    },
    async renew() {
      const lanes = [...held.values()]
      if (lanes.length === 0) return
      const leaseEndsMs = performance.now() + leaseMs
      const renewed = new Set((await renewLanes(database, holder, lanes, leaseMs)).map(laneKeyOf))
      for (const lane of lanes) {
        // The lane may have been dropped, and claimed anew, while the statement ran.
        if (!lane.isHeld) continue
        if (renewed.has(lane.key)) renew(lane, leaseEndsMs)
        else dropHeld(lane)
      }
    },
    expire(nowMs) {
      for (const lane of [...held.values()]) if (nowMs > lane.leaseEndsMs) dropHeld(lane)
    },
    async release(lanes) {
      for (const lane of lanes) dropHeld(lane)
      if (lanes.length > 0) await releaseLanes(database, holder, lanes)
    },
    drop: dropHeld,
  }
}

/** Health of receivers whose lanes were dropped. */
function createHealthMemory() {
  const remembered = new Map<string, Health>()
  return {
    keep({ key, health }: Lane): void {
      if (remembered.size >= REMEMBERED_MAX) remembered.clear()
      remembered.set(key, health)
    },
    find: (key: string): Health => remembered.get(key) ?? firstHealth(false),
  }
}
