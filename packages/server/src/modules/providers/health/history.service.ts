import type { Queryable } from '../../../db/database.ts'
import type { Observation } from '../connections/routing.types.ts'
import type { AnswerCounts, HealthSeries } from './health.types.ts'
import {
  attemptsOf,
  countOrder,
  emptyCounts,
  emptyLatencies,
  HISTORY_HOURS_MAX,
  seriesOf,
  seriesStart,
  startOfInterval,
} from './history.rules.ts'
import { listIntervals, sweepIntervals, writeIntervals } from './history.sql.ts'

/** Counts of this node's orders in intervals of five minutes, which outlive the node. */
export type HealthHistory = {
  count(provider: string, observation: Observation): void
  /** Writes the intervals with orders since the last write. Counts that could not be written are written next time. */
  write(connection: Queryable): Promise<void>
}

type Interval = {
  readonly provider: string
  readonly startMs: number
  readonly counts: AnswerCounts
  readonly latencies: number[]
  attemptsWritten: number
}

/** Limit of intervals that wait for the database; the oldest are dropped first. */
const WAITING_MAX = 1_000
const SWEEP_EVERY_MS = 3_600_000
/** A day more than can be asked for. */
const KEPT_HOURS = HISTORY_HOURS_MAX + 24

/** `nowMs` is the database's clock, so that the intervals of all nodes begin at the same instants. */
export function createHealthHistory(node: string, nowMs: () => number): HealthHistory {
  const present = new Map<string, Interval>()
  let ended: Interval[] = []
  let sweptMs = Number.NEGATIVE_INFINITY

  function intervalOf(provider: string): Interval {
    const startMs = startOfInterval(nowMs())
    const known = present.get(provider)
    if (known?.startMs === startMs) return known
    if (known !== undefined) ended = [...ended, known].slice(-WAITING_MAX)
    const counts = emptyCounts()
    const interval = { provider, startMs, counts, latencies: emptyLatencies(), attemptsWritten: 0 }
    present.set(provider, interval)
    return interval
  }

  return {
    count(provider, observation) {
      if (observation.answer === 'unsent') return
      const { counts, latencies } = intervalOf(provider)
      countOrder(counts, latencies, observation)
    },
    async write(connection) {
      const news = [...ended, ...present.values()]
        .map((interval) => ({ interval, attempts: attemptsOf(interval.counts) }))
        .filter(({ interval, attempts }) => attempts > interval.attemptsWritten)
      if (news.length > 0) {
        await writeIntervals(
          connection,
          node,
          news.map(({ interval }) => interval),
        )
      }
      // Orders that ended during the write are counted in the interval, and are not in what was written.
      for (const { interval, attempts } of news) interval.attemptsWritten = attempts
      ended = ended.filter(({ counts, attemptsWritten }) => attemptsOf(counts) > attemptsWritten)
      if (news.length === 0 || nowMs() - sweptMs < SWEEP_EVERY_MS) return
      sweptMs = nowMs()
      await sweepIntervals(connection, KEPT_HOURS)
    },
  }
}

/** Reads the series of one provider over the last hours; all nodes together. */
export async function readHealthSeries(
  connection: Queryable,
  { provider, hours, nowMs }: { readonly provider: string; readonly hours: number; readonly nowMs: number },
): Promise<HealthSeries> {
  const intervals = await listIntervals(connection, provider, seriesStart(nowMs, hours))
  return seriesOf(intervals, nowMs, hours)
}
