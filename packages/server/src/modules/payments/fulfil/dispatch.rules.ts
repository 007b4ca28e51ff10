/** Number of orders that may begin now: those that came due since the last count, and a few unused ones. */
export type Pace = { turns: number; countedAtMs: number }

/** Seconds of missed turns that may be caught up, because timers are late by some milliseconds. */
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

/** Returns the milliseconds until the next turn, rounded up: a timer that is early would only check once more. */
export function nextTurnMs(pace: Pace, ratePerSecond: number | null): number {
  if (ratePerSecond === null) return 0
  return Math.max(1, Math.ceil(((1 - pace.turns) * 1_000) / ratePerSecond))
}
