/** How many orders may begin: as many as have come due since, and a few that had no takers. */
export type Pace = { turns: number; countedAtMs: number }

/** Timers are late by some milliseconds; what was missed meanwhile may be caught up, and no more than that. */
const CATCH_UP_SECONDS = 0.05

export function createPace(nowMs: number): Pace {
  return { turns: 1, countedAtMs: nowMs }
}

export function hasTurn(pace: Pace, ratePerSecond: number | null, nowMs: number): boolean {
  if (ratePerSecond === null) return true
  const turnsMax = Math.max(1, ratePerSecond * CATCH_UP_SECONDS)
  pace.turns = Math.min(turnsMax, pace.turns + ((nowMs - pace.countedAtMs) / 1_000) * ratePerSecond)
  pace.countedAtMs = nowMs
  return pace.turns >= 1
}

export function takeTurn(pace: Pace): void {
  pace.turns = Math.max(0, pace.turns - 1)
}

/** Rounded up: a timer that is early would only look once more. */
export function nextTurnMs(pace: Pace, ratePerSecond: number | null): number {
  if (ratePerSecond === null) return 0
  return Math.max(1, Math.ceil(((1 - pace.turns) * 1_000) / ratePerSecond))
}
