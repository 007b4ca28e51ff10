import { beforeEach, describe, expect, it } from 'vitest'
import { createLeaseTime } from './lease-time.ts'

const HOUR_MS = 3_600_000

describe('the time by which leases end', () => {
  let monotonicMs: number
  let wallMs: number
  let now: () => number

  beforeEach(() => {
    monotonicMs = 1_000
    wallMs = Date.UTC(2026, 0, 1)
    now = createLeaseTime({ monotonicMs: () => monotonicMs, wallMs: () => wallMs })
    now()
  })

  const pass = (ms: number) => {
    monotonicMs += ms
    wallMs += ms
  }

  it('is the monotonic clock while the machine runs', () => {
    pass(HOUR_MS)
    expect(now()).toBe(1_000 + HOUR_MS)
  })

  it('counts a suspension, in which the monotonic clock stands still, once', () => {
    wallMs += HOUR_MS
    pass(10)
    expect(now()).toBe(1_010 + HOUR_MS)
    expect(now()).toBe(1_010 + HOUR_MS)
    wallMs += HOUR_MS
    expect(now()).toBe(1_010 + 2 * HOUR_MS)
  })

  it('counts a wall clock that is set forward like a suspension, and never goes back with one that is set back', () => {
    wallMs -= HOUR_MS
    pass(10)
    expect(now()).toBe(1_010)
    wallMs += HOUR_MS
    expect(now()).toBe(1_010 + HOUR_MS)
  })

  it('counts a suspension after the wall clock was set back, as soon as the clock was read in between', () => {
    wallMs -= HOUR_MS
    now()
    wallMs += 60_000
    expect(now()).toBe(61_000)
  })

  it('does not count the slewing of a wall clock', () => {
    for (let second = 0; second < 3_600; second += 1) {
      pass(1_000)
      wallMs += 1
      now()
    }
    expect(now()).toBe(1_000 + HOUR_MS)
  })

  it('does not take a pause of the process among its readings for a suspension', () => {
    let pauses: number[] = []
    now = createLeaseTime({
      monotonicMs: () => monotonicMs,
      wallMs: () => {
        pass(pauses.shift() ?? 0)
        const readMs = wallMs
        pass(pauses.shift() ?? 0)
        return readMs
      },
    })
    now()
    pauses = [700, 0]
    expect(now()).toBe(1_700)
    pauses = [0, 700]
    expect(now()).toBe(2_400)
    expect(now()).toBe(2_400)
  })
})
