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
  /** Compares the clocks again, for a caller who has seen that they no longer agree. */
  refresh(): void
  close(): void
}

const REFRESH_MS = 10_000
/** How fast two clocks may drift apart: more than crystals do, and as fast as most servers are slewed. */
const DRIFT = 1e-4

/** The bounds between which lies what has to be added to performance.now. */
type Comparison = { readonly lowMs: number; readonly highMs: number; readonly madeMs: number }

export async function openDatabaseClock(database: Database): Promise<DatabaseClock> {
  let known = await compare(database)
  let isComparing = false
  const refresh = () => {
    if (isComparing) return
    isComparing = true
    // A database out of reach leaves the last comparison: both clocks go on at the same pace.
    compare(database)
      .then(
        (made) => {
          known = better(known, made)
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
    earliestMs: (atMs) => atMs + known.lowMs,
    refresh,
    close: () => clearInterval(timer),
  }
}

/** The moment of reading lies somewhere inside the round trip. */
async function compare(database: Database): Promise<Comparison> {
  const before = performance.now()
  const { rows } = await database.query<{ now_ms: number }>(
    'select (extract(epoch from clock_timestamp()) * 1000)::float8 as now_ms',
  )
  const after = performance.now()
  const nowMs = Number(rows[0]?.now_ms)
  return { lowMs: nowMs - after, highMs: nowMs - before, madeMs: after }
}

/**
 * The newer comparison, unless its round trip was slow, which says little, and the older one still holds. Two that
 * cannot both be right mean that a clock was set: then the newer one counts.
 */
export function better(older: Comparison, newer: Comparison): Comparison {
  const driftMs = (newer.madeMs - older.madeMs) * DRIFT
  const isStep = newer.lowMs > older.highMs + driftMs || newer.highMs < older.lowMs - driftMs
  const widthOf = ({ lowMs, highMs }: Comparison) => highMs - lowMs
  return isStep || widthOf(newer) <= widthOf(older) + driftMs ? newer : older
}
