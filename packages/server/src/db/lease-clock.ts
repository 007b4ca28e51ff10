import type { Database } from './database.ts'

/**
 * Guards the takeover of leases against steps of the database's clock. Leases end by that clock: if it is set forward,
 * leases seem to be over while their holders are at work. Every claim is bounded by `believedUntil` inside its own
 * statement, so a step between reading the clock and the claim gains nothing.
 */
export type LeaseClock = {
  /**
   * Returns the instant of the database's clock up to which the end of a lease is believed; 1970 while claims are held
   * back.
   */
  believedUntil(): Date
  /**
   * Returns the time since the last step of the database's clock, on this node's monotonic clock; Infinity when there
   * was none.
   */
  steadyForMs(): number
}

/** Reading of the clocks. */
export type ClockReading = {
  /** Times on performance.now's clock, before and after the question to the database. */
  readonly beforeMs: number
  readonly afterMs: number
  /** Milliseconds since 1970, by the database's clock. */
  readonly databaseMs: number
  /** Milliseconds since 1970, by this node's own clock. */
  readonly wallMs: number
}

export type ClockStep = {
  /** Size of the step; forward is positive. */
  readonly byMs: number
  /** True when no step was seen, but at the start the database's clock and this node's own show different times. */
  readonly isAtStart: boolean
}

export type LeaseClockSettings = {
  /** Time for which claims are held back after a step: the longest lease of any job. */
  leaseMs: number
  onStep: (step: ClockStep) => void
  nowMs?: () => number
}

/** Tolerance that is larger than any slewing of clocks between two readings, and much smaller than any lease. */
const TOLERANCE_MS = 500
/** Tolerance at the start: two clocks that a time service keeps agree far better than this. */
const START_TOLERANCE_MS = 2_000
/** Longest reading that corrects drift: a longer one says too little about the moment. */
const PRECISE_MS = 250
const NOTHING_BELIEVED = new Date(0)

/**
 * Compares readings of the database's clock with this node's monotonic clock, which cannot be set. After a step,
 * nothing is claimed for a full lease on the monotonic clock. By then every lease that was granted before the step has
 * ended for its holder, and later ones are counted by the new time alone.
 *
 * A node that has just started has no history to compare with. It compares the database's clock with its own wall
 * clock. If both agree, both are taken to be right; if not, one of them is wrong, and the node waits as after a step.
 * One case is not noticed: the clock was set while no node ran, on a machine that serves both the database and the
 * node. Lease numbers and repeated references still protect the orders then.
 */
export function createLeaseClock(
  settings: LeaseClockSettings,
): LeaseClock & { note(reading: ClockReading): void } {
  const { leaseMs, onStep, nowMs = () => performance.now() } = settings
  let offset: Offset | undefined
  let heldUntilMs = Number.POSITIVE_INFINITY
  let steadySinceMs = Number.NEGATIVE_INFINITY

  function step(measured: Offset, byMs: number, isAtStart: boolean): void {
    offset = measured
    steadySinceMs = nowMs()
    heldUntilMs = steadySinceMs + leaseMs
    onStep({ byMs: Math.round(byMs), isAtStart })
  }

  return {
    note({ beforeMs, afterMs, databaseMs, wallMs }) {
      const measured = { leastMs: databaseMs - afterMs, mostMs: databaseMs - beforeMs }
      if (offset === undefined) {
        const differenceMs = databaseMs - wallMs
        if (Math.abs(differenceMs) > START_TOLERANCE_MS + widthOf(measured)) {
          step(measured, differenceMs, true)
          return
        }
        offset = measured
        heldUntilMs = Number.NEGATIVE_INFINITY
        return
      }
      if (
        measured.leastMs > offset.mostMs + TOLERANCE_MS ||
        measured.mostMs < offset.leastMs - TOLERANCE_MS
      ) {
        step(measured, middleOf(measured) - middleOf(offset), false)
      } else if (widthOf(measured) <= Math.max(PRECISE_MS, widthOf(offset))) offset = measured
    },
    believedUntil() {
      const now = nowMs()
      if (offset === undefined || now < heldUntilMs) return NOTHING_BELIEVED
      return new Date(now + offset.leastMs + TOLERANCE_MS)
    },
    steadyForMs: () => nowMs() - steadySinceMs,
  }
}

/**
 * Bounds of the difference between the database's clock and the monotonic one. The moment of a reading lies inside its
 * round trip. A slow reading, such as the first on a busy machine, leaves them far apart until a better one comes.
 */
type Offset = { readonly leastMs: number; readonly mostMs: number }

function widthOf({ leastMs, mostMs }: Offset): number {
  return mostMs - leastMs
}

function middleOf({ leastMs, mostMs }: Offset): number {
  return (leastMs + mostMs) / 2
}

export type OpenLeaseClock = LeaseClock & { close(): void }

const READ_EVERY_MS = 1_000

/**
 * Opens the clock; resolves after the first reading. A database out of reach changes nothing: no lease can be claimed
 * there anyway.
 */
export async function openLeaseClock(
  settings: LeaseClockSettings & { database: Database },
): Promise<OpenLeaseClock> {
  const clock = createLeaseClock(settings)
  const poll = async () => clock.note(await readClocks(settings.database))
  await poll()
  let isPolling = false
  const timer = setInterval(() => {
    if (isPolling) return
    isPolling = true
    poll()
      .catch(() => {})
      .finally(() => {
        isPolling = false
      })
  }, READ_EVERY_MS)
  timer.unref()
  return { ...clock, close: () => clearInterval(timer) }
}

async function readClocks(database: Database): Promise<ClockReading> {
  const beforeMs = performance.now()
  const { rows } = await database.query<{ now_ms: number }>(
    'select (extract(epoch from clock_timestamp()) * 1000)::float8 as now_ms',
  )
  return {
    beforeMs,
    afterMs: performance.now(),
    databaseMs: Number(rows[0]?.now_ms),
    wallMs: Date.now(),
  }
}
