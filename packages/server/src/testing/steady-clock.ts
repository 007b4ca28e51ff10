import type { LeaseClock } from '../db/lease-clock.ts'

/** A database whose clock nobody sets: every lease that it says is over is over. */
export const STEADY_CLOCK: LeaseClock = {
  believedUntil: () => new Date('9999-12-31T00:00:00Z'),
  steadyForMs: () => Number.POSITIVE_INFINITY,
}
