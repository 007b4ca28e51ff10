import type { LaneKey, ReadyDelivery } from './deliveries.types.ts'
import type { DueReader, Wanted } from './due.service.ts'
import type { Lane } from './lane.rules.ts'
import { change, isStale, laneKeyOf, offer, rest, withdraw } from './lane.rules.ts'
import type { HeldLanes } from './lanes.service.ts'
import type { Recorder } from './recorder.service.ts'
import type { Scheduler } from './scheduler.service.ts'

/** Reads due deliveries ahead into the queues of lanes, so that a lane rarely waits for the database. */
export type Prefetch = {
  /** Asks that the lane is read, because its queue will soon be empty. */
  request(lane: Lane): void
  readonly hasRequests: boolean
  /** Reads lanes that are requested, up to the bounds of one run. `all`: all held lanes follow, behind those. */
  run(all: boolean): Promise<void>
  /** The lane's endpoint was changed: reads again what is queued or being read. */
  invalidate(lane: Lane): void
  /** Empties the lane's queue and takes back its request. */
  discard(lane: Lane): void
  /** The lane was dropped with these deliveries in its queue: another node reads them. */
  forget(lane: Lane, queued: readonly ReadyDelivery[]): void
  /** The delivery is recorded, or left to the next holder of its lane: it may be read again. */
  settle(id: string): void
}

/** Bounds of one run, so that it takes some milliseconds. */
const LANES_MAX = 128
const ROWS_MAX = 512
/** Part of a run that is kept for lanes that nobody requested, while there are any. */
const POLLED_PART = 1 / 4
/** Rows that a proven lane is read ahead, as a multiple of its window. */
const AHEAD = 8
/**
 * Number of taken deliveries from which on lanes are hardly read ahead: most of what is read would be stale before it
 * can begin.
 */
const TAKEN_MAX = 4_096
const AHEAD_FEW = 2
/** Rows that all lanes together are read ahead, as a multiple of what may begin in one step. */
const STEPS_AHEAD = 2

/** Time for the sequencer to number the facts that it has before it. */
const FACTS_WAIT_MS = 25

type Settings = {
  readonly due: DueReader
  readonly lanes: HeldLanes
  readonly scheduler: Scheduler
  readonly recorder: Pick<Recorder, 'end'>
  /** Called when a lane is requested that the present run no longer reads. */
  readonly onRequest: () => void
}

type State = Settings & {
  readonly requested: Set<Lane>
  /** Lanes that are read because all held lanes are; they wait behind those that are requested. */
  readonly polled: Set<Lane>
  readonly taken: Taken
}

export function createPrefetch(settings: Settings): Prefetch {
  const state: State = { ...settings, requested: new Set(), polled: new Set(), taken: createTaken() }
  const { requested, polled, taken } = state

  return {
    request: (lane) => void requested.add(lane),
    get hasRequests() {
      return requested.size > 0 || polled.size > 0
    },
    run: (all) => run(state, all),
    invalidate(lane) {
      giveBack(taken, change(lane))
      requested.add(lane)
    },
    discard(lane) {
      giveBack(taken, withdraw(lane))
      takeBack(state, lane)
    },
    forget(lane, queued) {
      giveBack(taken, queued)
      takeBack(state, lane)
    },
    settle: (id) => taken.remove(id),
  }
}

async function run(state: State, all: boolean): Promise<void> {
  const { due, lanes, polled, taken } = state
  if (all) for (const lane of lanes.all()) polled.add(lane)
  const { picked, wanted } = pick(state)
  if (picked.length === 0) return
  const changesBefore = picked.map((lane) => lane.changes)
  await taken.whileReading(async () => {
    const { ready, closed } = await due.read(wanted, taken.has)
    const unchanged = picked.filter((lane, index) => lane.isHeld && lane.changes === changesBefore[index])
    distribute(state, unchanged, ready)
    for (const lane of closed) await endClosed(state, lane)
  })
}

/**
 * Ends what is due in a lane whose receiver takes nothing. It needs no turn of the lane, because nothing is sent; a lane
 * with a hundred thousand deliveries would otherwise end them one by one. The rest is ended in the next run.
 */
async function endClosed(
  { lanes, requested, recorder, taken, onRequest }: State,
  laneKey: LaneKey,
): Promise<void> {
  const ended = await recorder.end(laneKey, taken.ids())
  const requestAgain = () => {
    const lane = lanes.find(laneKeyOf(laneKey))
    if (lane === undefined) return
    requested.add(lane)
    onRequest()
  }
  if (ended > 0) requestAgain()
  else setTimeout(requestAgain, FACTS_WAIT_MS).unref()
}

/** Picks lanes to read, and how many rows of each. Requested lanes come first, however many lanes the node holds. */
function pick(state: State): { picked: Lane[]; wanted: Wanted[] } {
  const { requested, polled, taken } = state
  const picked: Lane[] = []
  const wanted: Wanted[] = []
  const room = roomLeft(state)
  const share = shareOf(state, room)
  let rows = 0
  const pickFrom = (lanes: ReadonlySet<Lane>, part: number) => {
    for (const lane of lanes) {
      if (picked.length >= LANES_MAX * part || rows >= room * part) break
      takeBack(state, lane)
      if (isStale(lane, performance.now())) giveBack(taken, withdraw(lane))
      if (!lane.isHeld || lane.queue.length >= lane.health.window) continue
      const wants = wantedOf(lane, share, taken)
      picked.push(lane)
      wanted.push(wants)
      rows += wants.rowsMax
    }
  }
  pickFrom(requested, polled.size === 0 ? 1 : 1 - POLLED_PART)
  pickFrom(polled, 1)
  return { picked, wanted }
}

function takeBack({ requested, polled }: State, lane: Lane): void {
  requested.delete(lane)
  polled.delete(lane)
}

/** Counts taken deliveries as well: they are still due in the database, before those that are new. */
function wantedOf(
  { resellerId, stream, health, queue, unrecorded }: Lane,
  share: number,
  taken: Taken,
): Wanted {
  const { window, isProven } = health
  const ahead = Math.min(isProven ? AHEAD * window : window, share)
  const rows = taken.size < TAKEN_MAX ? ahead : Math.min(ahead, AHEAD_FEW)
  return { resellerId, stream, rowsMax: rows + queue.length + unrecorded }
}

/** Number of rows that may be read. While few deliveries may begin, most of a long read would be stale before it can. */
function roomLeft({ lanes, scheduler }: State): number {
  const room = scheduler.perStep * STEPS_AHEAD
  return Number.isFinite(room) ? room - startableCount(lanes.all()) : ROWS_MAX
}

/** Number of rows that one lane is read ahead, so that every lane with something to send gets a part of the room. */
function shareOf({ requested, polled, scheduler }: State, room: number): number {
  if (!Number.isFinite(scheduler.perStep)) return Number.POSITIVE_INFINITY
  let count = 0
  for (const { idleSinceMs } of requested) if (idleSinceMs === undefined) count += 1
  for (const lane of polled) if (lane.idleSinceMs === undefined && !requested.has(lane)) count += 1
  return Math.max(AHEAD_FEW, Math.ceil(room / Math.max(1, count)))
}

/** Counts queued deliveries that only wait for the node. Others wait for their own receiver and hold up nobody. */
function startableCount(lanes: Iterable<Lane>): number {
  let count = 0
  for (const { queue, underway, health } of lanes) {
    if (underway < health.window) count += Math.min(queue.length, health.window - underway)
  }
  return count
}

function distribute(
  { scheduler, taken }: State,
  picked: readonly Lane[],
  read: readonly ReadyDelivery[],
): void {
  const nowMs = performance.now()
  const byKey = new Map(picked.map((lane) => [lane.key, lane]))
  for (const ready of read) {
    const lane = byKey.get(laneKeyOf(ready.delivery))
    if (lane === undefined) continue
    taken.add(ready.delivery.id)
    offer(lane, ready)
  }
  for (const lane of picked) {
    rest(lane, nowMs)
    if (lane.queue.length > 0) scheduler.schedule(lane)
  }
}

/** Deliveries that are out of a queue may be read again. */
function giveBack(taken: Taken, deliveries: readonly ReadyDelivery[]): void {
  for (const { delivery } of deliveries) taken.remove(delivery.id)
}

type Taken = ReturnType<typeof createTaken>

/** Ids of deliveries that are queued, under way or being recorded: they must not be read a second time. */
function createTaken() {
  const ids = new Set<string>()
  const removed: string[] = []
  let isReading = false
  return {
    has: (id: string) => ids.has(id),
    ids: () => ids.values(),
    get size() {
      return ids.size
    },
    add: (id: string) => void ids.add(id),
    remove(id: string) {
      // A statement that is running may have seen the row before it was recorded, so the id stays until it ends.
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
