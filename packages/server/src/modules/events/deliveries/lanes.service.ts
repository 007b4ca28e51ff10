import { randomUUID } from 'node:crypto'
import type { Database } from '../../../db/database.ts'
import type { LeaseClock } from '../../../db/lease-clock.ts'
import type { Health } from './lanes.rules.ts'
import { firstHealth } from './lanes.rules.ts'
import type { LaneKey } from './lanes.sql.ts'
import { claimLanes, releaseLanes, renewLanes } from './lanes.sql.ts'
import type { Turn } from './turns.service.ts'
import { laneKeyOf } from './turns.service.ts'

/** A lane that this node has. */
export type Lane = LaneKey & {
  readonly key: string
  /** Read and not begun. */
  queue: Turn[]
  /** How often its endpoint was changed: what was read before a change is never sent after it. */
  changes: number
  underway: number
  /** When an attempt last ended, or the first of those under way began. */
  heardAtMs: number
  /** Taken and not written down yet, attempts included. */
  unrecorded: number
  /** Nothing is begun after this instant of performance.now. */
  leaseEndsMs: number
  /** Since when there is nothing to do. */
  idleSinceMs: number | undefined
  health: Health
  isHeld: boolean
}

export type HeldLanes = {
  all(): IterableIterator<Lane>
  find(key: string): Lane | undefined
  readonly count: number
  /** How many were taken. */
  claim(lanesMax: number): Promise<number>
  /** Lanes that somebody took over, or whose lease ended, are held no more. */
  renew(): Promise<void>
  release(lanes: readonly Lane[]): Promise<void>
  /** Without a word: the lease runs out, and then anybody takes it. */
  drop(lane: Lane): void
}

/** Of how many receivers it is remembered how they fare. */
const REMEMBERED_MAX = 10_000

export function createHeldLanes(settings: {
  database: Database
  leaseMs: number
  leaseClock: LeaseClock
  onDropped: (lane: Lane) => void
}): HeldLanes {
  const { database, leaseMs, leaseClock, onDropped } = settings
  const holder = randomUUID()
  const held = new Map<string, Lane>()
  const remembered = new Map<string, Health>()

  function drop(lane: Lane): void {
    if (!lane.isHeld) return
    lane.isHeld = false
    held.delete(lane.key)
    if (remembered.size >= REMEMBERED_MAX) remembered.clear()
    remembered.set(lane.key, lane.health)
    onDropped(lane)
  }

  function take(laneKey: LaneKey, leaseEndsMs: number): void {
    const key = laneKeyOf(laneKey)
    const before = held.get(key)
    // Its lease ran out, and it is this node that took it over.
    if (before !== undefined) drop(before)
    held.set(key, {
      ...laneKey,
      key,
      queue: [],
      changes: 0,
      underway: 0,
      heardAtMs: 0,
      unrecorded: 0,
      leaseEndsMs,
      idleSinceMs: undefined,
      health: remembered.get(key) ?? firstHealth(false),
      isHeld: true,
    })
  }

  return {
    all: () => held.values(),
    find: (key) => held.get(key),
    get count() {
      return held.size
    },
    async claim(lanesMax) {
      const leaseEndsMs = performance.now() + leaseMs
      const claimed = await claimLanes(database, holder, lanesMax, leaseMs, leaseClock.believedUntil())
      for (const key of claimed) take(key, leaseEndsMs)
      return claimed.length
    },
    async renew() {
      const lanes = [...held.values()]
      if (lanes.length === 0) return
      const leaseEndsMs = performance.now() + leaseMs
      const renewed = await renewLanes(database, holder, lanes, leaseMs)
      const kept = new Set(renewed.map(laneKeyOf))
      for (const lane of lanes) {
        if (kept.has(lane.key)) lane.leaseEndsMs = leaseEndsMs
        else drop(lane)
      }
    },
    async release(lanes) {
      for (const lane of lanes) drop(lane)
      if (lanes.length > 0) await releaseLanes(database, holder, lanes)
    },
    drop,
  }
}
