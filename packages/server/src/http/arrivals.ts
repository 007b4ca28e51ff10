/**
 * Tells how early a request can have arrived that was read just now. While this process stands still (it was frozen, its
 * machine was paused, something computes for long), requests wait in the system's buffers, and nothing says for how
 * long: one that is read right after such a gap may have arrived at any moment since the gap began.
 */
export type Arrivals = {
  /** For a request whose head was read at `nowMs`. Both are on performance.now's clock. */
  earliestMs(nowMs: number): number
  close(): void
}

const BEAT_MS = 100
/** Longer than the pauses of a busy process, and shorter than a client waits before it asks another node. */
const GAP_MS = 250

/**
 * A timer beats; a beat that is late shows a gap. Requests that arrived in it are read in the next turn of the event
 * loop, and in the one after it on connections that were opened in the gap. Tried and rejected: the time of the turn
 * before for every request, since a client that was rejected may send its next request within that turn.
 */
export function createArrivals(): Arrivals {
  /** The last beat, and the one before it: between both, everything was read that had arrived before the first. */
  let beatMs = performance.now()
  let earlierMs = beatMs
  let gapBeganMs = Number.POSITIVE_INFINITY
  let gaps = 0

  function look(nowMs: number): boolean {
    if (nowMs - beatMs <= GAP_MS) return false
    gapBeganMs = Math.min(gapBeganMs, earlierMs)
    earlierMs = nowMs
    beatMs = nowMs
    gaps += 1
    const gap = gaps
    setImmediate(() => setImmediate(() => endGap(gap)))
    return true
  }

  /** Another gap may have begun meanwhile. */
  function endGap(gap: number): void {
    if (gap === gaps) gapBeganMs = Number.POSITIVE_INFINITY
  }

  const timer = setInterval(() => {
    const nowMs = performance.now()
    if (look(nowMs)) return
    earlierMs = beatMs
    beatMs = nowMs
  }, BEAT_MS)
  timer.unref()

  return {
    earliestMs(nowMs) {
      look(nowMs)
      return Math.min(nowMs, gapBeganMs)
    },
    close: () => clearInterval(timer),
  }
}
