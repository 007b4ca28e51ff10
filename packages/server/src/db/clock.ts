import type { Database } from './database.ts'

/**
 * The database's clock as this node sees it. Nodes' own clocks differ; what nodes must agree on (skew,
 * windows, blocks) is measured on this one.
 */
export type DatabaseClock = {
  /** Milliseconds since 1970. */
  nowMs(): number
  /**
   * The earliest that the database's clock can have shown at a moment of performance.now. A time limit that the database
   * keeps is given by this one: it never ends later than this node says.
   */
  earliestMs(atMs: number): number
  /** An answer of the database, which this node had at `atMs`, was written when its clock showed `shownMs`. */
  observe(shownMs: number, atMs: number): void
  /** Compares the clocks again, for a caller who has seen that they no longer agree. */
  refresh(): void
  close(): void
}

const REFRESH_MS = 10_000
const COMPARISONS = 4
/** How fast two clocks may drift apart: more than crystals do. */
const DRIFT = 1e-4

/** The bounds between which lies what has to be added to performance.now. */
export type Bounds = { readonly lowMs: number; readonly highMs: number; readonly madeMs: number }

export async function openDatabaseClock(database: Database): Promise<DatabaseClock> {
  let known = await compareWell(database)
  let isComparing = false
  const refresh = () => {
    if (isComparing) return
    isComparing = true
    // A database out of reach leaves the last comparison: both clocks go on at the same pace.
    compareWell(database)
      .then(
        (made) => {
          known = narrowed(known, made)
        },
        () => {},
      )
      .finally(() => {
        isComparing = false
      })
  }
  const timer = setInterval(refresh, REFRESH_MS)
  timer.unref()
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
    close: () => clearInterval(timer),
  }
}

/** A few at once: the first one may have to open a connection, and any may meet a busy moment. */
async function compareWell(database: Database): Promise<Bounds> {
  let bounds = await compare(database)
  for (let more = 1; more < COMPARISONS; more += 1) bounds = narrowed(bounds, await compare(database))
  return bounds
}

/** The moment of reading lies somewhere inside the round trip. */
async function compare(database: Database): Promise<Bounds> {
  const before = performance.now()
  const { rows } = await database.query<{ now_ms: number }>(
    'select (extract(epoch from clock_timestamp()) * 1000)::float8 as now_ms',
  )
  const after = performance.now()
  const nowMs = Number(rows[0]?.now_ms)
  return { lowMs: nowMs - after, highMs: nowMs - before, madeMs: after }
}

/** What is left of bounds after some time, in which the clocks may have drifted apart. */
function aged({ lowMs, highMs, madeMs }: Bounds, nowMs: number): Bounds {
  const driftMs = Math.max(0, nowMs - madeMs) * DRIFT
  return { lowMs: lowMs - driftMs, highMs: highMs + driftMs, madeMs: nowMs }
}

/** Both comparisons hold. Two that cannot both be right mean that a clock was set: then the newer one counts. */
export function narrowed(older: Bounds, newer: Bounds): Bounds {
  const { lowMs, highMs } = aged(older, newer.madeMs)
  if (newer.lowMs > highMs || newer.highMs < lowMs) return newer
  return {
    lowMs: Math.max(lowMs, newer.lowMs),
    highMs: Math.min(highMs, newer.highMs),
    madeMs: newer.madeMs,
  }
}
