import { createAllowance } from './allowance.service.ts'
import type { Bearing } from './attempt.rules.ts'
import type { Health } from './lanes.rules.ts'
import { healthAfter } from './lanes.rules.ts'
import type { Lane } from './lanes.service.ts'
import type { Turn } from './turns.service.ts'

/**
 * Who may send next. Lanes take turns; each has as many requests at a time as its receiver bears, and all together as
 * many as the node does. Receivers that are in trouble, or silent, or not known yet, share half of the places: the
 * others always find one.
 */
export type Places = {
  /** The lane has something to send. */
  offer(lane: Lane): void
  /** Time has passed: receivers that say nothing are noticed. */
  tick(lanes: Iterable<Lane>): void
  readonly underway: number
  /** How many begin in one step, of all lanes together. */
  readonly perStep: number
}

export type PlacesSettings = {
  readonly underwayMax: number
  readonly isBusy: () => boolean
  /** Undefined: it says nothing about the receiver. Never rejects. */
  readonly begin: (lane: Lane, turn: Turn) => Promise<Bearing | undefined>
  /** What the lane has left does not last for long. */
  readonly onLow: (lane: Lane) => void
}

/** A receiver that has said nothing for so long is not counted on. */
const QUIET_MS = 1_000
/** What was read longer ago is read again before it is sent: where it goes may have changed, or what is to be told. */
const STALE_MS = 1_000

export function createPlaces(settings: PlacesSettings): Places {
  const { underwayMax, begin, onLow } = settings
  const ready = new Set<Lane>()
  /** Ready, but of the half that has no free place. */
  const aside = new Set<Lane>()
  const allowance = createAllowance({ isBusy: settings.isBusy, onMore: startMore })
  let underway = 0
  let unproven = 0
  let isStarting = false

  function startMore(): void {
    // A lane that is taken out and put back in comes again, after the others.
    for (const lane of ready) {
      if (underway >= underwayMax) break
      if (!isStartable(lane)) ready.delete(lane)
      else if (!lane.health.isProven && unproven >= underwayMax / 2) {
        ready.delete(lane)
        aside.add(lane)
      } else {
        if (!allowance.take()) break
        ready.delete(lane)
        start(lane)
        ready.add(lane)
      }
    }
  }

  /** Once for all that ended in this turn of the event loop, and after their connections are free again. */
  function startSoon(): void {
    if (isStarting) return
    isStarting = true
    setImmediate(() => {
      isStarting = false
      startMore()
    })
  }

  function readmit(): void {
    for (const lane of aside) ready.add(lane)
    aside.clear()
  }

  /** Whatever has its window full is offered again when an attempt ends. */
  function isStartable(lane: Lane): boolean {
    if (!lane.isHeld || performance.now() > lane.leaseEndsMs || lane.queue.length === 0) return false
    if (isStale(lane)) {
      onLow(lane)
      return false
    }
    return lane.underway < lane.health.window
  }

  function start(lane: Lane): void {
    const turn = lane.queue.shift()
    if (turn === undefined) return
    if (lane.underway === 0) lane.heardAtMs = performance.now()
    lane.underway += 1
    underway += 1
    if (!lane.health.isProven) unproven += 1
    if (lane.queue.length < lane.health.window) onLow(lane)
    void begin(lane, turn).then((bearing) => {
      lane.underway -= 1
      underway -= 1
      if (!lane.health.isProven) unproven -= 1
      lane.heardAtMs = performance.now()
      if (bearing !== undefined) change(lane, healthAfter(lane.health, bearing))
      ready.add(lane)
      if (unproven < underwayMax / 2) readmit()
      startSoon()
    })
  }

  function change(lane: Lane, health: Health): void {
    if (lane.health.isProven && !health.isProven) unproven += lane.underway
    if (!lane.health.isProven && health.isProven) unproven -= lane.underway
    lane.health = health
  }

  return {
    offer(lane) {
      ready.add(lane)
      startMore()
    },
    tick(lanes) {
      const quietSinceMs = performance.now() - QUIET_MS
      for (const lane of lanes) {
        const isQuiet = lane.underway > 0 && lane.heardAtMs < quietSinceMs
        if (isQuiet && lane.health.isProven) change(lane, { ...lane.health, isProven: false })
      }
      readmit()
      startMore()
    },
    get underway() {
      return underway
    },
    get perStep() {
      return allowance.perStep
    },
  }
}

export function isStale(lane: Pick<Lane, 'queue'>): boolean {
  const [oldest] = lane.queue
  return oldest !== undefined && performance.now() > oldest.readAtMs + STALE_MS
}
