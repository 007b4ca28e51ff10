import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../testing/runs.ts'
import type { ClockStep } from './lease-clock.ts'
import { createLeaseClock } from './lease-clock.ts'

const LEASE_MS = 60_000
const START_MS = Date.parse('2026-03-01T04:00:00Z')

/** Sets up a node, its monotonic clock, and a database whose clock the test sets. */
function openScene(startDifferenceMs = 0) {
  let monotonicMs = 1_000
  let databaseMs = START_MS + startDifferenceMs
  let wallMs = START_MS
  const steps: ClockStep[] = []
  const clock = createLeaseClock({
    leaseMs: LEASE_MS,
    nowMs: () => monotonicMs,
    onStep: (step) => steps.push(step),
  })
  const scene = {
    clock,
    steps,
    databaseMs: () => databaseMs,
    pass(ms: number) {
      monotonicMs += ms
      databaseMs += ms
      wallMs += ms
    },
    set(byMs: number) {
      databaseMs += byMs
    },
    /** Reads the clocks. `tookMs` is the time of the whole round trip; `there` is the share of the way there. */
    read(tookMs = 4, there = 0.5) {
      const beforeMs = monotonicMs
      scene.pass(tookMs * there)
      const readMs = databaseMs
      scene.pass(tookMs * (1 - there))
      clock.note({ beforeMs, afterMs: monotonicMs, databaseMs: readMs, wallMs })
    },
    /** Tells whether a lease that ends at this instant of the database's clock could be taken over now. */
    takes: (endsMs: number) => endsMs <= Math.min(databaseMs, clock.believedUntil().getTime()),
  }
  return scene
}

describe('while the clocks go evenly', () => {
  it('a lease is taken over once it has ended, and not before', () => {
    const scene = openScene()
    scene.read()
    const endsMs = scene.databaseMs() + LEASE_MS
    scene.pass(LEASE_MS - 10)
    expect(scene.takes(endsMs)).toBe(false)
    scene.pass(20)
    expect(scene.takes(endsMs)).toBe(true)
    expect(scene.clock.steadyForMs()).toBe(Number.POSITIVE_INFINITY)
  })

  it('drift, slow answers and a node that was frozen during one are no steps', () => {
    const scene = openScene()
    scene.read()
    for (let second = 0; second < 600; second += 1) {
      scene.pass(1_000)
      scene.set(0.5)
      scene.read(second % 7 === 0 ? 3_000 : 4)
    }
    scene.read(90_000)
    expect(scene.steps).toEqual([])
    expect(scene.takes(scene.databaseMs() - 1)).toBe(true)
  })
})

describe.each([
  ['on its way there', 1],
  ['on its way back', 0],
])('a slow reading that was held up %s', (_, there) => {
  it('is no step when it is the first one and a better one follows', () => {
    const scene = openScene()
    scene.read(8_000, there)
    const endsMs = scene.databaseMs() + 5_000
    expect(scene.takes(endsMs)).toBe(false)
    scene.pass(1_000)
    scene.read()
    expect(scene.steps).toEqual([])
    scene.pass(5_000)
    expect(scene.takes(endsMs)).toBe(true)
  })

  it('shows a step once, and the better one that follows is no second step', () => {
    const scene = openScene()
    scene.read()
    scene.set(600_000)
    scene.read(8_000, there)
    scene.pass(1_000)
    scene.read()
    expect(scene.steps).toHaveLength(1)
  })

  it('lets nothing be taken over that a better one would not', () => {
    const scene = openScene()
    scene.read(8_000, there)
    const endsMs = scene.databaseMs() + LEASE_MS
    scene.set(LEASE_MS)
    expect(scene.takes(endsMs)).toBe(false)
  })
})

describe('when the database’s clock is set forward', () => {
  it('a lease that seems to have ended by it is not taken over, even before anybody has looked', () => {
    const scene = openScene()
    scene.read()
    const endsMs = scene.databaseMs() + LEASE_MS
    scene.set(600_000)
    expect(scene.takes(endsMs)).toBe(false)
    scene.read()
    expect(scene.takes(endsMs)).toBe(false)
    expect(scene.steps).toEqual([{ byMs: 600_000, isAtStart: false }])
  })

  it('nothing is taken over for a full lease, and everything that ended is afterwards', () => {
    const scene = openScene()
    scene.read()
    const endsMs = scene.databaseMs() + LEASE_MS
    scene.set(600_000)
    scene.read()
    scene.pass(LEASE_MS - 10)
    expect(scene.takes(endsMs)).toBe(false)
    scene.pass(20)
    expect(scene.takes(endsMs)).toBe(true)
    expect(scene.clock.steadyForMs()).toBeLessThan(LEASE_MS + 100)
  })
})

it('a clock that is set back holds claims for a full lease, and so does the one that sets it right', () => {
  const scene = openScene()
  scene.read()
  scene.set(-600_000)
  scene.read()
  scene.pass(LEASE_MS / 2)
  const endsMs = scene.databaseMs() + LEASE_MS
  scene.set(600_000)
  scene.read()
  expect(scene.steps.map(({ byMs }) => byMs)).toEqual([-600_000, 600_000])
  scene.pass(LEASE_MS - 10)
  expect(scene.takes(endsMs)).toBe(false)
  scene.pass(20)
  expect(scene.takes(endsMs)).toBe(true)
})

describe('a node that has just started', () => {
  it('takes nothing over before its first look', () => {
    const scene = openScene()
    expect(scene.takes(0 + 1)).toBe(false)
  })

  it('takes over at once what has ended when its own clock agrees with the database’s', () => {
    const scene = openScene(900)
    scene.read()
    expect(scene.steps).toEqual([])
    expect(scene.takes(scene.databaseMs() - 1)).toBe(true)
  })

  it('waits for a full lease and tells when they do not agree', () => {
    const scene = openScene(600_000)
    scene.read()
    expect(scene.steps).toEqual([{ byMs: expect.closeTo(600_000, -2), isAtStart: true }])
    expect(scene.takes(scene.databaseMs() - 1)).toBe(false)
    scene.pass(LEASE_MS + 10)
    expect(scene.takes(scene.databaseMs() - 1)).toBe(true)
  })
})

it('however the clock is set, no lease is taken over before it has lasted by the monotonic clock', () => {
  const moves = fc.array(
    fc.oneof(
      fc.record({ kind: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 90_000 }) }),
      // Steps smaller than the tolerance count as drift.
      fc.record({ kind: fc.constant('set' as const), ms: fc.integer({ min: 1_000, max: 900_000 }) }),
      fc.record({ kind: fc.constant('set' as const), ms: fc.integer({ min: -900_000, max: -1_000 }) }),
      fc.record({ kind: fc.constant('grant' as const), ms: fc.constant(0) }),
    ),
    { maxLength: 40 },
  )
  fc.assert(
    fc.property(moves, (drawn) => {
      const scene = openScene()
      scene.read()
      let passedMs = 0
      const leases: { grantedMs: number; endsMs: number }[] = []
      for (const { kind, ms } of drawn) {
        if (kind === 'grant') leases.push({ grantedMs: passedMs, endsMs: scene.databaseMs() + LEASE_MS })
        else if (kind === 'set') {
          scene.set(ms)
          // Two steps between the same two readings are one.
          scene.read(0)
        } else {
          scene.pass(ms)
          passedMs += ms
          scene.read(0)
        }
        for (const { grantedMs, endsMs } of leases) {
          // A holder keeps the tolerance as its own margin: it counts from before its commit.
          if (passedMs - grantedMs < LEASE_MS - 1_100) expect(scene.takes(endsMs)).toBe(false)
        }
      }
    }),
    { numRuns: runs(500) },
  )
})

it('however wrong the database’s clock is when a node starts, it takes over no lease before that has lasted', () => {
  // Clocks that differ by less than the tolerance of the start count as equal.
  const wrongMs = fc.oneof(
    fc.integer({ min: 3_000, max: 900_000 }),
    fc.integer({ min: -900_000, max: -3_000 }),
  )
  const passes = fc.array(fc.integer({ min: 1, max: 20_000 }), { minLength: 1, maxLength: 10 })
  fc.assert(
    fc.property(wrongMs, fc.nat(LEASE_MS), passes, (byMs, sinceGrantMs, drawn) => {
      const scene = openScene()
      // Another node was granted the lease by the right clock, before it was set and this node started.
      const endsMs = scene.databaseMs() + LEASE_MS
      scene.pass(sinceGrantMs)
      scene.set(byMs)
      scene.read(0)
      let passedMs = sinceGrantMs
      for (const ms of drawn) {
        if (passedMs < LEASE_MS - 1_100) expect(scene.takes(endsMs)).toBe(false)
        scene.pass(ms)
        passedMs += ms
        scene.read(0)
      }
      expect(scene.steps).toEqual([{ byMs, isAtStart: true }])
    }),
  )
})
