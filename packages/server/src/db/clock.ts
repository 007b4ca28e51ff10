import type { Database } from './database.ts'

/**
 * The database's clock as this node sees it. Nodes' own clocks differ; what nodes must agree on (skew,
 * windows, blocks) is measured on this one.
 */
export type DatabaseClock = {
  /** Milliseconds since 1970. */
  nowMs(): number
  close(): void
}

const REFRESH_MS = 10_000

export async function openDatabaseClock(database: Database): Promise<DatabaseClock> {
  let offsetMs = await measureOffset(database)
  const timer = setInterval(() => {
    // A database out of reach leaves the last offset: both clocks go on at the same pace.
    measureOffset(database).then(
      (measured) => {
        offsetMs = measured
      },
      () => {},
    )
  }, REFRESH_MS)
  timer.unref()
  return {
    nowMs: () => performance.now() + offsetMs,
    close: () => clearInterval(timer),
  }
}

/** What to add to performance.now; the round trip is halved, as the moment of reading lies inside it. */
async function measureOffset(database: Database): Promise<number> {
  const before = performance.now()
  const { rows } = await database.query<{ now_ms: number }>(
    'select (extract(epoch from clock_timestamp()) * 1000)::float8 as now_ms',
  )
  const after = performance.now()
  return Number(rows[0]?.now_ms) - (before + after) / 2
}
