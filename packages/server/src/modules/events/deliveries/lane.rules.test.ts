import { describe, expect, it } from 'vitest'
import type { DueDelivery, ReadyDelivery, Target } from './deliveries.types.ts'
import type { Health } from './health.rules.ts'
import type { Lane } from './lane.rules.ts'
import {
  begin,
  canBegin,
  change,
  createLane,
  createTotals,
  drop,
  end,
  isQuiet,
  isStale,
  offer,
  QUIET_MS,
  quiet,
  renew,
  rest,
  STALE_MS,
  settle,
  withdraw,
} from './lane.rules.ts'

const NOW_MS = 10_000
const LEASE_MS = 15_000
const PROVEN: Health = { window: 2, isProven: true }
const UNPROVEN: Health = { window: 2, isProven: false }

const TARGET = { url: 'https://shop.example/', method: 'POST', isFailing: false } as Target

function ready(id: string, { isFailing = false, readAtMs = NOW_MS } = {}): ReadyDelivery {
  const delivery = { resellerId: 7n, stream: 'balance', id } as DueDelivery
  return { kind: 'send', delivery, readAtMs, target: { ...TARGET, isFailing }, text: '{}' }
}

function newLane(health: Health, ...queue: readonly string[]) {
  const totals = createTotals()
  const lane = createLane({
    resellerId: 7n,
    stream: 'balance',
    totals,
    leaseEndsMs: NOW_MS + LEASE_MS,
    health,
  })
  for (const id of queue) offer(lane, ready(id))
  return { lane, totals }
}

const ids = (deliveries: readonly ReadyDelivery[]) => deliveries.map(({ delivery }) => delivery.id)

/** Counts and state of a lane, to see that a refused transition leaves them as they are. */
const shown = ({ queue, ...lane }: Lane) => JSON.stringify({ ...lane, resellerId: 0, queue: ids(queue) })

function expectRefused(lane: Lane, transition: () => unknown, text: string): void {
  const before = shown(lane)
  expect(transition).toThrow(text)
  expect(shown(lane)).toBe(before)
}

describe('a delivery in a lane', () => {
  it('is queued, under way, unrecorded and settled, and is counted once in each of these', () => {
    const { lane, totals } = newLane(UNPROVEN, 'a', 'b')
    expect(lane).toMatchObject({ key: '7 balance', underway: 0, unrecorded: 0 })
    expect(begin(lane, NOW_MS).delivery.id).toBe('a')
    expect(lane).toMatchObject({ underway: 1, unrecorded: 1 })
    expect(ids(lane.queue)).toEqual(['b'])
    expect(totals).toEqual({ underway: 1, unproven: 1 })
    end(lane, NOW_MS, 'neutral')
    expect(lane).toMatchObject({ underway: 0, unrecorded: 1 })
    expect(totals).toEqual({ underway: 0, unproven: 0 })
    settle(lane)
    expect(lane).toMatchObject({ underway: 0, unrecorded: 0 })
  })

  it('still ends and is settled after its lane was dropped', () => {
    const { lane, totals } = newLane(UNPROVEN, 'a', 'b')
    begin(lane, NOW_MS)
    expect(ids(drop(lane))).toEqual(['b'])
    expect(totals).toEqual({ underway: 1, unproven: 1 })
    end(lane, NOW_MS, undefined)
    settle(lane)
    expect(lane).toMatchObject({ isHeld: false, underway: 0, unrecorded: 0 })
    expect(totals).toEqual({ underway: 0, unproven: 0 })
  })

  it('goes back when the endpoint is changed, and the change is counted', () => {
    const { lane } = newLane(UNPROVEN, 'a', 'b')
    expect(ids(change(lane))).toEqual(['a', 'b'])
    expect(lane).toMatchObject({ changes: 1, queue: [] })
  })
})

describe('the health of a receiver', () => {
  it('moves all its requests under way between the totals', () => {
    const { lane, totals } = newLane(UNPROVEN, 'a', 'b')
    begin(lane, NOW_MS)
    begin(lane, NOW_MS)
    expect(totals).toEqual({ underway: 2, unproven: 2 })
    end(lane, NOW_MS, 'well')
    expect(totals).toEqual({ underway: 1, unproven: 0 })
    quiet(lane, NOW_MS + QUIET_MS + 1)
    expect(totals).toEqual({ underway: 1, unproven: 1 })
    end(lane, NOW_MS + QUIET_MS + 1, 'silent')
    expect(totals).toEqual({ underway: 0, unproven: 0 })
    expect(lane.health).toEqual({ window: 1, isProven: false })
  })

  it('is in doubt when nothing has ended for a while since the first request or the last end', () => {
    const { lane } = newLane({ window: 3, isProven: true }, 'a', 'b', 'c')
    begin(lane, NOW_MS)
    begin(lane, NOW_MS + 500)
    expect(isQuiet(lane, NOW_MS + QUIET_MS)).toBe(false)
    expect(isQuiet(lane, NOW_MS + QUIET_MS + 1)).toBe(true)
    end(lane, NOW_MS + 900, 'well')
    expect(isQuiet(lane, NOW_MS + 900 + QUIET_MS)).toBe(false)
    expect(isQuiet(lane, NOW_MS + 900 + QUIET_MS + 1)).toBe(true)
  })

  it('begins with one request where the endpoint is known to fail, unless this node knows better', () => {
    const failing = newLane(UNPROVEN).lane
    offer(failing, ready('a', { isFailing: true }))
    expect(failing.health).toEqual({ window: 1, isProven: false })
    const proven = newLane(PROVEN).lane
    offer(proven, ready('a', { isFailing: true }))
    expect(proven.health).toEqual(PROVEN)
    const tried = newLane(UNPROVEN, 'a').lane
    begin(tried, NOW_MS)
    offer(tried, ready('b', { isFailing: true }))
    expect(tried.health).toEqual(UNPROVEN)
  })
})

describe('an idle lane', () => {
  it('is idle since the first of the reads that found nothing, and no more when it is offered something', () => {
    const { lane } = newLane(UNPROVEN)
    rest(lane, NOW_MS)
    rest(lane, NOW_MS + 5)
    expect(lane.idleSinceMs).toBe(NOW_MS)
    offer(lane, ready('a'))
    expect(lane.idleSinceMs).toBeUndefined()
    begin(lane, NOW_MS)
    end(lane, NOW_MS, 'well')
    rest(lane, NOW_MS)
    expect(lane.idleSinceMs).toBeUndefined()
    settle(lane)
    rest(lane, NOW_MS + 9)
    expect(lane.idleSinceMs).toBe(NOW_MS + 9)
  })
})

describe('an illegal transition throws and changes nothing', () => {
  it.each([
    ['an offer', (lane: Lane) => offer(lane, ready('x')), 'offered nothing'],
    ['a begin', (lane: Lane) => begin(lane, NOW_MS), 'held lane'],
    ['a rest', (lane: Lane) => rest(lane, NOW_MS), 'does not rest'],
    ['a change of the endpoint', (lane: Lane) => change(lane), 'held lane'],
    ['a renewal', (lane: Lane) => renew(lane, NOW_MS), 'not renewed'],
    ['a second drop', (lane: Lane) => drop(lane), 'dropped once'],
  ])('%s in a dropped lane', (_, transition, text) => {
    const { lane } = newLane(UNPROVEN, 'a')
    drop(lane)
    expectRefused(lane, () => transition(lane), text)
  })

  it('a begin without a queue, beyond the window, after the lease, or with a stale queue', () => {
    const empty = newLane(UNPROVEN).lane
    expectRefused(empty, () => begin(empty, NOW_MS), 'a delivery begins')
    const full = newLane(UNPROVEN, 'a', 'b', 'c').lane
    begin(full, NOW_MS)
    begin(full, NOW_MS)
    expectRefused(full, () => begin(full, NOW_MS), 'a delivery begins')
    const { lane } = newLane(UNPROVEN, 'a')
    expect(isStale(lane, NOW_MS + STALE_MS + 1)).toBe(true)
    expectRefused(lane, () => begin(lane, NOW_MS + STALE_MS + 1), 'a delivery begins')
    const late = createLane({ ...lane, totals: createTotals(), leaseEndsMs: NOW_MS - 1 })
    offer(late, ready('a'))
    expect(canBegin(late, NOW_MS)).toBe(false)
    expectRefused(late, () => begin(late, NOW_MS), 'a delivery begins')
    renew(late, NOW_MS)
    expect(begin(late, NOW_MS).delivery.id).toBe('a')
  })

  it('an end without an attempt', () => {
    const { lane, totals } = newLane(UNPROVEN, 'a')
    expectRefused(lane, () => end(lane, NOW_MS, 'well'), 'an attempt ends that has begun')
    expect(totals).toEqual({ underway: 0, unproven: 0 })
  })

  it('settling a delivery whose attempt has not ended, or more than have ended', () => {
    const { lane } = newLane(UNPROVEN, 'a', 'b')
    begin(lane, NOW_MS)
    expectRefused(lane, () => settle(lane), 'settled after its attempt has ended')
    begin(lane, NOW_MS)
    end(lane, NOW_MS, 'well')
    settle(lane)
    expectRefused(lane, () => settle(lane), 'settled after its attempt has ended')
  })

  it('calling a receiver quiet that has nothing, that was heard of late, or that was not counted on', () => {
    const laterMs = NOW_MS + QUIET_MS + 1
    const idle = newLane(PROVEN, 'a').lane
    expectRefused(idle, () => quiet(idle, laterMs), 'answered nothing')
    const heard = newLane(PROVEN, 'a').lane
    begin(heard, NOW_MS)
    expectRefused(heard, () => quiet(heard, NOW_MS + QUIET_MS), 'answered nothing')
    expect(isQuiet(heard, laterMs)).toBe(true)
    const unproven = newLane(UNPROVEN, 'a').lane
    begin(unproven, NOW_MS)
    expectRefused(unproven, () => quiet(unproven, laterMs), 'answered nothing')
  })

  it('nothing is illegal about emptying a queue twice', () => {
    const { lane } = newLane(UNPROVEN, 'a')
    expect(ids(withdraw(lane))).toEqual(['a'])
    expect(withdraw(lane)).toEqual([])
  })
})
