// Memory between calls: a payment that is sent again must be signed later than each attempt that got no answer, also on a
// machine whose clock was set back after the call before.

export type LostAttempts = {
  /** Returns the latest second in which an unanswered attempt of the payment was signed; 0 if there is none. */
  latest(refid: string): number
  note(refid: string, second: number): void
}

/** Number of payments that are remembered. The one that was noted first is forgotten first. */
export const LOST_ATTEMPTS_MAX = 1_000

export function createLostAttempts(): LostAttempts {
  const seconds = new Map<string, number>()
  return {
    latest: (refid) => seconds.get(refid) ?? 0,
    note(refid, second) {
      seconds.delete(refid)
      seconds.set(refid, second)
      for (const oldest of seconds.keys()) {
        if (seconds.size <= LOST_ATTEMPTS_MAX) break
        seconds.delete(oldest)
      }
    },
  }
}
