/**
 * Estimates the earliest arrival time of a request that was read just now. While this process stands still (frozen, on
 * a paused machine, or busy with a long computation), requests wait in the system's buffers, and nothing says for how
 * long. A request that is read right after such a gap may have arrived at any moment since the gap began.
 */
export type Arrivals = {
  /** Returns the time for a request whose head was read at `nowMs`. Both are on performance.now's clock. */
  earliestMs(nowMs: number): number
  close(): void
}

const BEAT_MS = 100
/**
 * Gap that counts as a standstill: longer than the pauses of a busy process, and shorter than a client waits before it
 * asks another node.
 */
const GAP_MS = 250

/**
 * Detects gaps with a timer: a late beat shows a gap. Requests that arrived in the gap are read in the next turn of the
 * event loop. On connections that were opened in the gap they are read in the turn after that. Tried and rejected: the
 * time of the previous turn for every request, since a client that was rejected may send its next request within that
 * turn.
 */
export function createArrivals(): Arrivals {
  /**
   * Times of the last beat and of the beat before it. Everything that had arrived before the earlier beat was read
   * between the two.
   */
  let beatMs = performance.now()
  let earlierMs = beatMs
  let gapBeganMs = Number.POSITIVE_INFINITY
  let gaps = 0

  function noteGap(nowMs: number): boolean {
    if (nowMs - beatMs <= GAP_MS) return false
    gapBeganMs = Math.min(gapBeganMs, earlierMs)
    earlierMs = nowMs
    beatMs = nowMs
    gaps += 1
    const gap = gaps
    setImmediate(() => setImmediate(() => endGap(gap)))
    return true
  }

  /** Ends the gap, unless another gap has begun meanwhile. */
  function endGap(gap: number): void {
    if (gap === gaps) gapBeganMs = Number.POSITIVE_INFINITY
  }

  const timer = setInterval(() => {
    const nowMs = performance.now()
    if (noteGap(nowMs)) return
    earlierMs = beatMs
    beatMs = nowMs
  }, BEAT_MS)
  timer.unref()

  return {
    earliestMs(nowMs) {
      noteGap(nowMs)
      return Math.min(nowMs, gapBeganMs)
    },
    close: () => clearInterval(timer),
  }
}
