import type { Allowance } from './allowance.service.ts'
import { createAllowance } from './allowance.service.ts'
import type { ReadyDelivery } from './deliveries.types.ts'
import type { Lane, LaneTotals } from './lane.rules.ts'
import { begin, canBegin, end, isQuiet, isStale, quiet } from './lane.rules.ts'
import type { Sent } from './sender.service.ts'

/**
 * Decides which lane sends next. Lanes take turns. Each lane has at most as many requests under way as its window, and
 * all lanes together as many as the node allows. Receivers that fail, are silent or are not known yet share half of the
 * node's requests, so that the other receivers always find a free one.
 */
export type Scheduler = {
  /** The lane has something to send. */
  schedule(lane: Lane): void
  /** Looks for receivers that have become quiet. To be called several times a second. */
  tick(lanes: Iterable<Lane>): void
  /** Most deliveries that may begin in one step, of all lanes together. */
  readonly perStep: number
}

export type SchedulerSettings = {
  readonly totals: LaneTotals
  readonly underwayMax: number
  readonly isBusy: () => boolean
  /** Sends a delivery; undefined: it was cut off, and its outcome is not known. Never rejects. */
  readonly send: (ready: ReadyDelivery) => Promise<Sent | undefined>
  /** The attempt has ended in its lane: its result is to be recorded. */
  readonly onEnded: (lane: Lane, ready: ReadyDelivery, sent: Sent | undefined) => void
  /** The lane's queue will soon be empty, or is stale. */
  readonly onLow: (lane: Lane) => void
  readonly onProblem: (error: unknown) => void
}

type State = SchedulerSettings & {
  /** Lanes that may have something to begin, in the order of their turns. */
  readonly ready: Set<Lane>
  /** Lanes that are ready, and wait for the half that unproven receivers share. */
  readonly waiting: Set<Lane>
  readonly allowance: Allowance
  isStarting: boolean
}

export function createScheduler(settings: SchedulerSettings): Scheduler {
  const { isBusy } = settings
  const allowance = createAllowance({ isBusy, onMore: () => startGuarded(state) })
  const state: State = { ...settings, ready: new Set(), waiting: new Set(), allowance, isStarting: false }
  return {
    schedule(lane) {
      state.ready.add(lane)
      startMore(state)
    },
    tick(lanes) {
      const nowMs = performance.now()
      for (const lane of lanes) if (isQuiet(lane, nowMs)) quiet(lane, nowMs)
      readmit(state)
      startMore(state)
    },
    get perStep() {
      return allowance.perStep
    },
  }
}

function startMore(state: State): void {
  const { ready, waiting, allowance, totals, underwayMax } = state
  // A lane that is taken out of the set and put back comes again in this loop, after the others.
  for (const lane of ready) {
    if (totals.underway >= underwayMax) break
    const nowMs = performance.now()
    if (!isStartable(state, lane, nowMs)) ready.delete(lane)
    else if (!lane.health.isProven && isUnprovenFull(state)) {
      ready.delete(lane)
      waiting.add(lane)
    } else {
      if (!allowance.take()) break
      ready.delete(lane)
      start(state, lane, nowMs)
      ready.add(lane)
    }
  }
}

/** A lane whose window is full is not startable; it is ready again when one of its attempts ends. */
function isStartable({ onLow }: State, lane: Lane, nowMs: number): boolean {
  if (lane.isHeld && nowMs <= lane.leaseEndsMs && isStale(lane, nowMs)) onLow(lane)
  return canBegin(lane, nowMs)
}

function isUnprovenFull({ totals, underwayMax }: State): boolean {
  return totals.unproven >= underwayMax / 2
}

function start(state: State, lane: Lane, nowMs: number): void {
  const next = begin(lane, nowMs)
  if (lane.queue.length < lane.health.window) state.onLow(lane)
  deliver(state, lane, next).catch(state.onProblem)
}

async function deliver(state: State, lane: Lane, next: ReadyDelivery): Promise<void> {
  const sent = await state.send(next)
  end(lane, performance.now(), sent?.bearing)
  state.onEnded(lane, next, sent)
  state.ready.add(lane)
  if (!isUnprovenFull(state)) readmit(state)
  startSoon(state)
}

function readmit({ ready, waiting }: State): void {
  for (const lane of waiting) ready.add(lane)
  waiting.clear()
}

/** Starts once for all attempts that end in this turn of the event loop, after their connections are free again. */
function startSoon(state: State): void {
  if (state.isStarting) return
  state.isStarting = true
  setImmediate(() => {
    state.isStarting = false
    startGuarded(state)
  })
}

/** Starts from a timer, and reports errors that nobody else would catch there. */
function startGuarded(state: State): void {
  try {
    startMore(state)
  } catch (error) {
    state.onProblem(error)
  }
}
