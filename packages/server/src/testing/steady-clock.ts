import type { LeaseClock } from '../db/lease-clock.ts'

/** A database whose clock nobody sets: every lease that it says is over is over. */
export const STEADY_CLOCK: LeaseClock = {
  believedUntil: () => new Date('9999-12-31T00:00:00Z'),
  steadyForMs: () => Number.POSITIVE_INFINITY,
}

/** A database whose clock was just set: no end of a lease is believed. */
export const HELD_CLOCK: LeaseClock = { believedUntil: () => new Date(0), steadyForMs: () => 0 }
