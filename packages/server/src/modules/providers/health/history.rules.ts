import { LATENCY_STEPS, latencyStep, percentile } from '../connections/breaker.rules.ts'
import type { Observation } from '../connections/routing.types.ts'
import type { AnswerCounts, HealthInterval, HealthPoint, HealthSeries } from './health.types.ts'

export const INTERVAL_MS = 5 * 60_000
export const HISTORY_HOURS_MAX = 168

export function startOfInterval(nowMs: number, stepMs = INTERVAL_MS): number {
  return Math.floor(nowMs / stepMs) * stepMs
}

export function emptyCounts(): AnswerCounts {
  return { succeeded: 0, failed: 0, pending: 0, not_acted: 0, unknown: 0 }
}

export function emptyLatencies(): number[] {
  return LATENCY_STEPS.map(() => 0)
}

/** Adds an order. One that was not sent says nothing about the provider. */
export function countOrder(
  counts: AnswerCounts,
  latencies: number[],
  { answer, tookMs }: Pick<Observation, 'answer' | 'tookMs'>,
): void {
  if (answer === 'unsent') return
  // Only a question can be answered with "not found"; an order that is has no other meaning than "nothing was done".
  counts[answer === 'not_found' ? 'not_acted' : answer] += 1
  const place = latencyStep(tookMs)
  latencies[place] = (latencies[place] ?? 0) + 1
}

/** Chooses the length of a point, so that a chart has at most 168 of them. */
function stepOf(hours: number): number {
  if (hours <= 6) return INTERVAL_MS
  return hours <= 24 ? 3 * INTERVAL_MS : 12 * INTERVAL_MS
}

/** Returns the instant from which the intervals of a series are read. */
export function seriesStart(nowMs: number, hours: number): number {
  const stepMs = stepOf(hours)
  return startOfInterval(nowMs, stepMs) - (Math.round((hours * 3_600_000) / stepMs) - 1) * stepMs
}

/**
 * Sums the intervals of all nodes into points of equal length, oldest first. A point without orders is there too, so
 * that gaps are seen; the last point is not over.
 */
export function seriesOf(intervals: readonly HealthInterval[], nowMs: number, hours: number): HealthSeries {
  const stepMs = stepOf(hours)
  const startMs = seriesStart(nowMs, hours)
  const points = Math.round((hours * 3_600_000) / stepMs)
  const groups = Array.from({ length: points }, (): HealthInterval[] => [])
  for (const interval of intervals) {
    groups[Math.floor((interval.startMs - startMs) / stepMs)]?.push(interval)
  }
  return {
    stepMs,
    points: groups.map((group, index) => ({ startMs: startMs + index * stepMs, ...sumOf(group) })),
    total: sumOf(intervals.filter((each) => each.startMs >= startMs)),
  }
}

function sumOf(intervals: readonly HealthInterval[]): Omit<HealthPoint, 'startMs'> {
  const counts = emptyCounts()
  const latencies = emptyLatencies()
  for (const interval of intervals) {
    for (const answer of ANSWERS) counts[answer] += interval.counts[answer]
    for (const [place, seen] of interval.latencies.entries()) {
      if (place < latencies.length) latencies[place] = (latencies[place] ?? 0) + seen
    }
  }
  const attempts = attemptsOf(counts)
  return {
    counts,
    attempts,
    p50Ms: percentile(latencies, attempts, 0.5),
    p95Ms: percentile(latencies, attempts, 0.95),
  }
}

const ANSWERS = ['succeeded', 'failed', 'pending', 'not_acted', 'unknown'] as const

export function attemptsOf(counts: AnswerCounts): number {
  return ANSWERS.reduce((sum, answer) => sum + counts[answer], 0)
}
