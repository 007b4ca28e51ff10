/** Clocks of the machine, in milliseconds. */
export type MachineClocks = {
  /** Never set by anybody, but stands still while the machine is suspended. */
  readonly monotonicMs: () => number
  /** Right again when the machine wakes up, but may be set. */
  readonly wallMs: () => number
}

/** Tolerance that is larger than any slewing of the wall clock between two readings, and much smaller than any lease. */
const TOLERANCE_MS = 50

/**
 * Makes the clock by which a node ends its own leases on orders. It is the monotonic clock plus the time for which the
 * machine was suspended. Leases end by the database's clock, which goes on then, and a node that does not count this
 * time would send an order after another node has given it up.
 *
 * A suspension shows as a wall clock that has gone further than the monotonic one. A wall clock that somebody sets
 * forward looks the same: the node then gives up leases that it still has, so that their orders are not sent by it.
 *
 * A wall clock that is read once is between two readings of the monotonic one. So a pause of the process among the
 * readings is not taken for a suspension.
 */
export function createLeaseTime({ monotonicMs, wallMs }: MachineClocks): () => number {
  let mostAheadMs = Number.POSITIVE_INFINITY
  let suspendedMs = 0
  return () => {
    const beforeMs = monotonicMs()
    const readMs = wallMs()
    const nowMs = monotonicMs()
    const goneFurtherMs = readMs - nowMs - mostAheadMs
    if (goneFurtherMs > TOLERANCE_MS) suspendedMs += goneFurtherMs
    mostAheadMs = readMs - beforeMs
    return nowMs + suspendedMs
  }
}

/** Time by which leases on orders end. Without a suspension it is performance.now's. */
export const leaseNowMs = createLeaseTime({
  monotonicMs: () => performance.now(),
  wallMs: () => Date.now(),
})
