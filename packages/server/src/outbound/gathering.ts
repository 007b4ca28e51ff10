const CAPACITY_MIN = 4 * 1_024

/**
 * Collects bytes that arrive in pieces into one buffer that doubles. A list of the pieces would cost far more memory
 * than their bytes when a server cuts its answer into thousands: each is a view that keeps the whole chunk that was
 * read with it.
 */
export function gatherBytes() {
  let held = Buffer.alloc(0)
  let size = 0

  return {
    add(chunk: Buffer): void {
      const needed = size + chunk.length
      if (needed > held.length) {
        const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * held.length, CAPACITY_MIN))
        held.copy(larger, 0, 0, size)
        held = larger
      }
      chunk.copy(held, size)
      size = needed
    },
    size: () => size,
    /** Returns a view: nothing may be added after it was taken. */
    bytes: (): Buffer => held.subarray(0, size),
  }
}
