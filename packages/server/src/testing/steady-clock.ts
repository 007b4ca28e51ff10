import type { LeaseClock } from '../db/lease-clock.ts'

/** Clock of a database that was never set: every lease that has ended by it has ended. */
export const STEADY_CLOCK: LeaseClock = {
  believedUntil: () => new Date('9999-12-31T00:00:00Z'),
  steadyForMs: () => Number.POSITIVE_INFINITY,
}

/** Clock of a database that was just set: no end of a lease is trusted. */
export const HELD_CLOCK: LeaseClock = { believedUntil: () => new Date(0), steadyForMs: () => 0 }
