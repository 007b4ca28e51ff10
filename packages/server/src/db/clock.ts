import type { Database } from './database.ts'

/**
 * Database's clock as this node sees it. Nodes' own clocks differ; the times that nodes must agree on (skew, windows,
 * blocks) are measured on this one.
 */
export type DatabaseClock = {
  /** Milliseconds since 1970. */
  nowMs(): number
  /**
   * Returns the earliest time that the database's clock can have shown at a moment of performance.now. Time limits that
   * the database keeps use it: they never end later than this node says.
   */
  earliestMs(atMs: number): number
  /**
   * Records that an answer of the database, which this node had at `atMs`, was written when its clock showed `shownMs`.
   */
  observe(shownMs: number, atMs: number): void
  /** Compares the clocks again, for a caller that has seen a disagreement. */
  refresh(): void
  close(): void
}

/** Longest time between the time that a row carries and its commit. */
export const COMMIT_MAX_MS = 10 * 60_000

const REFRESH_MS = 10_000
/** Pause before the next comparison while no good one is known. */
const RETRY_MS = 1_000
const COMPARISONS = 4
/** Longest useful round trip: a longer one says too little about the moment at which the database's clock was read. */
const PRECISE_MS = 250
/** Rate at which two clocks may drift apart: more than crystals do. */
const DRIFT = 1e-4

/** Bounds of the difference that has to be added to performance.now. */
export type Bounds = { readonly lowMs: number; readonly highMs: number; readonly madeMs: number }

export async function openDatabaseClock(database: Database): Promise<DatabaseClock> {
  let known = await compareWell(database)
  let isComparing = false
  let isClosed = false
  let retry: NodeJS.Timeout | undefined
  const refresh = () => {
    if (isComparing) return
    isComparing = true
    // The last comparison stays while the database is out of reach: both clocks go on at the same pace.
    compareWell(database)
      .then(
        (made) => {
          known = narrowed(known, made)
        },
        () => {},
      )
      .finally(() => {
        isComparing = false
        retryIfVague()
      })
  }
  /** Compares again soon while the bounds are far apart: such bounds are true but of little use. */
  const retryIfVague = () => {
    clearTimeout(retry)
    if (!isPrecise(known) && !isClosed) retry = setTimeout(refresh, RETRY_MS).unref()
  }
  const timer = setInterval(refresh, REFRESH_MS)
  timer.unref()
  retryIfVague()
  return {
    nowMs: () => performance.now() + (known.lowMs + known.highMs) / 2,
    earliestMs: (atMs) => atMs + aged(known, performance.now()).lowMs,
    observe(shownMs, atMs) {
      const lowMs = shownMs - atMs
      const { highMs } = aged(known, atMs)
      if (lowMs > highMs) refresh()
      known = narrowed(known, { lowMs, highMs: Math.max(lowMs, highMs), madeMs: atMs })
    },
    refresh,
    close() {
      isClosed = true
      clearInterval(timer)
      clearTimeout(retry)
    },
  }
}

/** Compares a few times in a row: the first may have to open a connection, and any may meet a busy moment. */
async function compareWell(database: Database): Promise<Bounds> {
  const made = [await compare(database)]
  while (made.length < COMPARISONS) made.push(await compare(database))
  return bestOf(made)
}

/** Discards comparisons whose round trip took long. When all did, the shortest one counts alone. */
export function bestOf(made: readonly Bounds[]): Bounds {
  const precise = made.filter(isPrecise)
  if (precise.length > 0) return precise.reduce(narrowed)
  return made.reduce((best, each) => (widthOf(each) < widthOf(best) ? each : best))
}

function isPrecise(bounds: Bounds): boolean {
  return widthOf(bounds) <= PRECISE_MS
}

function widthOf({ lowMs, highMs }: Bounds): number {
  return highMs - lowMs
}

/** Compares the clocks once. The moment of reading lies somewhere inside the round trip. */
async function compare(database: Database): Promise<Bounds> {
  const before = performance.now()
  const { rows } = await database.query<{ now_ms: number }>(
    'select (extract(epoch from clock_timestamp()) * 1000)::float8 as now_ms',
  )
  const after = performance.now()
  const nowMs = Number(rows[0]?.now_ms)
  return { lowMs: nowMs - after, highMs: nowMs - before, madeMs: after }
}

/** Widens bounds by the drift that is possible since they were made. */
function aged({ lowMs, highMs, madeMs }: Bounds, nowMs: number): Bounds {
  const driftMs = Math.max(0, nowMs - madeMs) * DRIFT
  return { lowMs: lowMs - driftMs, highMs: highMs + driftMs, madeMs: nowMs }
}

/** Combines two comparisons. If both cannot be right, a clock was set, and the newer one counts. */
export function narrowed(older: Bounds, newer: Bounds): Bounds {
  const { lowMs, highMs } = aged(older, newer.madeMs)
  if (newer.lowMs > highMs || newer.highMs < lowMs) return newer
  return {
    lowMs: Math.max(lowMs, newer.lowMs),
    highMs: Math.min(highMs, newer.highMs),
    madeMs: newer.madeMs,
  }
}
