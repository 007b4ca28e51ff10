// Clock of the client, corrected by the service's own.

export type Clock = {
  /** Unix time in whole seconds, as a signature needs it. */
  seconds(): number
  /** Milliseconds by which the local clock is corrected. */
  offsetMs(): number
  /** Takes the time of an answer. `isRefused`: the service said that the time was wrong. */
  learn(date: string | null, isRefused: boolean): void
}

/** Smaller differences are left alone: `Date` is in whole seconds, and an answer takes its time. */
const TOLERATED_MS = 60_000
const HALF_SECOND_MS = 500

export function createClock(now: () => number): Clock {
  let offsetMs = 0
  return {
    seconds: () => Math.floor((now() + offsetMs) / 1_000),
    offsetMs: () => offsetMs,
    learn(date, isRefused) {
      const serverMs = Date.parse(date ?? '') + HALF_SECOND_MS
      if (Number.isNaN(serverMs)) return
      const foundMs = serverMs - now()
      if (isRefused || Math.abs(foundMs - offsetMs) > TOLERATED_MS) offsetMs = foundMs
    },
  }
}
