import { assert } from '../../../lib/errors.ts'
import type { Bearing } from './attempt.rules.ts'
import type { LaneKey, ReadyDelivery } from './deliveries.types.ts'
import type { Health } from './health.rules.ts'
import { firstHealth, healthAfter } from './health.rules.ts'

// A lane that this node holds, and everything that can happen to it. A delivery passes through a lane in this order:
//
//   offer → queued → begin → under way → end → unrecorded → settle
//
// This file alone writes the fields of a lane and the totals of a node. Each transition asserts that it is legal, so a
// mistake of a caller shows where it is made and not as a wrong count later. Times are instants of performance.now and
// come from the caller, which must judge and act at the same instant.

/** Requests under way in all lanes of a node, including those in lanes that it has dropped. */
export type LaneTotals = {
  readonly underway: number
  /** Requests among them whose receiver is not proven: it fails, is silent, or is not known yet. */
  readonly unproven: number
}

export type Lane = Readonly<Omit<LaneState, 'queue' | 'totals'>> & {
  readonly queue: readonly ReadyDelivery[]
}

type LaneState = LaneKey & {
  /** Name of the lane in memory and in notifications of the database. */
  readonly key: string
  readonly totals: { -readonly [Name in keyof LaneTotals]: number }
  /** Deliveries that were read and not begun, oldest first. */
  readonly queue: ReadyDelivery[]
  underway: number
  /** Deliveries that were begun and not settled, including those under way. */
  unrecorded: number
  /** Number of changes of the endpoint: what was read before a change must not be sent after it. */
  changes: number
  health: Health
  /** Instant at which an attempt last ended, or at which the first of those under way began. */
  activeAtMs: number
  /** Instant since which reads have found nothing to do; undefined: the last read found something. */
  idleSinceMs: number | undefined
  leaseEndsMs: number
  isHeld: boolean
}

/** A receiver that has not answered for this long is no longer counted on. */
export const QUIET_MS = 1_000
/** Age from which a queued delivery is read again before it is sent: its receiver or its event may have changed. */
export const STALE_MS = 1_000

export function laneKeyOf({ resellerId, stream }: LaneKey): string {
  return `${resellerId} ${stream}`
}

export function createTotals(): LaneTotals {
  return { underway: 0, unproven: 0 }
}

export type NewLane = LaneKey & {
  readonly totals: LaneTotals
  readonly leaseEndsMs: number
  readonly health: Health
}

export function createLane({ resellerId, stream, totals, leaseEndsMs, health }: NewLane): Lane {
  const lane: LaneState = {
    resellerId,
    stream,
    key: laneKeyOf({ resellerId, stream }),
    totals,
    queue: [],
    underway: 0,
    unrecorded: 0,
    changes: 0,
    health,
    activeAtMs: 0,
    idleSinceMs: undefined,
    leaseEndsMs,
    isHeld: true,
  }
  return lane
}

// ── Questions ──

/** True when the oldest queued delivery is too old to be sent as it was read. */
export function isStale({ queue: [oldest] }: Lane, nowMs: number): boolean {
  return oldest !== undefined && nowMs > oldest.readAtMs + STALE_MS
}

/** True when `begin` is legal at this instant. */
export function canBegin(lane: Lane, nowMs: number): boolean {
  return (
    lane.isHeld &&
    nowMs <= lane.leaseEndsMs &&
    lane.queue.length > 0 &&
    lane.underway < lane.health.window &&
    !isStale(lane, nowMs)
  )
}

/** True when the receiver is counted on, has requests, and has answered none for a while. */
export function isQuiet({ underway, activeAtMs, health }: Lane, nowMs: number): boolean {
  return underway > 0 && health.isProven && activeAtMs < nowMs - QUIET_MS
}

// ── Transitions ──

/** Puts a delivery that was read at the end of the queue. */
export function offer(lane: Lane, ready: ReadyDelivery): void {
  assert(lane.isHeld, 'a dropped lane is offered nothing')
  const state = stateOf(lane)
  state.queue.push(ready)
  state.idleSinceMs = undefined
  if (isKnownToFail(lane, ready)) changeHealth(state, firstHealth(true))
}

/** Takes the oldest delivery out of the queue, to be sent now. */
export function begin(lane: Lane, nowMs: number): ReadyDelivery {
  assert(
    canBegin(lane, nowMs),
    'a delivery begins in a held lane with a lease, a fresh queue and room in its window',
  )
  const state = stateOf(lane)
  const ready = state.queue.shift()
  assert(ready !== undefined, 'the queue is not empty')
  if (state.underway === 0) state.activeAtMs = nowMs
  state.underway += 1
  state.unrecorded += 1
  state.totals.underway += 1
  if (!state.health.isProven) state.totals.unproven += 1
  return ready
}

/** An attempt has ended. `bearing` undefined: it says nothing about the receiver. */
export function end(lane: Lane, nowMs: number, bearing: Bearing | undefined): void {
  assert(lane.underway > 0, 'an attempt ends that has begun')
  const state = stateOf(lane)
  state.underway -= 1
  state.totals.underway -= 1
  if (!state.health.isProven) state.totals.unproven -= 1
  state.activeAtMs = nowMs
  if (bearing !== undefined) changeHealth(state, healthAfter(state.health, bearing))
}

/** A delivery whose attempt has ended is recorded, or left to the next holder of the lane. */
export function settle(lane: Lane): void {
  assert(lane.unrecorded > lane.underway, 'a delivery is settled after its attempt has ended')
  stateOf(lane).unrecorded -= 1
}

/** The receiver is no longer counted on, because it has been silent for too long. */
export function quiet(lane: Lane, nowMs: number): void {
  assert(isQuiet(lane, nowMs), 'a receiver becomes quiet when it has answered nothing for a while')
  changeHealth(stateOf(lane), { ...lane.health, isProven: false })
}

/** A read of the lane has ended: if it found nothing to do, the lane is idle. */
export function rest(lane: Lane, nowMs: number): void {
  assert(lane.isHeld, 'a dropped lane does not rest')
  const isIdle = lane.queue.length === 0 && lane.unrecorded === 0
  stateOf(lane).idleSinceMs = isIdle ? (lane.idleSinceMs ?? nowMs) : undefined
}

/** Empties the queue; its deliveries are read again, by this node or by another one. */
export function withdraw(lane: Lane): readonly ReadyDelivery[] {
  return stateOf(lane).queue.splice(0)
}

/** The endpoint was changed: deliveries that were read before go back. */
export function change(lane: Lane): readonly ReadyDelivery[] {
  assert(lane.isHeld, 'the endpoint of a held lane changes')
  stateOf(lane).changes += 1
  return withdraw(lane)
}

export function renew(lane: Lane, leaseEndsMs: number): void {
  assert(lane.isHeld, 'the lease of a dropped lane is not renewed')
  stateOf(lane).leaseEndsMs = leaseEndsMs
}

/** The lane is no longer this node's. Attempts that are under way still end, and are recorded. */
export function drop(lane: Lane): readonly ReadyDelivery[] {
  assert(lane.isHeld, 'a lane is dropped once')
  stateOf(lane).isHeld = false
  return withdraw(lane)
}

// ── Helpers ──

function stateOf(lane: Lane): LaneState {
  return lane as LaneState
}

/** True when the endpoint is known to fail and this node has no newer knowledge of it. */
function isKnownToFail({ health, underway }: Lane, ready: ReadyDelivery): boolean {
  return ready.kind === 'send' && ready.target.isFailing && !health.isProven && underway === 0
}

/** Moves the requests under way between the totals when the receiver becomes proven, or ceases to be. */
function changeHealth(lane: LaneState, health: Health): void {
  if (lane.health.isProven && !health.isProven) lane.totals.unproven += lane.underway
  if (!lane.health.isProven && health.isProven) lane.totals.unproven -= lane.underway
  lane.health = health
}
