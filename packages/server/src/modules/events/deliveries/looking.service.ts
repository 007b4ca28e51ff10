import { firstHealth } from './lanes.rules.ts'
import type { HeldLanes, Lane } from './lanes.service.ts'
import type { Places } from './places.service.ts'
import { isStale } from './places.service.ts'
import type { Turn, TurnReader, Wanted } from './turns.service.ts'
import { laneKeyOf } from './turns.service.ts'

/** Keeps the lanes' queues filled. */
export type Looking = {
  /** The lane's queue does not last for long. */
  want(lane: Lane): void
  readonly hasWanting: boolean
  /** Reads what is due in lanes that want it, as many as one look takes; `all`: in all of them, by and by. */
  look(all: boolean): Promise<void>
  /** The lane's endpoint was changed: what is in its queue, or just being read, goes back. */
  readAgain(lane: Lane): void
  /** What a lane has in its queue is not this node's any more, or is read anew. */
  forget(lane: Lane): void
  /** The delivery is written down, or left to others. */
  settle(id: string): void
}

/** Bounds of one look, so that it takes some milliseconds. */
const LANES_MAX = 128
const ROWS_MAX = 512
/** How far a lane is read ahead, in what its receiver takes at a time. */
const AHEAD = 8
/** From so many on, of all lanes together, hardly any lane is read ahead: most would be stale when their turn comes. */
const TAKEN_MAX = 4_096
const AHEAD_FEW = 2
/** How far all lanes together are read ahead, in what may begin in one step. */
const STEPS_AHEAD = 2

export function createLooking(settings: { turns: TurnReader; lanes: HeldLanes; places: Places }): Looking {
  const { turns, lanes, places } = settings
  const wanting = new Set<Lane>()
  const taken = createTaken()

  /** What is taken already is read once more, since it still stands at the front of the line. */
  function wantedOf({ resellerId, stream, health, queue, unrecorded }: Lane, share: number): Wanted {
    const { window, isProven } = health
    const ahead = Math.min(isProven ? AHEAD * window : window, share)
    const rows = taken.size < TAKEN_MAX ? ahead : Math.min(ahead, AHEAD_FEW)
    return { resellerId, stream, rowsMax: rows + queue.length + unrecorded }
  }

  /** How many may be read: when few may begin, most would be stale when their turn comes. */
  function roomLeft(): number {
    const room = places.perStep * STEPS_AHEAD
    return Number.isFinite(room) ? room - startableCount(lanes.all()) : ROWS_MAX
  }

  /** How far one lane is read ahead, so that all that have something to send come to their turn soon. */
  function shareOf(room: number): number {
    if (!Number.isFinite(places.perStep)) return Number.POSITIVE_INFINITY
    let count = 0
    for (const { idleSinceMs } of wanting) if (idleSinceMs === undefined) count += 1
    return Math.max(AHEAD_FEW, Math.ceil(room / Math.max(1, count)))
  }

  function forget(lane: Lane): void {
    for (const turn of lane.queue.splice(0)) taken.remove(turn.delivery.id)
    wanting.delete(lane)
  }

  function pick(): { picked: Lane[]; wanted: Wanted[] } {
    const picked: Lane[] = []
    const wanted: Wanted[] = []
    const room = roomLeft()
    const share = shareOf(room)
    let rows = 0
    for (const lane of wanting) {
      if (picked.length >= LANES_MAX || rows >= room) break
      wanting.delete(lane)
      if (isStale(lane)) forget(lane)
      if (!lane.isHeld || lane.queue.length >= lane.health.window) continue
      const wants = wantedOf(lane, share)
      picked.push(lane)
      wanted.push(wants)
      rows += wants.rowsMax
    }
    return { picked, wanted }
  }

  function share(picked: readonly Lane[], read: readonly Turn[]): void {
    const nowMs = performance.now()
    const byKey = new Map(picked.map((lane) => [lane.key, lane]))
    for (const turn of read) {
      const lane = byKey.get(laneKeyOf(turn.delivery))
      if (lane === undefined || !lane.isHeld) continue
      taken.add(turn.delivery.id)
      lane.queue.push(turn)
      if (isKnownToFail(lane, turn)) lane.health = firstHealth(true)
    }
    for (const lane of picked) {
      const isIdle = lane.queue.length === 0 && lane.unrecorded === 0
      lane.idleSinceMs = isIdle ? (lane.idleSinceMs ?? nowMs) : undefined
      if (lane.queue.length > 0) places.offer(lane)
    }
  }

  return {
    want: (lane) => void wanting.add(lane),
    get hasWanting() {
      return wanting.size > 0
    },
    async look(all) {
      if (all) for (const lane of lanes.all()) wanting.add(lane)
      const { picked, wanted } = pick()
      if (picked.length === 0) return
      const changes = picked.map((lane) => lane.changes)
      await taken.whileReading(async () => {
        const read = await turns.read(wanted, taken.has)
        const unchanged = picked.filter((lane, index) => lane.changes === changes[index])
        share(unchanged, read)
      })
    },
    readAgain(lane) {
      lane.changes += 1
      forget(lane)
      wanting.add(lane)
    },
    forget,
    settle: (id) => taken.remove(id),
  }
}

/** Read, and begun as soon as they may be: what waits for its own receiver is in nobody's way. */
function startableCount(lanes: Iterable<Lane>): number {
  let count = 0
  for (const { queue, underway, health } of lanes) {
    if (underway < health.window) count += Math.min(queue.length, health.window - underway)
  }
  return count
}

function isKnownToFail(lane: Lane, turn: Turn): boolean {
  return turn.kind === 'send' && turn.target.isFailing && !lane.health.isProven && lane.underway === 0
}

/** Deliveries that are in a queue, under way or being written down. */
function createTaken() {
  const ids = new Set<string>()
  const removed: string[] = []
  let isReading = false
  return {
    has: (id: string) => ids.has(id),
    get size() {
      return ids.size
    },
    add: (id: string) => void ids.add(id),
    remove(id: string) {
      // What is being read was perhaps looked up before this one was written down.
      if (isReading) removed.push(id)
      else ids.delete(id)
    },
    async whileReading(read: () => Promise<void>): Promise<void> {
      isReading = true
      try {
        await read()
      } finally {
        isReading = false
        for (const id of removed.splice(0)) ids.delete(id)
      }
    },
  }
}
